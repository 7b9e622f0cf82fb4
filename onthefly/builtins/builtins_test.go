package builtins

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/recordtest"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

var config = Config{Properties: builtin.Properties, MustFinish: []string{"never"}}

func textOf(t interface{ Fatal(...any) }, results []*tlcheck.Result) string {
	var out bytes.Buffer
	for _, r := range results {
		if err := report.WriteJSON(&out, "trace", r, report.Source{}); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// program makes up records of a program.
type program struct {
	events []*event.Event
	index  uint64
}

func (p *program) add(kind event.RecordKind, ctx, addr, aux, arg uint64) {
	p.index++
	r := new(event.Record)
	r.Index, r.Kind, r.Ctx, r.Addr, r.Aux, r.Arg = p.index, kind, ctx, addr, aux, arg
	r.PC[0] = ctx%3*100 + addr%7 + 1
	p.events = append(p.events, &event.Event{Record: r})
}

// drawEvents returns what a trace has of a run that is made up, with the places in its source.
func drawEvents(t *rapid.T) []*event.Event {
	var events []*event.Event
	described := map[uint64]bool{0: true}
	for _, rec := range recordtest.Draw(t) {
		for _, pc := range rec.PC {
			if !described[pc] {
				described[pc] = true
				events = append(events, &event.Event{Code: &event.Code{PC: pc, Calls: []op.Call{{Function: "f", At: fmt.Sprintf("a.go:%d", pc)}}}})
			}
		}
		recorded := process.TraceRecord(&rec)
		events = append(events, &event.Event{Record: &recorded})
	}
	return events
}

// A checker that was written in the middle of a run and read by another one gives the same results.
func TestSnapshot(t *testing.T) {
	found := 0
	h := &event.Header{Version: 2, Tasks: []string{"main"}, Operations: &event.Operations{Accesses: true}}
	rapid.Check(t, func(t *rapid.T) {
		events := drawEvents(t)
		newChecker := func() *Checker {
			k := New(h, config)
			return k
		}
		whole, k := newChecker(), newChecker()
		at := rapid.SliceOfN(rapid.IntRange(0, len(events)), 1, 3).Draw(t, "snapshots")
		for i, e := range events {
			for _, n := range at {
				if n == i {
					w := snapshot.NewWriter()
					k.Snapshot(w)
					k = newChecker()
					r := snapshot.NewReader(w.Bytes())
					if k.Snapshot(r); r.End() != nil {
						t.Fatal(r.End())
					}
				}
			}
			whole.Add(e.Clone())
			k.Add(e)
		}
		want := textOf(t, whole.Results(""))
		if d := cmp.Diff(want, textOf(t, k.Results(""))); d != "" {
			t.Fatal(d)
		}
		found += strings.Count(want, `"how"`)
	})
	if found == 0 && !testing.Short() {
		t.Error("nothing was found in any program")
	}
}

// A damaged snapshot is an error, and takes no more memory than it has bytes.
func TestDamagedSnapshot(t *testing.T) {
	h := &event.Header{Version: 2, Tasks: []string{"main"}, Operations: &event.Operations{}}
	rapid.Check(t, func(t *rapid.T) {
		k := New(h, config)
		for _, e := range drawEvents(t) {
			k.Add(e)
		}
		w := snapshot.NewWriter()
		k.Snapshot(w)
		data := bytes.Clone(w.Bytes())
		data = data[:rapid.IntRange(0, len(data)).Draw(t, "length")]
		for range rapid.IntRange(0, 3).Draw(t, "flips") {
			if len(data) > 0 {
				data[rapid.IntRange(0, len(data)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			}
		}
		other := New(h, config)
		r := snapshot.NewReader(data)
		other.Snapshot(r)
		_ = r.End()
	})
}

// What a trace has not is said of properties that are asked for by name.
func TestMissing(t *testing.T) {
	for name, c := range map[string]struct {
		operations *event.Operations
		named      bool
		want       []string
	}{
		"nothing":         {nil, false, nil},
		"nothing, named":  {nil, true, []string{"deadlock unknown recorded without operations", "race unknown recorded without operations"}},
		"no access":       {&event.Operations{}, false, []string{"deadlock holds "}},
		"no access named": {&event.Operations{}, true, []string{"deadlock holds ", "race unknown recorded without memory accesses"}},
		"all":             {&event.Operations{Accesses: true}, false, []string{"deadlock holds ", "race holds "}},
	} {
		k := New(&event.Header{Version: 2, Tasks: []string{"main"}, Operations: c.operations},
			Config{Properties: []builtin.Property{builtin.Deadlock, builtin.Race, builtin.Leak}, Named: c.named})
		var got []string
		for _, line := range strings.Split(strings.TrimSpace(textOf(t, k.Results(""))), "\n") {
			if line == "" {
				continue
			}
			var o report.BuiltinObject
			if err := json.Unmarshal([]byte(line), &o); err != nil {
				t.Fatal(err)
			}
			got = append(got, o.Builtin+" "+o.Verdict+" "+o.Covered)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
