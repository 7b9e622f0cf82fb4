package process

import (
	"fmt"
	"iter"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// tb is what *testing.T and *rapid.T have in common.
type tb interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// fakeSymbols names every address after itself. The upper half is the standard library.
type fakeSymbols struct{}

func (fakeSymbols) Function(entry uint64) string { return fmt.Sprintf("f%d", entry) }
func (fakeSymbols) Position(pcs [ring.PCs]uint64) (at string, library bool) {
	return fmt.Sprintf("a.go:%d", pcs[0]), pcs[0] >= libraryPC
}

func (f fakeSymbols) Location(pcs []uint64) op.Location { return op.LocationOf(f.Calls(pcs)) }

func (f fakeSymbols) Calls(pcs []uint64) iter.Seq[op.Call] {
	return func(yield func(op.Call) bool) {
		for _, pc := range pcs {
			if pc != 0 && !yield(op.Call{Function: f.Function(pc), At: fmt.Sprintf("a.go:%d", pc),
				Std: pc >= libraryPC}) {
				return
			}
		}
	}
}

const libraryPC = 1 << 63

// Sites of the test table; f and g have enter and exit, s is a statement.
const (
	enterF = iota
	exitF
	enterG
	exitG
	stmtS
	initSites
	notOurs
)

func testTable() *site.Table {
	return &site.Table{
		Package:      "example.com/p",
		Instrumented: site.Instrumentation{Functions: []string{"f", "g"}, Variables: []string{"x", "b"}},
		Sites: []site.Site{
			enterF: {Kind: site.Enter, Func: "f", At: "p.go:1", Vars: []site.Var{{Name: "x", Scope: site.Frame}}},
			exitF:  {Kind: site.Exit, Func: "f", At: "p.go:2", Vars: []site.Var{{Name: "r", Scope: site.Frame}}},
			enterG: {Kind: site.Enter, Func: "g", At: "p.go:3"},
			exitG:  {Kind: site.Exit, Func: "g", At: "p.go:4"},
			stmtS: {Kind: site.Stmt, Func: "f", At: "p.go:5", Vars: []site.Var{
				{Name: "x", Scope: site.Frame}, {}, {Name: "b", Scope: site.Global}}},
			initSites: {Kind: site.SharedInit, At: "p.go:6"},
			notOurs:   {},
		},
	}
}

// values codes a record's payload; nil is a variable that is not visible.
func values(vs ...any) []byte {
	var b []byte
	for _, v := range vs {
		switch v := v.(type) {
		case nil:
			b = append(b, 0)
		case int:
			b = event.AppendValue(append(b, 1), event.IntValue(int64(v)))
		case string:
			b = event.AppendValue(append(b, 1), event.StringValue(v))
		}
	}
	for len(b)%ring.PayloadPerSlot != 0 {
		b = append(b, 0)
	}
	return b
}

// run feeds the records and returns the events in a short form, one a line.
func run(t tb, p *Process, records []ring.Record) []event.Event {
	t.Helper()
	var events []event.Event
	collect := func(e *event.Event) error {
		if p.Header() == nil {
			t.Fatalf("event before the header: %s", short(e))
		}
		events = append(events, *e.Clone())
		return nil
	}
	for i := range records {
		records[i].Index = uint64(i)
		if err := p.Feed(&records[i], collect); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Finish(collect); err != nil {
		t.Fatal(err)
	}
	if got := p.Stats().Events; got != uint64(len(events)) {
		t.Fatalf("Stats.Events = %d, emitted %d", got, len(events))
	}
	return events
}

func newProcess(t tb, table *site.Table, opt Options) *Process {
	t.Helper()
	p, err := New(table, fakeSymbols{}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// short prints an event: "main.1 enter f set x=1 op lock mutex 1 at a.go:3 after main/2 with
// main.2/1".
func short(e *event.Event) string {
	var b strings.Builder
	b.WriteString(e.Task)
	word := func(what, s string) {
		if s != "" {
			b.WriteString(" " + what + " " + s)
		}
	}
	word("enter", e.Enter)
	word("exit", e.Exit)
	word("spawn", e.Spawn)
	bindings := func(what string, bs []event.Binding) {
		for _, v := range bs {
			word(what, v.Name+"="+string(valueText(v.Value)))
		}
	}
	bindings("set", e.Set)
	bindings("global", e.Global)
	bindings("write", e.Write)
	word("op", strings.TrimSpace(e.Op+" "+e.Obj))
	word("at", e.At)
	for _, r := range e.After {
		word("after", fmt.Sprintf("%s/%d", r.Task, r.K))
	}
	for _, r := range e.With {
		word("with", fmt.Sprintf("%s/%d", r.Task, r.K))
	}
	return b.String()
}

func valueText(v event.Value) string {
	switch v.Kind() {
	case event.Int:
		return fmt.Sprint(v.Int())
	case event.String:
		return v.Str()
	}
	return "?"
}

func lines(events []event.Event) []string {
	var out []string
	for i := range events {
		out = append(out, short(&events[i]))
	}
	return out
}

// order is the partial order of a trace, computed from the events alone: down[i] has
// j iff event j precedes or is event i (the sides of a joint action are each other).
type order struct {
	down []map[int]bool
	refs map[event.Ref]int
}

// orderOf also checks that causes were emitted before and that no cause follows from
// the others.
func orderOf(t tb, h *event.Header, events []event.Event) order {
	t.Helper()
	o := order{refs: map[event.Ref]int{}}
	created := map[string]int{} // spawn event, -1 for initial tasks
	for _, name := range h.Tasks {
		created[name] = -1
	}
	last := map[string]int{}
	count := map[string]int{}
	for i := range events {
		e := &events[i]
		count[e.Task]++
		o.refs[event.Ref{Task: e.Task, K: count[e.Task]}] = i
		direct := []int{}
		if j, ok := last[e.Task]; ok {
			direct = append(direct, j)
		} else if j, ok := created[e.Task]; !ok {
			t.Fatalf("event %d (%s) of a task nobody created", i, short(e))
		} else if j >= 0 {
			direct = append(direct, j)
		}
		for _, r := range e.After {
			j, ok := o.refs[r]
			if !ok {
				t.Fatalf("event %d (%s) names %v, which is not there yet", i, short(e), r)
			}
			direct = append(direct, j)
		}
		down := map[int]bool{i: true}
		for n, j := range direct {
			for m, k := range direct {
				if n != m && n >= len(direct)-len(e.After) && o.down[k][j] {
					t.Errorf("event %d (%s): its cause %d follows from %d", i, short(e), j, k)
				}
			}
			for k := range o.down[j] {
				down[k] = true
			}
		}
		o.down = append(o.down, down)
		last[e.Task] = i
		if e.Spawn != "" {
			created[e.Spawn] = i
		}
		// The second side of a joint action completes the first.
		for _, r := range e.With {
			if j, ok := o.refs[r]; ok {
				for k := range o.down[j] {
					down[k] = true
				}
				o.down[j] = down
			}
		}
	}
	return o
}

func (o order) precedes(i, j int) bool { return o.down[j][i] && !o.down[i][j] }
