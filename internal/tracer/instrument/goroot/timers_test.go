//go:build linux && (amd64 || arm64)

package goroot

import (
	"os/exec"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// timerState is what the next operation on a timer finds, as the records so far have it.
type timerState struct {
	pending  bool
	buffered bool // it has fired, but Stop and Reset take the value back
	// Firings that have sent no value. A timer counts as pending while one of them goes on, and
	// there is no record of one that has found that it must not send.
	unsent int
	found  bool // it was pending when the Reset that is on its way came
}

// Goroutines that stop a timer at the same time, or arm it again, find it as the records before
// leave it.
func TestTimerOutcomes(t *testing.T) {
	timers, channels := map[uint64]*timerState{}, map[uint64]*timerState{}
	outcomes, fired := map[bool]int{}, 0
	// by each context right before; between a receive and a Stop the program does something else
	received := map[uint64]uint64{}
	check := func(s *timerState, r *ring.Record, pending bool) {
		found := r.Kind == ring.KindMark
		outcomes[found]++
		takenBack := received[r.Ctx] == r.Aux
		if want := pending || s.buffered || takenBack; found != want && (want || s.unsent == 0) {
			t.Errorf("record %d: %s of a timer finds it active: %v, want %v", r.Index, r.Op(), found, want)
		}
	}
	read := func(r *ring.Record) {
		defer func() {
			if received[r.Ctx] = 0; r.Kind == ring.KindRecv {
				received[r.Ctx] = r.Addr
			}
		}()
		s := timers[r.Addr]
		switch does := r.Op(); {
		case r.Kind == ring.KindSend || r.Kind == ring.KindRecv:
			if s := channels[r.Addr]; s != nil && r.Kind == ring.KindSend {
				s.buffered = true
				s.unsent--
			} else if s != nil {
				s.buffered = false
			}
		case does == ring.OpTimer && r.Kind == ring.KindRelease && s == nil:
			s = &timerState{pending: true}
			timers[r.Addr], channels[r.Aux] = s, s
		case s == nil:
		case does == ring.OpTimer && r.Kind == ring.KindRelease:
			s.found, s.pending = s.pending, true
		case does == ring.OpTimer && r.Kind == ring.KindAcquire:
			if fired++; !s.pending {
				t.Errorf("record %d: a timer fires that is not armed", r.Index)
			}
			if s.pending = false; r.Aux != r.Addr {
				s.unsent++
			}
		case does == ring.OpTimer && (r.Kind == ring.KindMark || r.Kind == ring.KindTry):
			check(s, r, s.found)
			s.buffered = false
		case does == ring.OpStop:
			check(s, r, s.pending)
			s.pending, s.buffered = false, false
		}
	}
	trace(t, ring.Options{}, read, exec.Command(program(t, "timers"))).ok(t)
	if fired == 0 || outcomes[true] == 0 || outcomes[false] == 0 {
		t.Errorf("fired %d times; found active or not: %v", fired, outcomes)
	}
}
