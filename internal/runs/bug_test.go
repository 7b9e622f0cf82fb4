package runs_test

import (
	"math/rand"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// TestBug: a bug that one run brings out ends that run, and the verdicts on the others are as
// without it.
func TestBug(t *testing.T) {
	sound := config(t, false, specs...)
	met := 0
	rapid.Check(t, func(t *rapid.T) {
		rs := records(t, rand.New(rand.NewSource(int64(rapid.Uint32().Draw(t, "seed")))))
		check := func(c runs.Config) table {
			got := table{}
			all := runs.New(c, got)
			now := time.Unix(1000, 0)
			for _, rec := range rs {
				all.Take(rec, now)
			}
			all.Tick(now.Add(time.Hour))
			all.Close("")
			return got
		}
		want := check(sound)
		c := sound
		c.Split = func(h *event.Header) ([]*spec.Property, []*spec.Property, []*tlcheck.Result) {
			if h.Run == "run0" {
				panic("planted")
			}
			return sound.Split(h)
		}
		got := check(c)
		if strings.Contains(got["run0 failed"], "this is a bug in antichain: planted") {
			met++
		} else if got["run0 failed"] != want["run0 failed"] { // broken before its header was there
			t.Fatalf("run0: %q", got["run0 failed"])
		}
		for key, verdict := range want {
			if !strings.Contains(key, "run0") && got[key] != verdict {
				t.Errorf("%s: %s, not %s", key, got[key], verdict)
			}
		}
	})
	if met == 0 {
		t.Error("no run brought the bug out")
	}
}
