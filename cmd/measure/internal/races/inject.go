//go:build unix

package races

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// kind is what hides a race in a log.
type kind int

const (
	none      kind = iota // there is no race
	unordered             // nothing
	behind                // a section behind the first access comes before one that precedes the second access
	chained               // the same with two locks, and a third thread that has sections of both
	// the same, and the thread makes the first access again under the lock, as the other makes the
	// second
	covered
	far      // as behind, with much of the log in between
	reversed // the first access is in a section of a lock, the second one behind a section of it
)

var kindNames = [...]string{
	none: "none", unordered: "unordered", behind: "behind a section", chained: "behind a chain of two", covered: "accessed again under the lock",
	far: "behind a section, far apart", reversed: "in a section that must come second",
}

func (k kind) String() string { return kindNames[k] }

// Where accesses that race are in the program.
const (
	firstPlace  = "first"
	secondPlace = "second"
)

// race is a log in which exactly two lines race: those at the two places.
type race struct {
	lines         []line
	first, second int   // the racing lines, unless there are none
	witness       []int // lines in an order after which both are next
}

// generate returns a log of about so many lines with a race of a kind.
func generate(rng *rand.Rand, k kind, lines int) (*race, error) {
	p := newSimulation(rng, 3+rng.IntN(6))
	r := new(race)
	if k != none {
		p.runTo(lines/10 + rng.IntN(lines/3))
		r.inject(p, k, lines)
	}
	p.runTo(lines)
	p.end()
	r.lines = p.lines
	if k == none {
		return r, nil
	}
	if err := r.verify(); err != nil {
		return nil, fmt.Errorf("a race %s in %d lines: %w", k, lines, err)
	}
	return r, nil
}

// inject lets two threads race. After its access the first thread writes nothing that is not its
// own, so all else that is done up to the second access could have been done without it.
func (r *race) inject(p *simulation, k kind, lines int) {
	who := p.Perm(len(p.todo))
	a, b, c := who[0], who[1], who[2]
	p.finish(a, b, c)
	l, other := p.IntN(p.locks), p.IntN(p.locks)
	const variable, guard = "racy", "guard"
	first := line{word: p.access(), operand: variable, place: firstPlace}
	second := line{word: p.access(), operand: variable, place: secondPlace}
	if first.word == reads {
		second.word = writes
	}
	hold := func(lock string, code ...line) []line {
		return slices.Concat([]line{{word: acquires, operand: lock}}, code, []line{{word: releases, operand: lock}})
	}
	read, write := line{word: reads, operand: p.guarded(l)}, line{word: writes, operand: p.guarded(l)}

	begin := len(p.lines)
	p.reader = a
	switch k {
	case unordered:
		p.do(a, first)
	case reversed:
		p.do(a, hold(lock(l), first)...)
	case covered:
		p.do(a, first)
		p.do(a, hold(guard, line{word: writes, operand: variable})...)
	default:
		p.do(a, first)
		p.do(a, hold(lock(l), read)...)
	}
	switch k {
	case unordered:
	case far:
		p.runTo(len(p.lines) + lines/2)
	default:
		p.runTo(len(p.lines) + p.IntN(30))
	}
	p.finish(b, c)
	switch k {
	case unordered:
		p.do(b, second)
	case covered:
		p.do(b, hold(guard, second)...)
	case chained:
		p.do(c, hold(lock(l), write)...)
		p.do(c, hold(lock(other))...)
		p.do(b, hold(lock(other))...)
		p.do(b, second)
	case reversed:
		p.do(b, hold(lock(l), write)...)
		p.finish(who...) // nobody is in a section of the lock
		p.do(b, second)
	default:
		p.do(b, hold(lock(l), write)...)
		p.do(b, second)
	}
	p.reader = -1
	r.lines = p.lines
	r.find(begin)
}

// find finds the racing lines and a witness: all before the first one, what others have done up to
// the second one, and what the thread of the first one does up to that.
func (r *race) find(begin int) {
	r.first = slices.IndexFunc(r.lines, func(l line) bool { return l.place == firstPlace })
	r.second = slices.IndexFunc(r.lines, func(l line) bool { return l.place == secondPlace })
	var own []int
	for i := range r.second {
		switch {
		case i < begin || r.lines[i].thread != r.lines[r.first].thread:
			r.witness = append(r.witness, i)
		case i < r.first:
			own = append(own, i)
		}
	}
	r.witness = append(r.witness, own...)
}
