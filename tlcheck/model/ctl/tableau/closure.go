package tableau

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// kind is the main operator of a formula. Negation occurs in front of atoms only. "Some next state"
// is always relative to a process.
type kind uint8

const (
	isTrue kind = iota
	isFalse
	isAtom    // x is the number of the atom
	isNotAtom // x is the number of the atom
	isAnd
	isOr
	isEX // x after some step of process y
	isAX // x after all steps of process y
	isEU // E[x U y]
	isAU
	isER
	isAR
	isEGF
	isAFG
)

// formula is a formula whose operands are formulas of the same closure. Equal formulas have one
// number.
type formula struct {
	op   kind
	x, y int
}

// elementary reports whether a formula is about the present alone, or about next states alone.
func (f formula) elementary() bool {
	return f.op == isAtom || f.op == isNotAtom || f.op == isEX || f.op == isAX
}

// fixpoint reports whether a formula is a path operator, which unfolds to a claim about the present
// and about itself in next states.
func (f formula) fixpoint() bool { return f.op >= isEU }

// eventuality reports whether a formula promises something that may be put off, but not for ever.
// AFG is different: see unfolding.
func (f formula) eventuality() bool { return f.op == isEU || f.op == isAU }

// closure numbers all formulas of a tableau (Clarke and Emerson 1981, §5).
type closure struct {
	processes []string
	atoms     []string

	list    []formula
	numbers map[formula]int
	not     []int // of each formula, its negation; unknown until it is needed
	unfold  []int // of each fixpoint, its unfolding
	// of eventualities and AFG: the first side fulfils them now, the second one puts them off
	putOff map[int]bool
	moves  []int // of each process, that it moves: EX_i true
	stays  []int // of each process, that it does not move: AX_i false
	always []int // formulas of every block
	// that some process moves, which is true of every state; it is not written as true
	someProcess int
}

const unknown = -1

// The constants have the same numbers in every closure: those of their kinds.
const (
	formulaTrue  = int(isTrue)
	formulaFalse = int(isFalse)
)

// ProcessesError reports that a formula names more processes than were asked for.
type ProcessesError struct {
	Names []string
	Count int
}

func (e *ProcessesError) Error() string {
	return fmt.Sprintf("the formula names the processes %q, more than %d", e.Names, e.Count)
}

// newClosure numbers the subformulas of f, and returns the number of f. If processes is 0, the
// processes are those that f names, at least one.
func newClosure(f *temporal.Formula, processes int) (*closure, int, error) {
	c := &closure{numbers: map[formula]int{}, putOff: map[int]bool{}}
	if err := c.nameProcesses(f, processes); err != nil {
		return nil, 0, err
	}
	c.number(formula{op: isTrue})
	c.number(formula{op: isFalse})
	c.not[formulaTrue], c.not[formulaFalse] = formulaFalse, formulaTrue
	for i := range c.processes {
		c.moves = append(c.moves, c.number(formula{isEX, formulaTrue, i}))
		c.stays = append(c.stays, c.number(formula{isAX, formulaFalse, i}))
	}
	c.someProcess = formulaFalse
	for _, moves := range c.moves {
		c.someProcess = c.or(c.someProcess, moves)
	}
	root := c.add(f)
	for n := 0; n < len(c.list); n++ {
		c.negation(n)
		if c.list[n].fixpoint() {
			c.unfold[n] = c.unfolding(n)
			switch {
			case c.list[n].eventuality():
				c.putOff[c.unfold[n]] = true
			case c.list[n].op == isAFG:
				c.putOff[c.list[c.unfold[n]].y] = true
			}
		}
	}
	return c, root, nil
}

// nameProcesses collects the processes that f names, and numbers the remaining ones.
func (c *closure) nameProcesses(f *temporal.Formula, count int) error {
	var walk func(*temporal.Formula)
	walk = func(f *temporal.Formula) {
		if f == nil {
			return
		}
		if f.Process != "" && !slices.Contains(c.processes, f.Process) {
			c.processes = append(c.processes, f.Process)
		}
		walk(f.X)
		walk(f.Y)
	}
	walk(f)
	if count == 0 {
		count = max(1, len(c.processes))
	}
	if count < len(c.processes) {
		return &ProcessesError{c.processes, count}
	}
	for i := 1; len(c.processes) < count; i++ {
		if name := strconv.Itoa(i); !slices.Contains(c.processes, name) {
			c.processes = append(c.processes, name)
		}
	}
	slices.Sort(c.processes)
	return nil
}

func (c *closure) number(f formula) int {
	n, ok := c.numbers[f]
	if !ok {
		n = len(c.list)
		c.numbers[f] = n
		c.list = append(c.list, f)
		c.not = append(c.not, unknown)
		c.unfold = append(c.unfold, unknown)
	}
	return n
}

// add returns the number of a formula as it is written.
func (c *closure) add(f *temporal.Formula) int {
	var x, y int
	if f.X != nil {
		x = c.add(f.X)
	}
	if f.Y != nil {
		y = c.add(f.Y)
	}
	switch f.Op {
	case temporal.True:
		return formulaTrue
	case temporal.False:
		return formulaFalse
	case temporal.Atomic:
		return c.number(formula{op: isAtom, x: c.atom(f.Atom.Text)})
	case temporal.Not:
		return c.negation(x)
	case temporal.And:
		return c.and(x, y)
	case temporal.Or:
		return c.or(x, y)
	case temporal.Implies:
		return c.or(c.negation(x), y)
	case temporal.Iff:
		return c.and(c.or(c.negation(x), y), c.or(c.negation(y), x))
	case temporal.EX, temporal.AX:
		return c.next(f, x)
	}
	return c.path(f.Op, x, y)
}

