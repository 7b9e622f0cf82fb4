package tlcheck

import (
	"fmt"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// DecidableOnSparse decides whether a property has the same verdict on a sparse trace
// (event.Header.Sparse) as on one that shows every task from its beginning to its end; if not, it
// returns an *UnsupportedError. The property must be one that Resolve has returned.
//
// A task is blank in a slice if none of its events has bound, entered or left anything before. A
// sparse trace lacks tasks that stay blank, creates others early and by env, and lacks events that
// change nothing, of all tasks. It has every other event, in the order of the full trace. So each
// slice of one trace corresponds to a slice of the other in which the same tasks are not blank,
// each in a local state with the same stack and the same variables. A property has the same value
// in both if
//
//   - it is about states and not about operations,
//   - no temporal operator looks at other slices, since some are missing,
//   - nothing depends on the creators of tasks,
//   - no atom names a shared variable, whose possible values depend on what comes
//     before and after a local state,
//   - it is not false where a TIV stands for a blank task, so a violation in one
//     trace is one in the other, and
//   - no quantifier is decided by a blank task.
//
// Where a task is not created, atoms are undefined. That needs no check: in both dialects a formula
// that is true, or false, although an atom is undefined stays so for every value of the atom, and
// so also for a blank task.
func DecidableOnSparse(h *event.Header, prop *spec.Property, logic lsl.Logic) error {
	b, err := newBlank(h, prop, logic)
	if err != nil {
		return err
	}
	if err := b.check(prop.Formula); err != nil { // avoids a nil *UnsupportedError in an error
		return err
	}
	for _, tiv := range spec.TIVs(prop.Formula) {
		if b.values(prop.Formula, tiv).Has(lsl.False) {
			return b.refuse(prop.Formula,
				fmt.Sprintf("it can be false where %s is a goroutine without recorded events", tiv))
		}
	}
	return nil
}

// blankTask evaluates atoms in the local state of a blank task.
type blankTask struct {
	prop  *spec.Property
	logic lsl.Logic
	net   *san.Net // has a blank task and nothing else
}

func newBlank(h *event.Header, prop *spec.Property, logic lsl.Logic) (*blankTask, error) {
	builder, err := san.NewBuilder(&event.Header{Version: h.Version, Tasks: []string{"blank"}, Consts: h.Consts,
		Shared: h.Shared})
	if err != nil {
		return nil, err
	}
	net, err := builder.Finish()
	return &blankTask{prop, logic, net}, err
}

func (b *blankTask) refuse(f spec.Formula, reason string) *UnsupportedError {
	return &UnsupportedError{
		Property: b.prop, Formula: f, Reason: reason,
		How:    "on a trace without the goroutines that its specification cannot see",
		Remedy: "record the run again with this specification",
	}
}

// check finds a part whose value differs between the traces, whatever surrounds it.
func (b *blankTask) check(f spec.Formula) *UnsupportedError {
	switch f := f.(type) {
	case *spec.Linearizable:
		return b.refuse(f, "to make an order of operations happen, it must be known where goroutines begin")
	case *spec.Future, *spec.Binary:
		return b.refuse(f,
			"it speaks about later slices, and those in which a goroutine only begins or ends are missing")
	case *spec.Atom:
		for _, s := range b.net.Header().Shared {
			if names(f, s.Name) {
				return b.refuse(f,
					fmt.Sprintf("%s is a shared variable, whose possible values depend on where other goroutines begin",
						s.Name))
			}
		}
	case *spec.If:
		for _, c := range f.Conds {
			if c.Caller {
				return b.refuse(f, "it asks which goroutine started another one")
			}
		}
	case *spec.Quant:
		if b.values(f.X, f.TIV).Has(lsl.TruthOf(f.Op == spec.Exists)) {
			return b.refuse(f, fmt.Sprintf("its value can depend on a goroutine %s without recorded events", f.TIV))
		}
	}
	for _, x := range spec.Operands(f) {
		if err := b.check(x); err != nil {
			return err
		}
	}
	return nil
}

// values bounds the values of a formula where the TIV stands for a blank task and the others for
// any.
func (b *blankTask) values(f spec.Formula, tiv string) lsl.Truths {
	p := possibilities{logic: b.logic, tiv: tiv, atom: func(a *spec.Atom) lsl.Truths {
		if a.TIV != tiv {
			return lsl.AnyTruth
		}
		return lsl.Only(lsl.Compile(b.net, a.Local, b.logic).Eval(b.net.Walk(0).State(), nil))
	}}
	return p.of(f)
}
