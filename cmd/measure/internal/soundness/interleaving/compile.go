// Package interleaving finds all states of a small Go program (package program) by trying each
// order of its steps.
//
// It is a second opinion on antichain and shares nothing with it: no order of events, no clocks,
// but states and what the operations of Go do with them. Where Go's documentation leaves a choice,
// such as which goroutine a Signal wakes, all choices are tried. Timers may fire at any time after
// they were armed to fire soon.
//
// A goroutine enters a marked place right after the operation before it and leaves it with the next
// operation. To the others this makes no difference, and each pair of marked places that goroutines
// can be in at the same time is still met.
package interleaving

import (
	"errors"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// instr is an instruction of a goroutine. Most are a statement.
type instr struct {
	op   program.Op
	s    *program.Stmt
	next int // instruction that follows
	els  int // where it goes otherwise: behind the body of Once, at another value
	task int // that it starts
	arms []arm
	live [3]bool // what is read of the variables later, by program.Var
}

// arm is a case of a select statement, or the one of a plain operation on a channel.
type arm struct {
	program.Case
	next int
}

// Instructions besides those of statements.
const (
	end program.Op = 128 + iota
	jump
	onceEnd  // the function that Once has called returns
	condTest // goes on behind the loop if the condition is false
)

// code is what all goroutines execute. The first one is main, the last ones are those that end
// contexts with a timeout.
type code struct {
	p       *program.Program
	tasks   [][]instr
	done    []int // the WaitGroup of the Done that a goroutine ends with, -1 if there is none
	funcs   []int // the goroutine that each Func and ContextFunc starts, by object
	started []bool
}

// errTooLarge is the error of programs with more instructions than states can count.
var errTooLarge = errors.New("the program is too large")

const most = 250 // instructions of a goroutine

func compile(p *program.Program) (*code, error) {
	c := &code{p: p, funcs: make([]int, len(p.Objects))}
	c.task(p.Main, -1, true)
	for i, o := range p.Objects {
		if o.Kind == program.Context && o.N == 1 {
			c.task([]*program.Stmt{{Op: program.Cancel, Object: i}}, -1, true)
		}
	}
	for _, list := range c.tasks {
		if len(list) > most {
			return nil, errTooLarge
		}
		setLive(list)
	}
	if len(c.tasks) > 64 {
		return nil, errTooLarge
	}
	return c, nil
}

// task compiles a goroutine and returns its number.
func (c *code) task(body []*program.Stmt, done int, started bool) int {
	n := len(c.tasks)
	c.tasks, c.done, c.started = append(c.tasks, nil), append(c.done, done), append(c.started, started)
	b := &block{c: c}
	b.list(body)
	if done >= 0 {
		b.add(instr{op: program.Done, s: &program.Stmt{Op: program.Done, Object: done}})
	}
	b.add(instr{op: end})
	c.tasks[n] = b.code
	return n
}

// block collects the instructions of a goroutine.
type block struct {
	c    *code
	code []instr
}

// add appends an instruction that is followed by the one behind it, and returns its index.
func (b *block) add(i instr) int {
	i.next = len(b.code) + 1
	b.code = append(b.code, i)
	return len(b.code) - 1
}

func (b *block) list(list []*program.Stmt) {
	for _, s := range list {
		b.stmt(s)
	}
}

// here is the index of the next instruction.
func (b *block) here() int { return len(b.code) }

func (b *block) stmt(s *program.Stmt) {
	switch s.Op {
	case program.Nothing, program.Sleep, program.Library:
	case program.If:
		at := b.add(instr{op: s.Op, s: s})
		b.list(s.Body)
		over := b.add(instr{op: jump})
		b.code[at].els = b.here()
		b.list(s.Else)
		b.code[over].next = b.here()
	case program.Go:
		at := b.add(instr{op: s.Op, s: s})
		b.code[at].task = b.c.task(s.Body, s.Object, false)
	case program.AfterFunc:
		at := b.add(instr{op: s.Op, s: s})
		b.code[at].task = b.c.task(s.Body, -1, false)
		b.c.funcs[s.Object] = b.code[at].task
	case program.Do:
		at := b.add(instr{op: s.Op, s: s})
		b.list(s.Body)
		b.add(instr{op: onceEnd, s: s})
		b.code[at].els = b.here()
	case program.CondWait:
		at := b.add(instr{op: condTest, s: s})
		wait := b.add(instr{op: s.Op, s: s})
		b.code[wait].next = at
		b.code[at].els = b.here()
	case program.Send, program.SendRecovered, program.Recv:
		at := b.add(instr{op: program.Select, s: s})
		b.code[at].arms = []arm{{program.Case{Send: s.Op != program.Recv, Object: s.Object, Value: s.Value, Dst: s.Dst}, at + 1}}
	case program.Select:
		b.choice(s)
	default:
		b.add(instr{op: s.Op, s: s})
	}
}

func (b *block) choice(s *program.Stmt) {
	at := b.add(instr{op: s.Op, s: s})
	var arms []arm
	var over []int
	for _, c := range s.Cases {
		arms = append(arms, arm{c, b.here()})
		b.list(c.Body)
		over = append(over, b.add(instr{op: jump}))
	}
	b.code[at].els = b.here()
	b.list(s.Else)
	for _, i := range over {
		b.code[i].next = b.here()
	}
	b.code[at].arms = arms
}

// setLive finds out which variables are read later: two states that differ in others only are the
// same.
func setLive(list []instr) {
	for changed := true; changed; {
		changed = false
		for i := len(list) - 1; i >= 0; i-- {
			live := liveBefore(list, i)
			changed = changed || live != list[i].live
			list[i].live = live
		}
	}
}

func liveBefore(list []instr, i int) (live [3]bool) {
	in := &list[i]
	join := func(target int) {
		if target < len(list) {
			for v, l := range list[target].live {
				live[v] = live[v] || l
			}
		}
	}
	if in.op == end {
		return live
	}
	if len(in.arms) == 0 || in.s.Default {
		target := in.next
		if len(in.arms) > 0 {
			target = in.els
		}
		join(target)
	}
	switch in.op {
	case program.If, program.Do, condTest:
		join(in.els)
	}
	if in.s != nil && in.op != program.If && len(in.arms) == 0 {
		live[in.s.Dst] = false
	}
	for _, a := range in.arms {
		join(a.next) // what the case assigns counts as read: that only makes states differ
	}
	for _, a := range in.arms {
		live[a.Value.Var] = true
	}
	if in.s != nil {
		live[in.s.Value.Var] = true
	}
	live[program.NoVar] = false
	return live
}
