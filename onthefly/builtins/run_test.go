package builtins

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// Findings name the program where the run may have several, also when another checker goes on from
// a snapshot.
func TestPrograms(t *testing.T) {
	sources := []struct{ key, where, program, want string }{
		{"1", "web.trace", "", "web.trace"},
		{"2", "db.trace", "example.com/db", "example.com/db (db.trace)"},
		{"3", "", "example.com/alone", ""},
	}
	run := &Run[string]{Config: config}
	for _, s := range sources {
		h := &event.Header{Version: 2, Program: s.program, Tasks: []string{"main"}, Operations: &event.Operations{}}
		run.Enter(s.key, s.where, h)
	}
	w := snapshot.NewWriter()
	run.Snapshot(w, w.String)
	restored := &Run[string]{Config: config}
	r := snapshot.NewReader(w.Bytes())
	if restored.Snapshot(r, r.String); r.End() != nil {
		t.Fatal(r.End())
	}
	for _, run := range []*Run[string]{run, restored} {
		var certain, want []string
		for _, s := range sources {
			p := &program{}
			p.add(ring.KindStarted, 1, 0, 0, 0)
			p.add(ring.KindMakeChan, 1, 0x3000, 0, 0)
			p.add(ring.KindClose, 1, 0x3000, 0, 0)
			p.add(ring.KindMisuse, 1, 0x3000, 0x3000, ring.MisuseSendClosed)
			p.add(ring.KindGo, 1, 2, 0x500, 0)
			for _, e := range p.events {
				run.Add(s.key, e)
			}
			want = append(want, s.want)
		}
		if certain = programs(run.Certain()); !slices.Equal(certain, want) {
			t.Errorf("certain of %q, want %q", certain, want)
		}
		for _, s := range sources {
			p := &program{index: 100}
			p.add(ring.KindBlock, 2, 0x2000, 0x2000, ring.OpLock)
			p.add(ring.KindBlock, 1, 0, 0, ring.OpRecv)
			for _, e := range p.events {
				run.Add(s.key, e)
			}
		}
		if atEnd := programs(run.Results("")); !slices.Equal(slices.Compact(atEnd), want) {
			t.Errorf("at the end of %q, want %q", atEnd, want)
		}
	}
}

// programs returns those that findings are about.
func programs(results []*tlcheck.Result) (all []string) {
	for _, r := range results {
		if r.Finding != nil {
			all = append(all, r.Program)
		}
	}
	return all
}
