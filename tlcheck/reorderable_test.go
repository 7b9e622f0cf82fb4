package tlcheck_test

import (
	"fmt"
	"math/rand"
	stdslices "slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// compared counts what checks were compared with enumeration. One that differs ends the test, so
// these all agree.
type compared struct {
	verdicts   int // of a net and a formula
	violations int
	reordered  int // of these, in no state that keeps the order of the run's sections
}

// compare compares the first violation of a formula without temporal operators, and of such that
// say the same with them, in the states that respect mutual exclusion with what enumeration and a
// replay of each state give.
func (c *compared) compare(t *rapid.T, net *san.Net, f spec.Formula) {
	rows := stdslices.DeleteFunc(table(t, net, f, lsl.L3),
		func(r row) bool { return !santest.Excludes(net, r.slice.Has) })
	want, violated := first(net, rows, false, false)
	for _, formula := range []spec.Formula{f, &spec.Future{Op: spec.Henceforth, X: f},
		&spec.Not{X: &spec.Future{Op: spec.Eventually, X: &spec.Not{X: f}}}} {
		p, err := tlcheck.Reorderable(&spec.Property{Formula: formula})
		if err != nil {
			t.Fatal(err)
		}
		open := rapid.SampledFrom([]string{"", "nothing is recorded of what is read"}).Draw(t, "open")
		r, err := tlcheck.Check(t.Context(), net, p, tlcheck.Options{Sections: true, Open: open})
		if err != nil {
			t.Fatal(err)
		}
		if (r.Verdict == tlcheck.Violated) != violated || violated && !r.Witness.Slice.Equal(want.slice) {
			t.Fatalf("%s: %v, %+v; want %v, %v", spec.Format(formula), r.Verdict, r.Witness, violated, want.slice)
		}
		if violated && len(r.Witness.Schedule) != want.slice.Size() {
			t.Fatalf("schedule %v of %v", r.Witness.Schedule, want.slice)
		}
		if violated && r.Witness.Reordered && (r.How() == builtin.Reordered) != (open != "") && !r.Witness.Happened {
			t.Fatal(r.How(), open)
		}
	}
	c.count(net, rows, violated)
}

// count counts a formula with its rows in the states that respect mutual exclusion.
func (c *compared) count(net *san.Net, rows []row, violated bool) {
	c.verdicts++
	if !violated {
		return
	}
	c.violations++
	sections := slices.NewSections(slices.NewLattice(net))
	if !stdslices.ContainsFunc(rows, func(r row) bool { return r.value == lsl.False && sections.InRunOrder(r.slice) }) {
		c.reordered++
	}
}

// log says with -v how much was compared.
func (c *compared) log(t *testing.T) {
	t.Logf("%d verdicts agree; %d are violations, %d of these only in states that do not keep the order of sections",
		c.verdicts, c.violations, c.reordered)
}

// TestSectionsAgainstEnumeration compares random formulas in random nets. rapid prefers
// small ones.
func TestSectionsAgainstEnumeration(t *testing.T) {
	var c compared
	defer c.log(t)
	rapid.Check(t, func(t *rapid.T) {
		src := santest.Rapid(t)
		tr := santest.WithLocks(src,
			santest.Generate(src, santest.Config{Tasks: 3, Spawns: 1, Steps: 14, Joints: 5, Causes: 8, Ends: -1}))
		net := tr.MustBuild()
		for range 10 {
			c.compare(t, net, local(t))
		}
	})
}

// TestReorderedAgainstEnumeration compares formulas that distinguish the states of tasks, in nets
// with many sections: some are violated only in states that do not keep the order of sections.
func TestReorderedAgainstEnumeration(t *testing.T) {
	var c compared
	defer c.log(t)
	rapid.Check(t, func(t *rapid.T) {
		src := rand.New(rand.NewSource(rapid.Int64().Draw(t, "net")))
		tr := numbered(withSections(src, 2+src.Intn(2), 40))
		net := tr.MustBuild()
		atom := func() string {
			k := src.Intn(len(tr.Events) + 1)
			return append(stdslices.Repeat([]string{fmt.Sprintf("k == %d", k)}, 6), "in.f", fmt.Sprintf("k >= %d", k),
				fmt.Sprintf("k <= %d", k))[src.Intn(9)]
		}
		c.compare(t, net, property(t, "not (a:("+atom()+") and b:("+atom()+")) if a != b").Formula)
		c.compare(t, net, local(t))
	})
	if c.verdicts > 10_000 && c.reordered == 0 {
		t.Error("nothing was violated only in states that do not keep the order of sections")
	}
}

// withSections returns a trace of tasks that enter f and g in critical sections of two locks, for
// reading or writing, and sometimes outside of any or beyond their end.
func withSections(src santest.Source, tasks, steps int) santest.Trace {
	type place struct {
		lock, function string
		reads          bool
	}
	h := &event.Header{Version: 2}
	at := map[string]*place{}
	for i := range tasks {
		name := string(rune('a' + i))
		h.Tasks, at[name] = append(h.Tasks, name), new(place)
	}
	tr := santest.Trace{Header: h}
	for range src.Intn(steps + 1) {
		task := h.Tasks[src.Intn(tasks)]
		p, e := at[task], &event.Event{Task: task}
		lock := []string{"m", "m", "m", "n"}[src.Intn(4)]
		free, read := true, true
		for _, other := range at {
			free = free && other.lock != lock
			read = read && (other.lock != lock || other.reads)
		}
		switch src.Intn(3) {
		case 0:
			switch {
			case p.function == "" && p.lock == "" && src.Intn(8) > 0:
			case p.function == "":
				p.function = []string{"f", "g"}[src.Intn(2)]
				e.Enter = p.function
			default:
				e.Exit, p.function = p.function, ""
			}
		case 1:
			switch {
			case p.lock == "" && free && src.Intn(2) == 0:
				e.Op, e.Obj, p.lock, p.reads = "lock", lock, lock, false
			case p.lock == "" && read:
				e.Op, e.Obj, p.lock, p.reads = "rlock", lock, lock, true
			}
		default:
			if p.lock == "" || p.function != "" && src.Intn(4) > 0 {
				break
			}
			e.Op, e.Obj = "unlock", p.lock
			if p.reads {
				e.Op = "runlock"
			}
			p.lock = ""
		}
		tr.Events = append(tr.Events, e)
	}
	return tr
}

// numbered lets k be the number of a task's last event in the run.
func numbered(tr santest.Trace) santest.Trace {
	tr.Header.Consts = append(tr.Header.Consts, event.Binding{Name: "k", Value: event.IntValue(0)})
	for i, e := range tr.Events {
		e.Global = append(e.Global, event.Binding{Name: "k", Value: event.IntValue(int64(i + 1))})
	}
	return tr
}

// TestGuarded compares properties of pairs of tasks, which a lock may keep apart, or several one
// after the other, with enumeration.
func TestGuarded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := santest.Rapid(t)
		tr := withSections(src, 4, 24)
		if len(tr.Events) > 0 && rapid.Bool().Draw(t, "meet") {
			meet(tr, src.Intn(len(tr.Events)))
		}
		net := tr.MustBuild()
		for range 4 {
			atoms := rapid.SampledFrom([]string{"in.f", "in.g", "in.f and not in.g", "in.f or in.g"})
			text := "not (a:(" + atoms.Draw(t, "first") + ") and b:(" + atoms.Draw(t, "second") + "))"
			if rapid.Bool().Draw(t, "differ") {
				text += " if a != b"
			}
			f := property(t, text).Formula
			rows := stdslices.DeleteFunc(table(t, net, f, lsl.L3),
				func(r row) bool { return !santest.Excludes(net, r.slice.Has) })
			want, violated := first(net, rows, false, false)
			r, err := tlcheck.Check(t.Context(), net, &spec.Property{Formula: f}, tlcheck.Options{Sections: true})
			if err != nil {
				t.Fatal(err)
			}
			if (r.Verdict == tlcheck.Violated) != violated || violated && !r.Witness.Slice.Equal(want.slice) {
				t.Fatalf("%s: %v, %+v; want %v, %v", text, r.Verdict, r.Witness, violated, want.slice)
			}
		}
	})
}

