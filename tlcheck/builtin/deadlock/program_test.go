package deadlock

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
)

// program is a program of straight-line tasks, all started by the first one. It can be
// run once, as the observed run, and in all ways, to know which deadlocks there are: with what Go's
// locks, channels and WaitGroups really do.
type program struct {
	tasks [][]instr
	caps  []int // of channels
	more  int   // the WaitGroup counts so many besides the Dones that no Add of a task comes with
}

type instr struct {
	// Go, Lock, Unlock, RLock, RUnlock, Send, Recv, Close, Add, Done, Wait, AtomicLoad,
	// AtomicStore, Once, ran
	kind op.Kind
	obj  int // task, lock, channel and so on
}

func (p *program) String() string {
	var b strings.Builder
	for t, code := range p.tasks {
		fmt.Fprintf(&b, "task %d:", t)
		for _, i := range code {
			fmt.Fprintf(&b, " %v(%d)", i.kind, i.obj)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// globalState is that of a program.
type globalState struct {
	pc      []int
	writer  []int   // of each lock; -1 is none
	readers [][]int // how often each task reads each lock
	waiting []int   // the writer of each lock that waits and keeps readers out; -1
	fill    []int   // of each channel's buffer
	closed  []bool
	counter int
	once    onceState
	failed  bool // a task has unlocked what was not locked
}

const programLocks = 3

func (p *program) start() *globalState {
	s := &globalState{counter: p.more, pc: make([]int, len(p.tasks)), fill: make([]int, len(p.caps)), closed: make([]bool, len(p.caps))}
	for t := range s.pc[1:] {
		s.pc[t+1] = -1
	}
	for range programLocks {
		s.writer, s.waiting = append(s.writer, -1), append(s.waiting, -1)
		s.readers = append(s.readers, make([]int, len(p.tasks)))
	}
	for _, code := range p.tasks {
		for _, i := range code {
			switch i.kind {
			case op.Done:
				s.counter++
			case op.Add:
				s.counter--
			}
		}
	}
	return s
}

func (s *globalState) clone() *globalState {
	c := *s
	c.pc, c.writer, c.waiting, c.fill, c.closed = slices.Clone(s.pc), slices.Clone(s.writer), slices.Clone(s.waiting), slices.Clone(s.fill), slices.Clone(s.closed)
	c.readers = nil
	for _, r := range s.readers {
		c.readers = append(c.readers, slices.Clone(r))
	}
	return &c
}

func (s *globalState) key() string { return fmt.Sprint(*s) }

func (s *globalState) read(lock int) bool {
	return slices.ContainsFunc(s.readers[lock], func(n int) bool { return n > 0 })
}

// shown returns the program without what its tasks would do behind where a run left them waiting.
func (p *program) shown(run []move) *program {
	counter := p.start().counter
	s := p.end(run)
	c := &program{caps: p.caps}
	for t, code := range p.tasks {
		c.tasks = append(c.tasks, code[:min(len(code), max(0, s.pc[t]+1))])
	}
	c.more = counter - c.start().counter
	return c
}

// move is a step of a task, with a partner if it is a transfer.
type move struct {
	task, partner int
	announce      bool // begins to wait for readers, and keeps new ones out
}

func (p *program) next(s *globalState, t int) (instr, bool) {
	if s.pc[t] < 0 || s.pc[t] >= len(p.tasks[t]) {
		return instr{}, false
	}
	return p.tasks[t][s.pc[t]], true
}

func (p *program) moves(s *globalState) []move {
	if s.failed {
		return nil
	}
	var moves []move
	for t := range p.tasks {
		i, ok := p.next(s, t)
		if !ok {
			continue
		}
		can := true
		switch i.kind {
		case op.Lock:
			can = s.writer[i.obj] < 0 && !s.read(i.obj) && (s.waiting[i.obj] < 0 || s.waiting[i.obj] == t)
			if s.writer[i.obj] < 0 && s.read(i.obj) && s.waiting[i.obj] < 0 {
				moves = append(moves, move{t, -1, true})
			}
		case op.RLock:
			can = s.writer[i.obj] < 0 && s.waiting[i.obj] < 0
		case op.Send:
			if p.caps[i.obj] == 0 {
				for u := range p.tasks {
					if j, ok := p.next(s, u); ok && u != t && j.kind == op.Recv && j.obj == i.obj {
						moves = append(moves, move{t, u, false})
					}
				}
				continue
			}
			can = s.fill[i.obj] < p.caps[i.obj]
		case op.Recv:
			can = s.closed[i.obj] || s.fill[i.obj] > 0
		case op.Wait:
			can = s.counter == 0
		case op.Once:
			can = s.once.running == 0
		}
		if can {
			moves = append(moves, move{t, -1, false})
		}
	}
	return moves
}

func (p *program) do(s *globalState, m move) {
	i, _ := p.next(s, m.task)
	if m.announce {
		s.waiting[i.obj] = m.task
		return
	}
	s.pc[m.task]++
	switch i.kind {
	case op.Go:
		s.pc[i.obj] = 0
	case op.Lock:
		s.writer[i.obj], s.waiting[i.obj] = m.task, -1
	case op.Unlock:
		s.failed = s.writer[i.obj] < 0
		s.writer[i.obj] = -1
	case op.RLock:
		s.readers[i.obj][m.task]++
	case op.RUnlock:
		p.endReading(s, m.task, i.obj)
	case op.Send:
		if m.partner >= 0 {
			s.pc[m.partner]++
		} else {
			s.fill[i.obj]++
		}
	case op.Recv:
		if s.fill[i.obj] > 0 {
			s.fill[i.obj]--
		}
	case op.Close:
		s.closed[i.obj] = true
	case op.Add:
		s.counter++
	case op.Done:
		s.counter--
	case op.Once, ran:
		p.doOnce(s, m.task, i.kind)
	}
}

// endReading ends a section of a task, or of another one if it has none.
func (p *program) endReading(s *globalState, task, lock int) {
	if s.readers[lock][task] == 0 {
		task = slices.IndexFunc(s.readers[lock], func(n int) bool { return n > 0 })
	}
	if s.failed = task < 0; !s.failed {
		s.readers[lock][task]--
	}
}

// end returns the state in which a run ends.
func (p *program) end(run []move) *globalState {
	s := p.start()
	for _, m := range run {
		p.do(s, m)
	}
	return s
}

// dead returns the states in which not all tasks have ended and nothing can happen; ok is false if
// there are too many states to see them all.
func (p *program) dead(limit int) (dead []*globalState, ok bool) {
	all, ok := p.reach([]*globalState{p.start()}, limit, func(*globalState, move) bool { return true })
	return p.deadAmong(all), ok
}

func (p *program) deadAmong(states []*globalState) (dead []*globalState) {
	for _, s := range states {
		if !s.failed && len(p.moves(s)) == 0 && len(p.blocked(s)) > 0 {
			dead = append(dead, s)
		}
	}
	return dead
}

// reach returns the states to which those moves lead that may be; ok is false if they are too many.
func (p *program) reach(todo []*globalState, limit int, may func(*globalState, move) bool) (
	all []*globalState, ok bool,
) {
	seen := map[string]bool{}
	for _, s := range todo {
		seen[s.key()] = true
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo, all = todo[:len(todo)-1], append(all, s)
		for _, m := range p.moves(s) {
			if !may(s, m) {
				continue
			}
			n := s.clone()
			p.do(n, m)
			if k := n.key(); !seen[k] {
				seen[k] = true
				todo = append(todo, n)
			}
		}
		if len(seen) > limit {
			return nil, false
		}
	}
	return all, true
}

// inOrder returns the states to which ways lead that take each lock in the order in which a run
// did.
func (p *program) inOrder(run []move) []*globalState {
	var taken []instr
	at := map[[2]int]int{} // who took them when, by task and operation
	s := p.start()
	for _, m := range run {
		if i, _ := p.next(s, m.task); i.kind == op.Lock || i.kind == op.RLock {
			at[[2]int{m.task, s.pc[m.task]}] = len(taken)
			taken = append(taken, i)
		}
		p.do(s, m)
	}
	all, _ := p.reach([]*globalState{p.start()}, math.MaxInt, func(s *globalState, m move) bool {
		i, _ := p.next(s, m.task)
		if m.announce || i.kind != op.Lock && i.kind != op.RLock {
			return true
		}
		now, was := at[[2]int{m.task, s.pc[m.task]}]
		for who, n := range at {
			if n < now && taken[n].obj == i.obj && reorder.Excludes(taken[n].kind, i.kind) && s.pc[who[0]] <= who[1] {
				return false
			}
		}
		return was
	})
	return all
}

// stays reports whether the parties of a cycle stay for ever where they are in some of the states.
func (p *program) stays(states []*globalState, c *Cycle) bool {
	states = slices.DeleteFunc(slices.Clone(states), func(s *globalState) bool {
		return !p.reaches([]*globalState{s}, c)
	})
	all, _ := p.reach(states, math.MaxInt, func(s *globalState, m move) bool {
		return m.announce || !slices.ContainsFunc(c.Parties, func(p Party) bool { return p.Task == op.Task(m.task) })
	})
	return len(p.deadAmong(all)) > 0
}

// blocked returns the tasks that have begun and not ended.
func (p *program) blocked(s *globalState) []int {
	var b []int
	for t := range p.tasks {
		if _, ok := p.next(s, t); ok {
			b = append(b, t)
		}
	}
	return b
}
