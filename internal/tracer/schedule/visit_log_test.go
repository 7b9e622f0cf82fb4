package schedule

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
)

// TestTracks compares tracks with slices.
func TestTracks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all visitLog
		want := map[op.Task][]visit{}
		for range rapid.SampledFrom([]int{3, 30, 10_000}).Draw(t, "visits") {
			task := op.Task(rapid.OneOf(rapid.Int32Range(0, 3), rapid.Int32Range(0, 3000)).Draw(t, "task"))
			k := rapid.OneOf(rapid.Int32Range(0, 100), rapid.Int32Min(0)).Draw(t, "k")
			at := rapid.OneOf(rapid.Uint32Max(1000), rapid.Uint32()).Draw(t, "at")
			object := op.Object(rapid.Uint32Max(5).Draw(t, "object"))
			v := visit{k, op.Place(at), object}
			want[task] = append(want[task], v)
			all.add(task, v)
		}
		for task := range op.Task(8) {
			if got := slices.Collect(all.visitsOf(task)); !slices.Equal(got, want[task]) {
				t.Fatalf("task %d has the visits %v, want %v", task, got, want[task])
			}
		}
		for v := range all.visitsOf(0) { // a loop that stops is not called again
			if v != want[0][0] {
				t.Fatalf("task 0 has the first visit %v, want %v", v, want[0][0])
			}
			break
		}
	})
}

// TestTracksAreShort tests that a visit takes few bytes: of a loop, and of many tasks that take
// turns.
func TestTracksAreShort(t *testing.T) {
	const n = 10_000
	for tasks, most := range map[op.Task]int{1: 2, 100: 4} {
		var all visitLog
		for i := range int32(n) {
			all.add(op.Task(i)%tasks, visit{math.MaxInt32/2 + 2*i, op.Place(200 + i%3), 7})
		}
		bytes := 0
		for _, chunk := range all.chunks {
			bytes += len(chunk)
		}
		if bytes > most*n+n/10 {
			t.Errorf("%d visits of %d tasks take %d bytes, want at most %d each", n, tasks, bytes, most)
		}
	}
}
