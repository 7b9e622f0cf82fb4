package workload_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/explicit"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// each runs f as a test for every pattern and variant.
func each(t *testing.T, tasks, events int, f func(*testing.T, workload.Config)) {
	for _, p := range workload.Patterns() {
		for _, v := range []workload.Variant{workload.Holds, workload.Violated} {
			c := workload.Config{Pattern: p, Variant: v, Tasks: tasks, Events: events, Buffer: true}
			t.Run(c.String(), func(t *testing.T) { f(t, c) })
		}
	}
}

func build(t testing.TB, c workload.Config) *san.Net {
	t.Helper()
	net, err := c.Net()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func formula(t testing.TB, text string) *spec.Property {
	t.Helper()
	p, err := spec.ParseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func check(t testing.TB, net *san.Net, text string) *tlcheck.Result {
	t.Helper()
	r, err := tlcheck.Check(t.Context(), net, formula(t, text), tlcheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestVerdicts checks every formula on runs of every kind; where it is violated, the run did
// not pass the witness.
func TestVerdicts(t *testing.T) {
	for _, size := range [][2]int{{3, 10}, {3, 20}, {4, 20}, {5, 50}} {
		each(t, size[0], size[1], func(t *testing.T, c workload.Config) {
			for c.Seed = range 5 {
				net := build(t, c)
				for _, f := range workload.Formulas() {
					text, ok := f.Text(c)
					if !ok {
						continue
					}
					r := check(t, net, text)
					switch {
					case r.Verdict.String() != c.Variant.String():
						t.Errorf("seed %d: %s: %v %s", c.Seed, text, r.Verdict, r.Covered)
					case r.Witness != nil && r.Witness.Happened:
						t.Errorf("seed %d: %s: the run passed the witness", c.Seed, text)
					}
				}
			}
		})
	}
}

// TestRounds checks formulas that rest on all rounds of a long run, or on the first one.
func TestRounds(t *testing.T) {
	each(t, 3, 400, func(t *testing.T, c workload.Config) {
		for c.Seed = range 5 {
			net := build(t, c)
			for _, f := range workload.Formulas() {
				text, ok := f.Text(c)
				if !ok || f.Name != "before, initially" && f.Name != "exclusion of 2" {
					continue
				}
				if r := check(t, net, text); r.Verdict.String() != c.Variant.String() {
					t.Errorf("seed %d: %s: %v %s", c.Seed, text, r.Verdict, r.Covered)
				}
			}
		}
	})
}

// TestByEnumeration says the same without the checker: a formula that holds is false in no
// slice, a violated one in some, but in none that the run passed.
func TestByEnumeration(t *testing.T) {
	each(t, 3, workload.MinEvents, enumerate)
	each(t, 2, workload.FullEvents, enumerate)
}

func enumerate(t *testing.T, c workload.Config) {
	net := build(t, c)
	e, err := explicit.New(t.Context(), net, lsl.L3, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	passed := passedBy(t, c, net)
	for _, f := range workload.Formulas() {
		text, ok := f.Text(c)
		if !ok {
			continue
		}
		p, violated := formula(t, text), false
		for _, tiva := range assignments(spec.TIVs(p.Formula), net.Tasks()) {
			values, err := e.Values(t.Context(), p.Formula, tiva)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range values {
				if v != lsl.False || p.Initially && i != 0 {
					continue
				}
				violated = true
				if passed[fmt.Sprint(e.Slice(i))] {
					t.Fatalf("%s is false in %v for %v, where the run was", text, e.Slice(i), tiva)
				}
			}
		}
		if violated != (c.Variant == workload.Violated) {
			t.Errorf("%s: violated %v", text, violated)
		}
	}
}

// passedBy returns the slices that the run passed.
func passedBy(t *testing.T, c workload.Config, net *san.Net) map[string]bool {
	counts := make([]int32, net.Tasks())
	passed := map[string]bool{fmt.Sprint(counts): true}
	err := c.Each(func(e *event.Event) error {
		task, _ := net.Lookup(e.Task)
		counts[task]++
		passed[fmt.Sprint(counts)] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return passed
}

func assignments(tivs []string, tasks int) []explicit.TIVA {
	all := []explicit.TIVA{{}}
	for _, tiv := range tivs {
		var longer []explicit.TIVA
		for _, tiva := range all {
			for task := range san.Task(tasks) {
				next := explicit.TIVA{tiv: task}
				for other, is := range tiva {
					next[other] = is
				}
				longer = append(longer, next)
			}
		}
		all = longer
	}
	return all
}

// TestRates counts the local states in which each atom is true, and calls that match one.
func TestRates(t *testing.T) {
	for _, events := range []int{10, 20, 50, 200, 2000} {
		each(t, 8, events, func(t *testing.T, c workload.Config) {
			net := build(t, c)
			atoms := []string{"a", "b", "c", "d", "in.append and (q.last-q.first)%N <= 1",
				"in.remove and (q.last-q.first)%N <= 1"}
			if events >= workload.FullEvents {
				atoms = append(atoms, "e")
			}
			for _, atom := range atoms {
				f := lsl.Compile(net, formula(t, "t:("+atom+")").Formula.(*spec.Atom).Local, lsl.L3)
				for task := range san.Task(net.Tasks()) {
					count := 0
					w := net.Walk(task)
					for ok := true; ok; ok = w.Next() {
						if f.Eval(w.State(), new(lsl.Log)) == lsl.True {
							count++
						}
					}
					if rate := float64(count) / float64(events+1); rate < 0.1 || rate > 0.5 {
						t.Errorf("%s is true in %.0f%% of the states of %s", atom, 100*rate, net.Name(task))
					}
				}
			}
		})
	}
}

// TestNotVacuous looks for what the formulas speak about: that a is left and c reached, and
// that this can happen in one run.
func TestNotVacuous(t *testing.T) {
	each(t, 4, 50, func(t *testing.T, c workload.Config) {
		net := build(t, c)
		for _, text := range []string{
			"not t:(a)", "not t:(b)", "not t:(c)", "not t:(d)", "not t:(e)",
			"t1:(a) -> not sometime t2:(c)", "t1:(a) -> not sometime t2:(not b)",
			"t1:(a) -> always t2:(d)", "t1:(a) -> t2:(b)",
		} {
			if strings.HasSuffix(text, "t2:(b)") && c.Variant == workload.Holds && c.Pattern != workload.Independent {
				continue // the barriers keep everybody in b
			}
			if r := check(t, net, text); r.Verdict != tlcheck.Violated {
				t.Errorf("%s: %v", text, r.Verdict)
			}
		}
	})
}

// TestTrace reads the trace of a run: the same net comes back, and the same trace again.
func TestTrace(t *testing.T) {
	each(t, 5, 20, func(t *testing.T, c workload.Config) {
		var first, again bytes.Buffer
		if err := c.WriteTrace(&first); err != nil {
			t.Fatal(err)
		}
		if err := c.WriteTrace(&again); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), again.Bytes()) {
			t.Error("a run with the same seed differs")
		}
		r, err := event.Open(&first, "")
		if err != nil {
			t.Fatal(err)
		}
		read := func() *event.Event {
			var e event.Event
			if err := r.Next(&e); err != nil {
				t.Fatal(err)
			}
			return &e
		}
		n := 0
		err = c.Each(func(e *event.Event) error {
			n++
			if diff := cmp.Diff(e.Clone(), read().Clone(), cmp.Comparer(event.Value.Equal)); diff != "" {
				return fmt.Errorf("event %d: %s", n, diff)
			}
			return nil
		})
		if err != nil || n != c.Tasks*c.Events {
			t.Errorf("%v, %d events", err, n)
		}
	})
}
