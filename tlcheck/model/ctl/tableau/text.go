package tableau

import "github.com/antichain-go/antichain/tlcheck/model/temporal"

// maxText limits the operators and atoms of a formula that are written. Shared parts could make it
// very long.
const maxText = 200

// text writes a formula in the usual notation.
func (c *closure) text(n int) string {
	left := maxText
	return c.formula(n, &left).String()
}

// formula returns formula n as a tree, of at most left operators and atoms.
func (c *closure) formula(n int, left *int) *temporal.Formula {
	if *left--; *left < 0 {
		return &temporal.Formula{Op: temporal.Atomic, Atom: &temporal.Atom{Text: "…"}}
	}
	f := c.list[n]
	switch f.op {
	case isTrue:
		return &temporal.Formula{Op: temporal.True}
	case isFalse:
		return &temporal.Formula{Op: temporal.False}
	case isAtom:
		return &temporal.Formula{Op: temporal.Atomic, Atom: &temporal.Atom{Text: c.atoms[f.x]}}
	case isNotAtom:
		return &temporal.Formula{Op: temporal.Not, X: c.formula(c.not[n], left)}
	case isEX:
		return &temporal.Formula{Op: temporal.EX, Process: c.processes[f.y], X: c.formula(f.x, left)}
	case isAX:
		return &temporal.Formula{Op: temporal.AX, Process: c.processes[f.y], X: c.formula(f.x, left)}
	}
	switch f.op {
	case isEGF:
		return &temporal.Formula{Op: temporal.EGF, X: c.formula(f.y, left)}
	case isAFG:
		return &temporal.Formula{Op: temporal.AFG, X: c.formula(f.y, left)}
	}
	op, ok := shorter[formula{op: f.op, x: f.x}]
	if ok {
		return &temporal.Formula{Op: op, X: c.formula(f.y, left)}
	}
	return &temporal.Formula{Op: operators[f.op], X: c.formula(f.x, left), Y: c.formula(f.y, left)}
}

var operators = map[kind]temporal.Op{isAnd: temporal.And, isOr: temporal.Or, isEU: temporal.EU, isAU: temporal.AU,
	isER: temporal.ER, isAR: temporal.AR}

// shorter has operators for those whose first operand is true or false.
var shorter = map[formula]temporal.Op{
	{op: isEU, x: formulaTrue}: temporal.EF, {op: isAU, x: formulaTrue}: temporal.AF,
	{op: isER, x: formulaFalse}: temporal.EG, {op: isAR, x: formulaFalse}: temporal.AG,
}
