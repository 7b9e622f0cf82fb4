package tlcheck

import (
	"fmt"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// UnsupportedError says why a property cannot be checked in some way: on-the-fly, or on a sparse
// trace.
type UnsupportedError struct {
	Property *spec.Property
	How      string       // the way
	Formula  spec.Formula // the subformula at fault, as written
	Reason   string
	Remedy   string
}

func (e *UnsupportedError) Error() string {
	name := ""
	if e.Property.Name != "" {
		name = e.Property.Name + " "
	}
	return fmt.Sprintf("%s: property %scannot be checked %s because of %q: %s; %s",
		e.Property.Place(e.Formula.Position()), name, e.How, shortened(spec.Format(e.Formula)), e.Reason, e.Remedy)
}

// shortened cuts a formula that is too long for a message.
func shortened(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// Monitorable returns nil if a property can be checked while the program runs, else an
// *UnsupportedError. shared are the names of shared variables, whose values are known only at the
// end of a run.
//
// In negation normal form, the negated formula must be stable: once true in a slice and a TIVA, it
// stays true however the run continues (Frey and Schlingloff 1998, §3). A formula is bounded if a
// bounded number of further steps determines its value. Bounded are atoms, and the connectives not,
// and, or, if, next and all_next of bounded formulas. Stable are bounded formulas, and the
// connectives and, or, if, exists, next and sometime of stable ones. "p until q" is stable if p is
// bounded and q is stable. In frey96 the right side of "or" counts only where the left one is
// false, so the negation of the left one must be stable too.
func Monitorable(prop *spec.Property, logic lsl.Logic, shared []string) error {
	c := newClassifier(prop, logic)
	if err := c.sharedVariable(prop.Formula, shared); err != nil {
		return err
	}
	if l, ok := prop.Formula.(*spec.Linearizable); ok {
		return c.refuse(l, "whether operations can be explained is decided when all of them are known")
	}
	if err := c.checkStable(prop.Formula, false); err != nil {
		return err // avoids a nil *UnsupportedError in an error
	}
	return nil
}

// classifier caches what it learns about a formula: in frey96 both values of the left sides of an
// or are needed, and a plan needs every formula of its tree.
type classifier struct {
	prop     *spec.Property
	logic    lsl.Logic
	bounded  map[spec.Formula]bool
	unstable map[signedFormula]*UnsupportedError // nil if stable
}

// signedFormula is a formula, or its negation if value is false.
type signedFormula struct {
	formula spec.Formula
	value   bool
}

func newClassifier(prop *spec.Property, logic lsl.Logic) classifier {
	return classifier{prop: prop, logic: logic, bounded: map[spec.Formula]bool{},
		unstable: map[signedFormula]*UnsupportedError{}}
}

func (c *classifier) refuse(f spec.Formula, reason string) *UnsupportedError {
	return &UnsupportedError{
		Property: c.prop, How: "on-the-fly", Formula: f, Reason: reason, Remedy: "check the trace after the run",
	}
}

// sharedNames returns the names of the shared variables of a run.
func sharedNames(net *san.Net) (names []string) {
	for _, b := range net.Header().Shared {
		names = append(names, b.Name)
	}
	return names
}

// sharedVariable finds an atom that names a shared variable.
func (c *classifier) sharedVariable(f spec.Formula, shared []string) error {
	if a, ok := f.(*spec.Atom); ok {
		for _, s := range shared {
			if names(a, s) {
				return c.refuse(f,
					fmt.Sprintf("%s is a shared variable, whose possible values later writes still change", s))
			}
		}
	}
	for _, k := range spec.Operands(f) {
		if err := c.sharedVariable(k, shared); err != nil {
			return err
		}
	}
	return nil
}

// names reports whether an atom names a variable or a field of it.
func names(a *spec.Atom, variable string) bool {
	return stdslices.ContainsFunc(spec.VariablesOf(a), func(v spec.Name) bool {
		return isPartOf(v.Name, variable)
	})
}

// isPartOf reports whether a dotted name is a variable or one of its fields.
func isPartOf(name, variable string) bool {
	return name == variable || strings.HasPrefix(name, variable+".")
}

// isBounded treats a formula and its negation alike: every operator's dual is in the list.
func (c *classifier) isBounded(f spec.Formula) bool {
	if b, ok := c.bounded[f]; ok {
		return b
	}
	b := true
	switch f := f.(type) {
	case *spec.Future:
		b = f.Op == spec.Next || f.Op == spec.AllNext
	case *spec.Binary, *spec.Quant:
		b = false
	}
	for _, k := range spec.Operands(f) {
		b = b && c.isBounded(k)
	}
	c.bounded[f] = b
	return b
}

const (
	whyAlways = "%s speaks about all later slices, and the run may add one that makes it false"
	whyForall = "%s speaks about all tasks, and the run may add one that makes it false"
)

// checkStable checks the normal form of f, or of its negation if value is false.
func (c *classifier) checkStable(f spec.Formula, value bool) *UnsupportedError {
	if c.isBounded(f) {
		return nil
	}
	key := signedFormula{f, value}
	err, ok := c.unstable[key]
	if !ok {
		err = c.checkNormal(f, value)
		c.unstable[key] = err
	}
	return err
}

// checkNormal is stable for unbounded formulas.
func (c *classifier) checkNormal(f spec.Formula, value bool) *UnsupportedError {
	switch f := f.(type) {
	case *spec.Not:
		return c.checkStable(f.X, !value)
	case *spec.Nary:
		return c.chain(f.Xs, (f.Op == spec.Or) == value, func(int) bool { return value })
	case *spec.Implies:
		return c.chain(spec.Operands(f), value, func(i int) bool { return (i == 1) == value })
	case *spec.If:
		return c.checkStable(f.X, value)
	case *spec.Future:
		return c.future(f, value)
	case *spec.Binary:
		return c.binary(f, value)
	}
	q := f.(*spec.Quant)
	if (q.Op == spec.Exists) != value {
		return c.refuse(f, fmt.Sprintf(whyForall, c.operatorName(value, q.Op.String(), "forall")))
	}
	return c.checkStable(q.X, value)
}

// operatorName names the operator of a formula in the normal form.
func (c *classifier) operatorName(value bool, written, dual string) string {
	if value {
		return "the negated property contains it, and " + written
	}
	return "the negated property turns it into " + dual + ", which"
}

func (c *classifier) chain(xs []spec.Formula, or bool, of func(int) bool) *UnsupportedError {
	for i, x := range xs {
		if err := c.checkStable(x, of(i)); err != nil {
			return err
		}
		if !or || c.logic != lsl.Frey96 || i == len(xs)-1 {
			continue
		}
		if err := c.checkStable(x, !of(i)); err != nil {
			here := *err // err may also be the reason against x alone
			here.Reason += "; it counts here because in frey96 what is right of it counts only where it is false"
			return &here
		}
	}
	return nil
}

func (c *classifier) future(f *spec.Future, value bool) *UnsupportedError {
	dual := map[spec.FutureOp]string{spec.Next: "all_next", spec.AllNext: "all_next", spec.Sometime: "always",
		spec.Always: "always", spec.Eventually: "henceforth", spec.Henceforth: "henceforth"}[f.Op]
	switch unstable := f.Op.Universal() == value; {
	case unstable && dual == "all_next":
		return c.refuse(f,
			c.operatorName(value, f.Op.String(), dual)+" is allowed only over what a bounded number of steps decides")
	case unstable:
		return c.refuse(f, fmt.Sprintf(whyAlways, c.operatorName(value, f.Op.String(), dual)))
	case dual == "henceforth" && c.logic == lsl.Frey96:
		// eventually p is (sometime p) or p, and not sometime p is not stable.
		return c.refuse(f,
			"in frey96 the present counts only where nothing later decides, which the run may still change")
	}
	return c.checkStable(f.X, value)
}

func (c *classifier) binary(f *spec.Binary, value bool) *UnsupportedError {
	before := f.Op == spec.Before
	if before == value {
		return c.refuse(f, fmt.Sprintf(whyAlways, c.operatorName(value, f.Op.String(), "before")))
	}
	if !c.isBounded(f.L) {
		return c.refuse(f.L, fmt.Sprintf("what stands left of %s must be decided by a bounded number of steps", f.Op))
	}
	return c.checkStable(f.R, true)
}
