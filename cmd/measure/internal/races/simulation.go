//go:build unix

package races

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// word is what a line of a log says that its thread does.
type word string

const (
	reads    word = "r"
	writes   word = "w"
	acquires word = "acq"
	releases word = "rel"
	forks    word = "fork"
	joins    word = "join"
)

// line is a line of a log.
type line struct {
	thread  int
	word    word
	operand string
	place   string // "" is the one of all lines with this word and operand
}

func (l line) String() string {
	place := l.place
	if place == "" {
		place = string(l.word) + " " + l.operand
	}
	return fmt.Sprintf("T%d|%s(%s)|%s", l.thread, l.word, l.operand, place)
}

// text returns lines as a log in the STD format.
func text(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// simulation is threads that run at random and write a log. Each variable has a lock that guards
// it, or a thread that it belongs to. Threads take locks in ascending order.
type simulation struct {
	*rand.Rand
	lines  []line
	todo   [][]line // what each thread does next; nothing: it is in no section
	locks  int
	holder map[string]int
	reader int // this thread writes nothing that is shared; -1 is none
}

// newSimulation returns threads that the first of them has started.
func newSimulation(rng *rand.Rand, threads int) *simulation {
	p := &simulation{Rand: rng, todo: make([][]line, threads), locks: 1 + rng.IntN(10), holder: map[string]int{}, reader: -1}
	for t := 1; t < threads; t++ {
		p.lines = append(p.lines, line{word: forks, operand: fmt.Sprintf("T%d", t)})
	}
	return p
}

const variables = 3 // of each lock and of each thread

func lock(l int) string                    { return fmt.Sprintf("lock%d", l) }
func (p *simulation) guarded(l int) string { return fmt.Sprintf("shared%d.%d", l, p.IntN(variables)) }
func (p *simulation) own(t int) string     { return fmt.Sprintf("own%d.%d", t, p.IntN(variables)) }

// plan gives a thread that has nothing to do a critical section, or accesses to what is its own.
func (p *simulation) plan(t int) {
	if p.IntN(2) == 0 {
		p.todo[t] = p.section(t, p.IntN(p.locks))
		return
	}
	for range 1 + p.IntN(4) {
		p.todo[t] = append(p.todo[t], line{thread: t, word: p.access(), operand: p.own(t)})
	}
}

func (p *simulation) access() word { return []word{reads, writes}[p.IntN(2)] }

// section returns a critical section, which may have others in it.
func (p *simulation) section(t, l int) []line {
	code := []line{{thread: t, word: acquires, operand: lock(l)}}
	for range p.IntN(5) {
		a := line{thread: t, word: p.access(), operand: p.guarded(l)}
		if t == p.reader {
			a.word = reads
		}
		code = append(code, a)
	}
	if inner := l + 1 + p.IntN(p.locks); inner < p.locks {
		code = append(code, p.section(t, inner)...)
	}
	return append(code, line{thread: t, word: releases, operand: lock(l)})
}

// step lets a thread do a line of what it has to do, unless it has nothing or waits for a lock.
func (p *simulation) step(t int) {
	if len(p.todo[t]) == 0 {
		return
	}
	l := p.todo[t][0]
	switch holder, held := p.holder[l.operand]; {
	case l.word == acquires && held && holder != t:
		return
	case l.word == acquires:
		p.holder[l.operand] = t
	case l.word == releases:
		delete(p.holder, l.operand)
	}
	p.todo[t] = p.todo[t][1:]
	p.lines = append(p.lines, l)
}

// runTo lets all threads go on until there are so many lines.
func (p *simulation) runTo(lines int) {
	for len(p.lines) < lines {
		t := p.IntN(len(p.todo))
		if len(p.todo[t]) == 0 {
			p.plan(t)
		}
		p.step(t)
	}
}

// finish lets threads do what they have to do, with the others as far as they must for that.
func (p *simulation) finish(threads ...int) {
	for {
		left := 0
		for _, t := range threads {
			left += len(p.todo[t])
		}
		if left == 0 {
			return
		}
		p.step(p.IntN(len(p.todo)))
	}
}

// do lets a thread that has nothing to do do some lines.
func (p *simulation) do(t int, code ...line) {
	for _, l := range code {
		l.thread = t
		p.todo[t] = append(p.todo[t], l)
	}
	p.finish(t)
}

// end ends all threads.
func (p *simulation) end() {
	for t := range p.todo {
		p.finish(t)
	}
	for t := 1; t < len(p.todo); t++ {
		p.lines = append(p.lines, line{word: joins, operand: fmt.Sprintf("T%d", t)})
	}
}
