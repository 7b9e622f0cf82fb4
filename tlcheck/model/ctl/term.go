package ctl

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// none marks an absent operand.
const none = -1

// term is a subformula. Equal subformulas are the same term.
type term struct {
	op      temporal.Op
	x, y    int // operands: earlier terms, or none
	atom    kripke.Atom
	process int32 // of EX and AX
}

// terms are the subformulas of a formula. The last one is the formula itself.
type terms struct {
	sys      kripke.System
	list     []term
	written  []*temporal.Formula // of each term, its first occurrence
	temporal []bool              // of each term, whether it is about more than one state
	numbers  map[term]int
}

// termsOf lists the subformulas of f. An error is a *temporal.NameError.
func termsOf(sys kripke.System, f *temporal.Formula) (*terms, error) {
	ts := &terms{sys: sys, numbers: map[term]int{}}
	_, err := ts.add(f)
	return ts, err
}

func (ts *terms) add(f *temporal.Formula) (int, error) {
	if f == nil {
		return none, nil
	}
	t := term{op: f.Op, process: AnyProcess}
	var err error
	if t.x, err = ts.add(f.X); err != nil {
		return none, err
	}
	if t.y, err = ts.add(f.Y); err != nil {
		return none, err
	}
	if err := ts.resolve(&t, f); err != nil {
		return none, &temporal.NameError{Pos: f.Pos, Err: err}
	}
	n, ok := ts.numbers[t]
	if !ok {
		n = len(ts.list)
		ts.numbers[t] = n
		ts.list = append(ts.list, t)
		ts.written = append(ts.written, f)
		ts.temporal = append(ts.temporal, f.Op >= temporal.EX || t.x != none && ts.temporal[t.x] ||
			t.y != none && ts.temporal[t.y])
	}
	return n, nil
}

// resolve looks up the names in f.
func (ts *terms) resolve(t *term, f *temporal.Formula) (err error) {
	switch {
	case f.Op == temporal.Atomic:
		t.atom, err = ts.sys.Atom(f.Atom.Text)
	case f.Process != "":
		t.process, err = process(ts.sys, f.Process)
	}
	return err
}

func process(sys kripke.System, name string) (int32, error) {
	names := sys.Processes()
	for i, n := range names {
		if n == name {
			return int32(i), nil
		}
	}
	if len(names) == 0 {
		return 0, fmt.Errorf("no process %q: the system has no processes with names", name)
	}
	return 0, fmt.Errorf("no process %q: the processes are %q", name, names)
}
