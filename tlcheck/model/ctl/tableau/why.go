package tableau

import (
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Limits for an explanation: lines in all, and blocks shown of an OR-node.
const (
	maxWhy    = 40
	maxBlocks = 2
)

// why explains in lines why the root is no state: for each of its blocks, the requirement that
// cannot be met.
func (t *tableau) why() []string {
	w := t.explain()
	w.explainOr("", 0)
	return w.lines
}

func (t *tableau) explain() *explanation {
	return &explanation{tableau: t, explained: map[int]bool{}, always: map[int]bool{}}
}

type explanation struct {
	*tableau
	lines     []string
	explained map[int]bool // blocks already explained

	// The operands of AG in the whole formula. They are true everywhere, so they are not repeated
	// (rule 2 of §6).
	always map[int]bool
}

func (w *explanation) say(format string, args ...any) {
	switch {
	case len(w.lines) < maxWhy:
		w.lines = append(w.lines, fmt.Sprintf(format, args...))
	case len(w.lines) == maxWhy:
		w.lines = append(w.lines, "…")
	}
}

// explainOr explains an OR-node without blocks.
func (w *explanation) explainOr(indent string, o int) {
	all := w.texts(w.ors[o].formulas)
	if o == 0 {
		w.invariants(w.ors[o].formulas[0])
	}
	blocks := w.ors[o].blocks
	if len(blocks) == 0 {
		w.say("%scontradictory: %s", indent, all)
		return
	}
	w.say("%sin no state: %s", indent, all)
	for _, n := range blocks[:min(len(blocks), maxBlocks)] {
		w.explainBlock(indent+"  ", n)
	}
	if more := len(blocks) - maxBlocks; more > 0 {
		w.say("%s  nor are %d other ways to make that true", indent, more)
	}
}

// invariants collects the AG among the conjuncts of a formula.
func (w *explanation) invariants(n int) {
	switch f := w.list[n]; {
	case f.op == isAnd:
		w.invariants(f.x)
		w.invariants(f.y)
	case f.op == isAR && f.x == formulaFalse:
		w.always[n] = true
	}
}

// explainBlock explains a block. It was deleted because of a tile that was deleted before, or
// because of an eventuality.
func (w *explanation) explainBlock(indent string, n int) {
	h := w.ands[n]
	text := w.label(h.label)
	if w.explained[n] {
		w.say("%sa state with %s: see above", indent, text)
		return
	}
	w.explained[n] = true
	if f := w.list[h.dead.formula]; f.eventuality() || f.op == isAFG {
		w.say("%sa state with %s puts %s off for ever", indent, text, w.text(h.dead.formula))
		return
	}
	w.say("%sa state with %s needs a next one for %s", indent, text, w.text(h.dead.formula))
	for _, tile := range h.tiles {
		if tile.because == h.dead.formula && len(w.lines) < maxWhy {
			w.explainOr(indent+"  ", tile.to)
		}
	}
}

// label writes a label without the invariants.
func (w *explanation) label(label smallset.Set) string {
	var formulas []int
	for n := range label.All() {
		if w.list[n].op != isEX || w.list[n].x != formulaTrue {
			formulas = append(formulas, n)
		}
	}
	return w.texts(formulas)
}

// texts writes formulas without the invariants.
func (w *explanation) texts(formulas []int) string {
	var texts []string
	for _, n := range formulas {
		if f := w.list[n]; w.always[n] || f.op == isAX && w.always[f.x] {
			continue
		}
		texts = append(texts, w.text(n))
	}
	if len(texts) == 0 {
		return "nothing else"
	}
	return strings.Join(texts, ", ")
}

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
