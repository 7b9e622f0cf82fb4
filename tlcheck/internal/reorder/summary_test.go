package reorder

import (
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// hold has a task do a section in which it synchronises otherwise, if that is not over yet.
func hold(h *Holder, l *Users, task op.Task, seq int64) {
	a := Acquisition{Lock: l, Seq: seq, Task: task, K: h.last + 1, Kind: op.Lock}
	h.Step(a.K, false)
	h.Begin(&a)
	l.Add(&a)
	h.Step(a.K+1, true)
	h.Step(a.K+2, false)
	h.End(&Span{Acquisition: a, By: task, ByK: a.K + 2}, false)
}

// What is remembered grows neither with tasks that have ended nor with sections.
func TestSummaryIsBounded(t *testing.T) {
	s, shared := new(Summary), new(Users)
	for i := range 3 * maxRetired {
		h := new(Holder)
		hold(h, shared, op.Task(i), int64(i+1))
		if !s.Retire(h) {
			t.Fatal("the section is not remembered")
		}
	}
	if n := len(s.retired); n > 2*maxRetired || n+len(s.forgotten) != 3*maxRetired {
		t.Errorf("%d tasks are kept, %d are forgotten", n, len(s.forgotten))
	}
	if n := len(shared.users); n > maxUsers || shared.lost != int64(3*maxRetired-n) {
		t.Errorf("%d users are kept, the last one that is lost is %d", n, shared.lost)
	}
	s.forgotten = append(s.forgotten, make([]forgottenTask, maxForgotten)...)
	h := new(Holder)
	for i := range 2 * maxSpans {
		hold(h, shared, 1, int64(3*maxRetired+i+1))
	}
	if len(h.spans) > maxSpans || h.cut != h.spans[0].K-1 {
		t.Errorf("%d sections are kept, the last one that is not ends at %d", len(h.spans), h.cut)
	}
	for range 2 * maxRetired {
		s.Retire(h)
	}
	if !s.IsBlind() || len(s.forgotten) > maxForgotten {
		t.Errorf("%d tasks are forgotten", len(s.forgotten))
	}
	for range 2 * maxLeft {
		h.End(&Span{}, true)
	}
	if len(h.Left) > maxLeft || !h.Many {
		t.Errorf("%d sections are kept", len(h.Left))
	}
	if new(Summary).Retire(new(Holder)) {
		t.Error("a task without sections is kept")
	}
}
