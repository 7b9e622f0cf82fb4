package builtins

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/snapshot"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ring"
)

var config = Config{Properties: builtin.Properties, MustFinish: []string{"never"}}

func told(t interface{ Fatal(...any) }, results []*tlcheck.Result) string {
	var out bytes.Buffer
	for _, r := range results {
		if err := report.WriteJSON(&out, "trace", r); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// program makes up records of a program.
type program struct {
	events     []*event.Event
	goroutines []uint64
	held       map[uint64][]uint64
	owner      map[uint64]uint64
	waits      map[uint64]uint64 // for mutexes
	closed     map[uint64]bool
	index      uint64
}

func (p *program) add(kind ring.Kind, ctx, addr, aux, arg uint64) {
	p.index++
	r := new(event.Record)
	r.Index, r.Kind, r.Ctx, r.Addr, r.Aux, r.Arg = p.index, kind, ctx, addr, aux, arg
	r.PC[0] = ctx%3*100 + addr%7 + 1
	p.events = append(p.events, &event.Event{Record: r})
}

func (p *program) lock(g, m uint64) {
	p.add(ring.KindAcquire, g, m, m, ring.OpLock)
	p.owner[m] = g
	p.held[g] = append(p.held[g], m)
}

func drawProgram(t *rapid.T) *program {
	p := &program{goroutines: []uint64{1}, held: map[uint64][]uint64{}, owner: map[uint64]uint64{}, waits: map[uint64]uint64{}, closed: map[uint64]bool{}}
	p.add(ring.KindStarted, 1, 0, 0, 0)
	for _, c := range []uint64{0x3000, 0x3100} {
		p.add(ring.KindMakeChan, 1, c, 4, 0)
	}
	sent, received := map[uint64]uint64{}, map[uint64]uint64{}
	for range rapid.IntRange(1, 60).Draw(t, "steps") {
		g := rapid.SampledFrom(p.goroutines).Draw(t, "goroutine")
		if m := p.waits[g]; m != 0 {
			if p.owner[m] == 0 {
				p.waits[g] = 0
				p.lock(g, m)
			}
			continue
		}
		switch rapid.IntRange(0, 6).Draw(t, "does") {
		case 0:
			n := uint64(len(p.goroutines) + 1)
			p.add(ring.KindGo, g, n, 0x500, 0)
			p.goroutines = append(p.goroutines, n)
		case 1, 2:
			switch m := rapid.SampledFrom([]uint64{0x1000, 0x1008, 0x1010}).Draw(t, "mutex"); p.owner[m] {
			case 0:
				p.lock(g, m)
			case g:
			default:
				p.add(ring.KindBlock, g, m, m, ring.OpLock)
				p.waits[g] = m
			}
		case 3:
			if held := p.held[g]; len(held) > 0 {
				m := held[len(held)-1]
				p.held[g], p.owner[m] = held[:len(held)-1], 0
				p.add(ring.KindRelease, g, m, m, ring.OpUnlock)
			}
		case 4:
			c := rapid.SampledFrom([]uint64{0x3000, 0x3100}).Draw(t, "channel")
			switch {
			case p.closed[c]:
				p.add(ring.KindMisuse, g, c, c, ring.MisuseSendClosed)
			case sent[c]-received[c] < 4:
				p.add(ring.KindSend, g, c, sent[c]%4, 0)
				sent[c]++
			default:
				p.add(ring.KindRecv, g, c, received[c]%4, 0)
				received[c]++
			}
		case 5:
			if c := uint64(0x3000); !p.closed[c] {
				p.add(ring.KindClose, g, c, 0, 0)
				p.closed[c] = true
			}
		case 6:
			wg := uint64(0x2000)
			if rapid.Bool().Draw(t, "add") {
				p.add(ring.KindMark, g, wg, wg, ring.OpAdd|1<<ring.OpShift)
			} else {
				p.add(ring.KindBlock, g, wg, wg, ring.OpWait)
			}
		}
	}
	return p
}

// A checker that was written in the middle of a run and read by another one gives the same results.
func TestSnapshot(t *testing.T) {
	found := 0
	h := &event.Header{Version: 2, Tasks: []string{"main"}, Operations: &event.Operations{Accesses: true}}
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		newChecker := func() *Checker {
			k := New(h, config)
			return k
		}
		whole, k := newChecker(), newChecker()
		at := rapid.SliceOfN(rapid.IntRange(0, len(p.events)), 1, 3).Draw(t, "snapshots")
		for i, e := range p.events {
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
		want := told(t, whole.Results(""))
		if d := cmp.Diff(want, told(t, k.Results(""))); d != "" {
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
		for _, e := range drawProgram(t).events {
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
		for _, line := range strings.Split(strings.TrimSpace(told(t, k.Results(""))), "\n") {
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
