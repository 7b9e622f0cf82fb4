package tlcheck_test

import (
	"cmp"
	"errors"
	"maps"
	stdslices "slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/san/santest"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tlcheck/spec/spectest"
	"github.com/antichain-go/antichain/tracer/event"
)

// sparse makes the sparse trace of a run from the full one, with plain sets of events:
// what only begins or ends a task is left out and what it comes after passed on. There
// are no joint actions in the trace.
func sparse(tr santest.Trace) santest.Trace {
	h := *tr.Header
	h.Sparse = true
	h.Tasks = append(stdslices.Clone(h.Tasks), "env")
	out := santest.Trace{Header: &h}

	type past = map[event.Ref]bool // kept events, as they are named in the sparse trace
	read, kept := map[string]int{}, map[string]int{}
	known, before := map[string]past{}, map[event.Ref]past{}
	fresh, begun := map[string]bool{}, map[string]bool{}
	for _, t := range tr.Header.Tasks {
		known[t], begun[t] = past{}, true
	}
	for _, e := range tr.Events {
		p := known[e.Task]
		for _, r := range e.After {
			maps.Copy(p, before[r])
		}
		shows := len(e.Set)+len(e.Global)+len(e.Write) > 0 || e.Enter != "" || e.Exit != ""
		if shows || fresh[e.Task] || e.Op == event.OpEnd && begun[e.Task] {
			if !begun[e.Task] {
				begun[e.Task] = true
				out.Events = append(out.Events, &event.Event{Task: "env", Spawn: e.Task})
			}
			c := e.Clone()
			c.Spawn, c.After = "", nil
			for r := range p {
				if r.Task != e.Task {
					c.After = append(c.After, r)
				}
			}
			stdslices.SortFunc(c.After, func(a, b event.Ref) int { return cmp.Or(cmp.Compare(a.Task, b.Task), a.K-b.K) })
			out.Events = append(out.Events, c)
			kept[e.Task]++
			p[event.Ref{Task: e.Task, K: kept[e.Task]}] = true
			fresh[e.Task] = e.Enter != "" || e.Exit != ""
		}
		read[e.Task]++
		before[event.Ref{Task: e.Task, K: read[e.Task]}] = maps.Clone(p)
		if e.Spawn != "" {
			known[e.Spawn] = maps.Clone(p)
		}
	}
	return out
}

// verdict enumerates.
func verdict(t *rapid.T, net *san.Net, prop *spec.Property, logic lsl.Logic) tlcheck.Verdict {
	if _, violated := first(net, table(t, net, prop.Formula, logic), prop.Initially, false); violated {
		return tlcheck.Violated
	}
	return tlcheck.Holds
}

// TestSparseSameVerdict compares sparse traces with full ones by enumeration: a property
// that Sparse accepts has the same verdict on both.
func TestSparseSameVerdict(t *testing.T) {
	words := words
	words.Present = true
	config := santest.Config{Steps: 9, Tasks: 2, Values: 25, Joints: -1, Ends: 10}
	rapid.Check(t, func(t *rapid.T) {
		tr := santest.Generate(santest.Rapid(t), config)
		full, thin := tr.MustBuild(), sparse(tr).MustBuild()
		for range 10 {
			prop := &spec.Property{Formula: spectest.Formula(words).Draw(t, "formula"), Initially: rapid.Bool().Draw(t, "initially")}
			logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
			if tlcheck.Sparse(full.Header(), prop, logic) != nil {
				continue
			}
			want := verdict(t, full, prop, logic)
			if got := verdict(t, thin, prop, logic); got != want {
				t.Fatalf("%v %s: %v on the sparse trace, %v on the full one\n%s\n%s", logic, spec.Format(prop.Formula), got, want, tr, sparse(tr))
			}
			if r, err := tlcheck.Check(t.Context(), thin, prop, tlcheck.Options{Logic: logic}); err != nil || r.Verdict != want {
				t.Fatalf("%v %s: check of the sparse trace: %v, %v, want %v", logic, spec.Format(prop.Formula), r, err, want)
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
		{"t:(in.f) or forall t (not t:(in.f))", "", "t:(in.f) or forall t (not t:(in.f))"}, // two different t

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
			err := tlcheck.Sparse(h, prop, logic)
			if strings.Contains(test.accepts, logic.String()) {
				if err != nil {
					t.Errorf("%v: %s: %v", logic, test.formula, err)
				}
				continue
			}
			var refused *tlcheck.RefusedError
			if !errors.As(err, &refused) {
				t.Errorf("%v: %s: accepted", logic, test.formula)
				continue
			}
			if got := spec.Format(refused.Formula); got != test.blames || !strings.Contains(err.Error(), "record the run again") {
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
		if tlcheck.Sparse(full.Header(), prop, lsl.L3) == nil {
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
	var refused *tlcheck.RefusedError
	if !errors.As(err, &refused) {
		t.Errorf("a sparse trace: %v", err)
	}
}