func (c *closure) atom(name string) int {
	i := slices.Index(c.atoms, name)
	if i < 0 {
		i = len(c.atoms)
		c.atoms = append(c.atoms, name)
	}
	return i
}

func (c *closure) next(f *temporal.Formula, x int) int {
	i := slices.Index(c.processes, f.Process)
	switch {
	case f.Op == temporal.EX && i < 0:
		return c.someNext(x)
	case f.Op == temporal.EX:
		return c.nextBy(isEX, x, i)
	case i < 0:
		return c.allNext(x)
	}
	return c.nextBy(isAX, x, i)
}

func (c *closure) path(op temporal.Op, x, y int) int {
	switch op {
	case temporal.EF:
		return c.until(isEU, formulaTrue, x)
	case temporal.AF:
		return c.until(isAU, formulaTrue, x)
	case temporal.EG:
		return c.release(isER, formulaFalse, x)
	case temporal.AG:
		return c.release(isAR, formulaFalse, x)
	case temporal.EU:
		return c.until(isEU, x, y)
	case temporal.AU:
		return c.until(isAU, x, y)
	case temporal.ER:
		return c.release(isER, x, y)
	case temporal.AR:
		return c.release(isAR, x, y)
	case temporal.EW:
		return c.release(isER, y, c.or(x, y))
	case temporal.EGF:
		return c.infinitary(isEGF, x)
	case temporal.AFG:
		return c.infinitary(isAFG, x)
	}
	return c.release(isAR, y, c.or(x, y)) // AW
}

func (c *closure) and(x, y int) int {
	switch {
	case x == formulaFalse || y == formulaFalse:
		return formulaFalse
	case x == formulaTrue || x == y:
		return y
	case y == formulaTrue:
		return x
	}
	return c.number(formula{isAnd, x, y})
}

func (c *closure) or(x, y int) int {
	switch {
	case x == formulaTrue || y == formulaTrue:
		return formulaTrue
	case x == formulaFalse || x == y:
		return y
	case y == formulaFalse:
		return x
	}
	return c.number(formula{isOr, x, y})
}

// nextBy returns EX_i x or AX_i x.
func (c *closure) nextBy(op kind, x, i int) int {
	if op == isEX && x == formulaFalse || op == isAX && x == formulaTrue {
		return x
	}
	return c.number(formula{op, x, i})
}

// someNext returns EX x. Every state has a next one.
func (c *closure) someNext(x int) int {
	if x == formulaTrue {
		return formulaTrue
	}
	n := formulaFalse
	for i := range c.processes {
		n = c.or(n, c.nextBy(isEX, x, i))
	}
	return n
}

// allNext returns AX x.
func (c *closure) allNext(x int) int {
	if x == formulaFalse {
		return formulaFalse
	}
	n := formulaTrue
	for i := range c.processes {
		n = c.and(n, c.nextBy(isAX, x, i))
	}
	return n
}

func (c *closure) until(op kind, x, y int) int {
	if x == formulaFalse || y == formulaTrue || y == formulaFalse {
		return y
	}
	return c.number(formula{op, x, y})
}

func (c *closure) release(op kind, x, y int) int {
	if x == formulaTrue || y == formulaTrue || y == formulaFalse {
		return y
	}
	return c.number(formula{op, x, y})
}

func (c *closure) infinitary(op kind, x int) int {
	if x == formulaTrue || x == formulaFalse {
		return x
	}
	return c.number(formula{op: op, y: x})
}

func (c *closure) negation(n int) int {
	if c.not[n] != unknown {
		return c.not[n]
	}
	f := c.list[n]
	var m int
	switch f.op {
	case isAtom:
		m = c.number(formula{op: isNotAtom, x: f.x})
	case isNotAtom:
		m = c.number(formula{op: isAtom, x: f.x})
	case isAnd:
		m = c.or(c.negation(f.x), c.negation(f.y))
	case isOr:
		m = c.and(c.negation(f.x), c.negation(f.y))
	case isEX:
		m = c.nextBy(isAX, c.negation(f.x), f.y)
	case isAX:
		m = c.nextBy(isEX, c.negation(f.x), f.y)
	case isEU:
		m = c.release(isAR, c.negation(f.x), c.negation(f.y))
	case isAU:
		m = c.release(isER, c.negation(f.x), c.negation(f.y))
	case isER:
		m = c.until(isAU, c.negation(f.x), c.negation(f.y))
	case isAR:
		m = c.until(isEU, c.negation(f.x), c.negation(f.y))
	case isEGF:
		m = c.infinitary(isAFG, c.negation(f.y))
	case isAFG:
		m = c.infinitary(isEGF, c.negation(f.y))
	}
	c.not[n], c.not[m] = m, n
	return m
}

// unfolding returns the unfolding of a fixpoint, with next for the fixpoint in some or in all next
// states: y | x & next for an until, y & (x | next) for a release.
//
// EGF y is the greatest fixed point of EF (y & next): each EF must be fulfilled, and no more. AFG y
// is the least fixed point of AG (y | next): on each path next may be taken only finitely often.
// Eventualities cannot express that: see levels.
func (c *closure) unfolding(n int) int {
	f := c.list[n]
	next := c.allNext(n)
	if f.op == isEU || f.op == isER || f.op == isEGF {
		next = c.someNext(n)
	}
	switch {
	case f.op == isEGF:
		return c.until(isEU, formulaTrue, c.and(f.y, next))
	case f.op == isAFG:
		return c.release(isAR, formulaFalse, c.or(f.y, next))
	case f.eventuality():
		return c.or(f.y, c.and(f.x, next))
	}
	return c.and(f.y, c.or(f.x, next))
}
