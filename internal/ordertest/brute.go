package ordertest

import (
	"fmt"
	"slices"
)

// state is a state of a program.
type state struct {
	pc, last  []int
	announced []bool // of a goroutine: it waits for readers to leave
	holder    [mutexes]int
	value     [mutexes]int
	readers   int
	writer    bool // one is announced, or there
	count     int  // of writers
	buffer    [channels][]int

	trail
}

// trail is what the goroutines of a run notice of its order.
type trail struct {
	Locks   [mutexes][]int // who had each, by the numbers of operations
	Writers []int
	Seen    [][]int         // by each goroutine
	Left    [channels][]int // in buffers
}

// String is the trail as the program in Go prints it.
func (t *trail) String() string { return fmt.Sprint(t.Locks, t.Writers, t.Seen, t.Left) }

// orders returns all orders of the program; nil if goroutines can wait for ever, or if there are
// more than most.
func (p *Program) orders(most int) map[string]bool {
	n := len(p.Goroutines)
	first := &state{
		pc: make([]int, n), last: make([]int, n), announced: make([]bool, n), holder: [mutexes]int{-1, -1},
		trail: trail{Seen: make([][]int, n)},
	}
	x := &enumeration{Program: p, most: most, orders: make(map[string]bool), known: make(map[string]bool)}
	for g := range n {
		x.goOn(first, g)
	}
	if !x.from(first) {
		return nil
	}
	return x.orders
}

// Orders returns all orders of the program; nil if goroutines can wait for ever.
func (p *Program) Orders() map[string]bool { return p.orders(1 << 20) }

// enumeration tries all interleavings.
type enumeration struct {
	*Program
	most          int
	orders, known map[string]bool
}

// from tries all interleavings from a state on. It reports whether they all come to the end, and
// whether there are no more orders than wanted.
func (x *enumeration) from(s *state) bool {
	key := fmt.Sprint(*s)
	if x.known[key] {
		return true
	}
	x.known[key] = true
	ended, any := true, false
	for g := range x.Goroutines {
		if s.pc[g] == len(x.Goroutines[g]) {
			continue
		}
		ended = false
		for _, next := range x.steps(s, g) {
			any = true
			if !x.from(next) {
				return false
			}
		}
	}
	if !ended {
		return any
	}
	end := s.clone()
	end.Left = s.buffer
	x.orders[end.trail.String()] = true
	return len(x.orders) <= x.most
}

func (s *state) clone() *state {
	c := *s
	c.pc, c.last, c.announced = slices.Clone(s.pc), slices.Clone(s.last), slices.Clone(s.announced)
	c.Writers, c.Seen = slices.Clone(s.Writers), slices.Clone(s.Seen)
	return &c
}

// steps returns the states after what a goroutine can do next. A message without a buffer is what
// its sender does.
func (x *enumeration) steps(s *state, g int) (all []*state) {
	o := x.Goroutines[g][s.pc[g]]
	me := number(g, s.pc[g])
	step := func(do func(*state)) {
		next := s.clone()
		do(next)
		next.pc[g]++
		x.goOn(next, g)
		all = append(all, next)
	}
	switch o.Kind {
	case Lock:
		if s.holder[o.On] < 0 {
			step(func(s *state) { s.holder[o.On], s.Locks[o.On] = g, with(s.Locks[o.On], me) })
		}
	case Unlock:
		step(func(s *state) { s.holder[o.On] = -1 })
	case WriteLock:
		switch {
		case !s.announced[g] && !s.writer:
			next := s.clone()
			next.announced[g], next.writer = true, true
			return []*state{next}
		case s.announced[g] && s.readers == 0:
			step(func(s *state) { s.announced[g], s.count, s.Writers = false, s.count+1, with(s.Writers, me) })
		}
	case WriteUnlock:
		step(func(s *state) { s.writer = false })
	case ReadLock:
		if !s.writer {
			step(func(s *state) { s.readers++; s.see(g, s.count) })
		}
	case ReadUnlock:
		step(func(s *state) { s.readers-- })
	case Send:
		return x.sends(s, g, o.On, me)
	case Receive:
		return x.receives(s, g, o.On)
	case Choose:
		for c := range channels {
			all = append(all, x.receives(s, g, c)...)
		}
	case AddToAtomic:
		step(func(*state) {})
	}
	return all
}

// sends returns the states after a send.
func (x *enumeration) sends(s *state, g, channel, me int) (all []*state) {
	if capacity := x.Capacity[channel]; capacity > 0 {
		if len(s.buffer[channel]) == capacity {
			return nil
		}
		next := s.clone()
		next.buffer[channel] = with(s.buffer[channel], me)
		next.pc[g]++
		x.goOn(next, g)
		return []*state{next}
	}
	for r, ops := range x.Goroutines {
		if s.pc[r] == len(ops) || !ops[s.pc[r]].receivesFrom(channel) {
			continue
		}
		next := s.clone()
		next.see(r, me)
		next.pc[g]++
		next.pc[r]++
		x.goOn(next, g)
		x.goOn(next, r)
		all = append(all, next)
	}
	return all
}

func (o Op) receivesFrom(channel int) bool {
	return o.Kind == Choose || o.Kind == Receive && o.On == channel
}

// receives returns the states after what is received from a buffer.
func (x *enumeration) receives(s *state, g, channel int) []*state {
	if len(s.buffer[channel]) == 0 {
		return nil
	}
	next := s.clone()
	next.see(g, s.buffer[channel][0])
	next.buffer[channel] = s.buffer[channel][1:]
	next.pc[g]++
	x.goOn(next, g)
	return []*state{next}
}

// goOn does what a goroutine does before its next operation.
func (x *enumeration) goOn(s *state, g int) {
	for ; s.pc[g] < len(x.Goroutines[g]); s.pc[g]++ {
		switch o := x.Goroutines[g][s.pc[g]]; o.Kind {
		case Read:
			s.see(g, s.value[o.On])
		case Write:
			s.value[o.On] = g + 1
		case SkipIfEven:
			if s.last[g]%2 == 0 {
				s.pc[g] += o.Skip
			}
		default:
			return
		}
	}
}

// see notes that a goroutine sees a value.
func (s *state) see(g, value int) {
	s.last[g] = value
	s.Seen[g] = with(s.Seen[g], value)
}

// with returns numbers with one more, in memory of their own.
func with(numbers []int, n int) []int { return append(slices.Clip(numbers), n) }
