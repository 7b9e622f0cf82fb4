package tlcheck_test

import (
	"cmp"
	"errors"
	"maps"
	stdslices "slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// sparse makes the sparse trace of a run from the full one, with plain sets of events:
// what only begins or ends a task is left out and what it comes after passed on. The sides of a
// joint action that are kept are a joint action.
func sparse(tr santest.Trace) santest.Trace {
	h := *tr.Header
	h.Sparse = true
	h.Tasks = append(stdslices.Clone(h.Tasks), "env")
	m := &thinner{out: santest.Trace{Header: &h}, read: map[string]int{}, kept: map[string]int{},
		known:  map[string]past{},
		before: map[event.Ref]past{}, fresh: map[string]bool{}, begun: map[string]bool{}}
	for _, t := range tr.Header.Tasks {
		m.begun[t] = true
	}
	for rest := tr.Events; len(rest) > 0; {
		n := 1
		for n < len(rest) && isSide(rest[n], rest[:n]) {
			n++
		}
		m.action(rest[:n])
		rest = rest[n:]
	}
	return m.out
}

// isSide reports whether e, which stands behind sides of an action, is the next side: the last
// one names it, and the first one stands no second time.
func isSide(e *event.Event, sides []*event.Event) bool {
	names := func(r event.Ref) bool { return r.Task == e.Task }
	return e.Task != sides[0].Task && stdslices.ContainsFunc(sides[len(sides)-1].With, names)
}

// past is a set of kept events, as they are named in the sparse trace.
type past = map[event.Ref]bool

// thinner makes a sparse trace.
type thinner struct {
	out        santest.Trace
	read, kept map[string]int     // events of each task
	known      map[string]past    // what each task comes after
	before     map[event.Ref]past // what each event of the full trace comes after
	// the task's last event entered or left a function; the task is created
	fresh, begun map[string]bool
}

// action reads an action: one event, or the sides of a joint action.
func (m *thinner) action(sides []*event.Event) {
	all := past{}
	var keep []*event.Event
	for _, e := range sides {
		maps.Copy(all, m.known[e.Task])
		for _, r := range e.After {
			maps.Copy(all, m.before[r])
		}
		shows := len(e.Set)+len(e.Global)+len(e.Write) > 0 || e.Enter != "" || e.Exit != ""
		if shows || m.fresh[e.Task] || e.Op == event.OpEnd && m.begun[e.Task] {
			keep = append(keep, e)
		}
	}
	m.keep(keep, all)
	for _, e := range keep {
		all[event.Ref{Task: e.Task, K: m.kept[e.Task]}] = true
		m.fresh[e.Task] = e.Enter != "" || e.Exit != ""
	}
	for _, e := range sides {
		m.read[e.Task]++
		m.known[e.Task], m.before[event.Ref{Task: e.Task, K: m.read[e.Task]}] = all, all
		if e.Spawn != "" {
			m.known[e.Spawn] = all
		}
	}
}

// keep writes the sides of an action that are kept, which comes after all.
func (m *thinner) keep(sides []*event.Event, all past) {
	var refs []event.Ref
	for _, e := range sides {
		if !m.begun[e.Task] {
			m.begun[e.Task] = true
			m.out.Events = append(m.out.Events, &event.Event{Task: "env", Spawn: e.Task})
		}
		m.kept[e.Task]++
		refs = append(refs, event.Ref{Task: e.Task, K: m.kept[e.Task]})
	}
	var after []event.Ref
	for r := range all {
		if !stdslices.ContainsFunc(sides, func(e *event.Event) bool { return e.Task == r.Task }) {
			after = append(after, r)
		}
	}
	stdslices.SortFunc(after, func(a, b event.Ref) int { return cmp.Or(cmp.Compare(a.Task, b.Task), a.K-b.K) })
	for i, e := range sides {
		c := e.Clone()
		c.Spawn, c.After, c.With = "", after, nil
		if len(sides) > 1 {
			c.With = []event.Ref{refs[(i+1)%len(refs)]}
		}
		m.out.Events = append(m.out.Events, c)
	}
}

// verdict enumerates.
func verdict(t *rapid.T, net *san.Net, prop *spec.Property, logic lsl.Logic) tlcheck.Verdict {
	if _, violated := first(net, table(t, net, prop.Formula, logic), prop.Initially, false); violated {
		return tlcheck.Violated
	}
	return tlcheck.Holds
}

// apart draws what sparse traces are for: two tasks are nowhere at the same time.
func apart() *rapid.Generator[spec.Formula] {
	return rapid.Custom(func(t *rapid.T) spec.Formula {
		atom := func(tiv string) spec.Formula {
			return &spec.Atom{TIV: tiv, Local: &spec.Predicate{
				Phase: rapid.SampledFrom([]spec.Phase{spec.AnyPhase, spec.StartPhase, spec.TermPhase}).Draw(t, "phase"),
				Func:  rapid.SampledFrom(words.Functions).Draw(t, "function"),
			}}
		}
		both := &spec.Nary{Op: spec.And, Xs: []spec.Formula{atom("t"), atom("u")}}
		return &spec.If{X: &spec.Not{X: both}, Conds: []spec.Cond{{Left: "t", Right: "u", Differ: true}}}
	})
}

// TestSparseSameVerdict compares sparse traces with full ones by enumeration: a property
// that Sparse accepts has the same verdict on both.
func TestSparseSameVerdict(t *testing.T) {
	words := words
	words.Present = true
	config := santest.Config{Steps: 9, Tasks: 2, Values: 25, Joints: 40, Ends: 10}
	rapid.Check(t, func(t *rapid.T) {
		tr := santest.Generate(santest.Rapid(t), config)
		full, thin := tr.MustBuild(), sparse(tr).MustBuild()
		for range 10 {
			prop := &spec.Property{Formula: rapid.OneOf(spectest.Formula(words), apart()).Draw(t, "formula")}
			prop.Initially = rapid.IntRange(0, 9).Draw(t, "initially") == 9
			logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
			if tlcheck.DecidableOnSparse(full.Header(), prop, logic) != nil {
				continue
			}
			want := verdict(t, full, prop, logic)
			if got := verdict(t, thin, prop, logic); got != want {
				t.Fatalf("%v %s: %v on the sparse trace, %v on the full one\n%s\n%s", logic, spec.Format(prop.Formula),
					got, want, tr, sparse(tr))
			}
			if r, err := tlcheck.Check(t.Context(), thin, prop, tlcheck.Options{Logic: logic}); err != nil ||
				r.Verdict != want {
				t.Fatalf("%v %s: check of the sparse trace: %v, %v, want %v", logic, spec.Format(prop.Formula), r, err,
					want)
			}
		}
	})
}

func TestSparse(t *testing.T) {
	const both = "l3 frey96"
	tests := []struct {
		formula string
		accepts string // the dialects in which it is accepted
		blames  string // the subformula that the refusal names
	}{
		{"not (t1:(in.append) and t2:(in.append)) if t1 != t2", both, ""},
		{"not (t1:(in.append and (b.last-b.first)%N<=1) and t2:(in.remove and (b.last-b.first)%N<=1))", both, ""},
		{"t:(x >= 0)", both, ""},
		{"t:(in.f -> x >= 0)", both, ""},
		{"t:(in.f) -> not u:(in.g)", both, ""},
		{"initially: not (t:(in.f) and u:(in.f))", both, ""},

		// Blank tasks violate these.
		{"t:(in.f)", "", "t:(in.f)"},
		{"t:(in.f or x > 0)", "l3 frey96", ""}, // false or undefined
		{"not t:(not in.f)", "", "not t:(not in.f)"},
		{"t:(in.f) -> u:(in.g)", "", "t:(in.f) -> u:(in.g)"},
		{"t:(in.f) -> u:(x > 0)", both, ""},
		{"t:(N > 0)", both, ""}, // true, whatever the task
		{"t:(N > 9)", "", "t:(N > 9)"},
		{"t:(x > 0) if t != u", "", "t:(x > 0) if t != u"},

		// In frey96 an undefined left side decides, and local formulas are undefined as
		// soon as a part is.
		{"t:(x > 0) and t:(in.f)", "frey96", "t:(x > 0) and t:(in.f)"},
		{"t:(in.f) and t:(x > 0)", "", "t:(in.f) and t:(x > 0)"},
		{"t:(in.f and x > 0)", "frey96", "t:(in.f and x > 0)"},

		// Quantifiers.
		{"forall t (t:(x > 0))", both, ""},
		{"forall t (t:(in.f))", "", "forall t (t:(in.f))"},
		{"not exists t (t:(in.f))", both, ""},
		{"exists t (t:(in.f))", both, ""},
		{"exists t (t:(not in.f))", "", "exists t (t:(not in.f))"},
		{"u:(in.f) -> exists t (t:(in.g))", both, ""},
		{"forall t (not t:(in.f) if t != u)", "", "forall t (not t:(in.f) if t != u)"},
		{"u:(in.f) -> forall t (not t:(in.f) if t != u)", both, ""},
		{"t:(x > 0) and forall t (not t:(in.f))", "frey96", "t:(x > 0) and forall t (not t:(in.f))"},
		// two different t
		{"t:(in.f) or forall t (not t:(in.f))", "", "t:(in.f) or forall t (not t:(in.f))"},

		// Other slices, other tasks' origin, other tasks' writes.
		{"always t:(x > 0)", "", "always t:(x > 0)"},
		{"t:(in.f) -> all_next t:(in.g)", "", "all_next t:(in.g)"},
		{"not (t:(in.f) before u:(in.g))", "", "t:(in.f) before u:(in.g)"},
		{"not (t:(in.f) and u:(in.f)) if t == caller(u)", "", "not (t:(in.f) and u:(in.f)) if t == caller(u)"},
		{"not t:(in.f and s.x > 0)", "", "t:(in.f and s.x > 0)"},
	}
	h := &event.Header{Tasks: []string{"main"}, Consts: []event.Binding{{Name: "N", Value: event.IntValue(5)}},
		Shared: []event.Binding{{Name: "s", Value: event.NullValue()}}}
	for _, test := range tests {
		for _, logic := range []lsl.Logic{lsl.L3, lsl.Frey96} {
			prop := property(t, test.formula)
			err := tlcheck.DecidableOnSparse(h, prop, logic)
			if strings.Contains(test.accepts, logic.String()) {
				if err != nil {
					t.Errorf("%v: %s: %v", logic, test.formula, err)
				}
				continue
			}
			var refused *tlcheck.UnsupportedError
			if !errors.As(err, &refused) {
				t.Errorf("%v: %s: accepted", logic, test.formula)
				continue
			}
			if got := spec.Format(refused.Formula); got != test.blames ||
				!strings.Contains(err.Error(), "record the run again") {
				t.Errorf("%v: %s: blames %s: %v", logic, test.formula, got, err)
			}
		}
	}
}

// TestSparseRefusalsAreNeeded shows what else would get another verdict: main enters f,
// does something, and starts a, which is in f and writes, and b, which stays blank.
func TestSparseRefusalsAreNeeded(t *testing.T) {
	run := santest.Trace{
		Header: &event.Header{Tasks: []string{"main"}, Shared: []event.Binding{{Name: "z", Value: event.IntValue(0)}}},
		Events: []*event.Event{
			{Task: "main", Enter: "f"},
			{Task: "main", Op: "lock"},
			{Task: "main", Spawn: "a"},
			{Task: "main", Spawn: "b"},
			{Task: "a", Enter: "f", Write: []event.Binding{{Name: "z", Value: event.IntValue(1)}}},
			{Task: "a", Exit: "f"},
		},
	}
	full, thin := run.MustBuild(), sparse(run)
	thin.Header.Sparse = false // or Check refuses
	for _, formula := range []string{
		"not (t:(start.f) and next^5 u:(term.f))",
		"not (t:(in.f) and u:(in.f)) if t == caller(u)",
		"not t:(in.f and not start.f and z == 0)",
	} {
		prop := property(t, formula)
		if tlcheck.DecidableOnSparse(full.Header(), prop, lsl.L3) == nil {
			t.Errorf("%s: accepted", formula)
		}
		for net, want := range map[*san.Net]tlcheck.Verdict{full: tlcheck.Violated, thin.MustBuild(): tlcheck.Holds} {
			if r, err := tlcheck.Check(t.Context(), net, prop, tlcheck.Options{}); err != nil || r.Verdict != want {
				t.Errorf("%s: %v, %v, want %v", formula, r.Verdict, err, want)
			}
		}
	}
}

// TestCheckRefusesSparse: the header alone makes Check refuse a property.
func TestCheckRefusesSparse(t *testing.T) {
	const events = `
		{"t":"env","spawn":"main.1"}
		{"t":"main.1","enter":"f"}`
	prop := property(t, "always t:(x > 0)")
	net := santest.Read(t, `{"antichain":1,"tasks":["main","env"]}`+events)
	if _, err := tlcheck.Check(t.Context(), net, prop, tlcheck.Options{}); err != nil {
		t.Errorf("a full trace: %v", err)
	}
	net = santest.Read(t, `{"antichain":1,"tasks":["main","env"],"sparse":true}`+events)
	_, err := tlcheck.Check(t.Context(), net, prop, tlcheck.Options{})
	var refused *tlcheck.UnsupportedError
	if !errors.As(err, &refused) {
		t.Errorf("a sparse trace: %v", err)
	}
}
