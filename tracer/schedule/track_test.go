package schedule

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
)

// TestTrack compares a track with a slice.
func TestTrack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tr track
		want := rapid.SliceOf(rapid.Custom(func(t *rapid.T) visit {
			k := rapid.OneOf(rapid.Int32Range(0, 100), rapid.Int32Min(0)).Draw(t, "k")
			at := rapid.OneOf(rapid.Uint32Max(1000), rapid.Uint32()).Draw(t, "at")
			return visit{k, op.Place(at)}
		})).Draw(t, "visits")
		for _, v := range want {
			tr.add(v)
		}
		if got := slices.Collect(tr.visits()); !slices.Equal(got, want) {
			t.Fatalf("the track has %v, want %v", got, want)
		}
		for range tr.visits() {
			break
		}
	})
}

// TestTrackLength tests that a loop takes few bytes a visit.
func TestTrackLength(t *testing.T) {
	var tr track
	const n = 1000
	for k := range int32(n) {
		tr.add(visit{math.MaxInt32/2 + 2*k, op.Place(200 + k%3)})
	}
	if most := 2*n + 8; len(tr.steps) > most {
		t.Errorf("%d visits take %d bytes, want at most %d", n, len(tr.steps), most)
	}
}