// meet lets the events from one on come after all of other tasks before it.
func meet(tr santest.Trace, from int) {
	count := map[string]int{}
	for _, e := range tr.Events[:from] {
		count[e.Task]++
	}
	for _, e := range tr.Events[from:] {
		for task, k := range count {
			if task != e.Task {
				e.After = append(e.After, event.Ref{Task: task, K: k})
			}
		}
	}
}

// local draws a formula without temporal operators.
func local(t *rapid.T) spec.Formula {
	present := words
	present.Present = true
	return spectest.Formula(present).Draw(t, "formula")
}

// TestReorderable refuses what can look from one state to another one.
func TestReorderable(t *testing.T) {
	for text, ok := range map[string]bool{
		"not (a:(in.f) and b:(in.g)) if a != b":         true,
		"forall a (exists b (a:(in.f) -> b:(in.g)))":    true,
		"henceforth a:(in.f)":                           true,
		"not eventually (a:(in.f) and b:(in.g))":        true,
		"eventually a:(in.f)":                           false,
		"always a:(in.f)":                               false,
		"henceforth (a:(in.f) -> next a:(in.g))":        false,
		"exists a (a:(in.f) before b:(in.g))":           false,
		"a:(in.f) -> sometime a:(in.g)":                 false,
		"not (a:(in.f) and not eventually b:(in.g))":    false,
		"(henceforth a:(in.f)) and henceforth b:(in.g)": false,
	} {
		if _, err := tlcheck.Reorderable(property(t, text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}
