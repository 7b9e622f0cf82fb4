package tlcheck

import (
	"errors"
	stdslices "slices"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

// errTemporal is why a property keeps the run's order of critical sections.
var errTemporal = errors.New("a temporal operator stands within it, " +
	"and one global state without the order of critical sections need not be reached from another one")

// errOperations is why properties about operations keep the run's order of critical sections.
var errOperations = errors.New("with another order of them, operations may have other results")

// ErrShared is why properties of a run with shared variables keep its order of critical sections.
var ErrShared = errors.New("the sets of values of shared variables are known in that order only")

// Reorderable returns a property without temporal operators that is false in some global state if
// and only if this one is violated. It can be checked over the states that other orders of critical
// sections lead to (Options.Sections). An error says why there is no such property.
//
// Every such state is reached from the initial one through others of them, so henceforth and
// eventually may be outermost. A state need not be reachable from another one, so other temporal
// operators may not occur.
func Reorderable(p *spec.Property) (*spec.Property, error) {
	if _, ok := p.Formula.(*spec.Linearizable); ok {
		return nil, errOperations
	}
	local := *p
	switch f := p.Formula.(type) {
	case *spec.Future:
		if f.Op == spec.Henceforth {
			local.Formula, local.Initially = f.X, false
		}
	case *spec.Not:
		if of, ok := f.X.(*spec.Future); ok && of.Op == spec.Eventually {
			local.Formula, local.Initially = &spec.Not{X: of.X, Pos: f.Pos}, false
		}
	}
	if isTemporal(local.Formula) {
		return nil, errTemporal
	}
	return &local, nil
}

// isTemporal reports whether a formula has a temporal operator.
func isTemporal(f spec.Formula) bool {
	switch f.(type) {
	case *spec.Future, *spec.Binary:
		return true
	}
	return stdslices.ContainsFunc(spec.Operands(f), isTemporal)
}
