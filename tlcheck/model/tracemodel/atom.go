package tracemodel

import (
	"errors"
	"fmt"
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/source"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// atoms are the propositions that were looked up.
type atoms struct {
	named map[string]kripke.Atom
	all   []atom

	evalErrors []lsl.EvalError
}

// atom is a local formula of a task. It stores the local states in which the formula is true as
// ascending ranges.
type atom struct {
	task san.Task
	rows []row
}

type row struct{ from, to int }

// add records that the atom is true in local state k, which must come after all recorded ones.
func (a *atom) add(k int) {
	if n := len(a.rows); n > 0 && a.rows[n-1].to == k-1 {
		a.rows[n-1].to = k
	} else {
		a.rows = append(a.rows, row{k, k})
	}
}

// in reports whether the atom is true in local state k.
func (a *atom) in(k int) bool {
	i := sort.Search(len(a.rows), func(i int) bool { return a.rows[i].to >= k })
	return i < len(a.rows) && a.rows[i].from <= k
}

// Atom implements kripke.System. The name is t:(local), with t a task of the run, in quotes unless
// it is a word, and local a local formula. White space is ignored. Atom evaluates the formula in
// all local states of the task.
func (r *Run) Atom(name string) (kripke.Atom, error) {
	if a, ok := r.atoms.named[name]; ok {
		return a, nil
	}
	parsed, err := r.parse(name)
	if err != nil {
		return 0, err
	}
	a := kripke.Atom(len(r.atoms.all))
	r.atoms.all = append(r.atoms.all, parsed)
	r.atoms.named[name] = a
	return a, nil
}

func (r *Run) parse(name string) (a atom, err error) {
	task, prop, err := r.read(name)
	if err != nil {
		return a, err
	}
	var ok bool
	if a.task, ok = r.net.Lookup(task); !ok {
		return a, r.unknownTask(task)
	}
	log := &lsl.Log{}
	r.fill(&a, lsl.Compile(r.net, prop.Formula.(*spec.Atom).Local, lsl.L3), log)
	if err := evaluationError(name, log); err != nil {
		return a, err
	}
	r.atoms.evalErrors = append(r.atoms.evalErrors, log.EvalErrors()...)
	return a, nil
}

// read splits a proposition into the name of its task and its formula, which is an atom of
// specifications.
func (t *describer) read(name string) (task string, prop *spec.Property, err error) {
	task, text, ok := temporal.CutTask(name)
	if !ok {
		return "", nil, fmt.Errorf("%s is not a proposition of a run: write TASK:(LOCAL FORMULA), as in %s:(in.f)",
			source.Short(name), temporal.QuoteTask(t.net.Name(0)))
	}
	// a specification has a task variable there, and any name will do
	prop, err = spec.ParseFormula("t:" + text)
	if err == nil {
		prop, err = tlcheck.Resolve(t.net.Header(), prop)
	}
	if err != nil {
		return "", nil, withoutPosition(name, err)
	}
	if _, ok := prop.Formula.(*spec.Atom); !ok {
		return "", nil, fmt.Errorf("%s is not a proposition: it has operators of specifications outside the parentheses", source.Short(name))
	}
	return task, prop, nil
}

// evaluationError returns an error if the evaluation of a proposition failed as a whole.
func evaluationError(name string, log *lsl.Log) error {
	if reason := log.GaveUp(); reason != "" {
		return fmt.Errorf("%s cannot be evaluated: %s", source.Short(name), reason)
	}
	return nil
}

// unknownTask returns an error that lists the tasks.
func (r *Run) unknownTask(name string) error {
	hint := "the first of them is " + temporal.QuoteTask(r.tasks[0])
	if near := source.Closest(name, r.tasks); near != "" {
		hint = "did you mean " + temporal.QuoteTask(near) + "?"
	}
	return fmt.Errorf("the run has no task %s, but %d others (%s)", source.Short(name), len(r.tasks), hint)
}

// withoutPosition removes the position from an error, since it is relative to the proposition.
// Callers add their own.
func withoutPosition(name string, err error) error {
	var e *spec.Error
	if !errors.As(err, &e) {
		return err
	}
	return fmt.Errorf("proposition %s: %s", source.Short(name), e.Brief())
}

// fill evaluates a local formula in all local states of the atom's task.
func (r *Run) fill(a *atom, f *lsl.Formula, log *lsl.Log) {
	for w := r.net.Walk(a.task); ; {
		if f.Eval(w.State(), log) == lsl.True {
			a.add(w.State().K())
		}
		if !w.Next() {
			return
		}
	}
}

// EvalErrors returns the local states in which propositions are undefined because of an error.
func (r *Run) EvalErrors() []lsl.EvalError { return r.atoms.evalErrors }

// Holds implements kripke.System. It takes time logarithmic in the number of changes of the
// proposition's truth.
func (r *Run) Holds(p kripke.Atom, s kripke.State) bool {
	a := &r.atoms.all[p]
	k := r.at(a.task, s)
	return a.in(k) && (k > 0 || r.created(a.task, s))
}

// Where returns the slices in which a proposition holds, without visiting them.
func (r *Run) Where(p kripke.Atom) slices.Set {
	a := &r.atoms.all[p]
	var parts []slices.Interval
	for _, w := range a.rows {
		parts = append(parts, r.lattice.Containing(a.task, w.from, w.to))
	}
	return r.lattice.SetOfDisjoint(parts) // a task is in one local state at a time
}
