package globalstates

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// The operations of goroutines.
const (
	local   = "" // on nothing that others see
	lock    = "lock"
	unlock  = "unlock"
	rlock   = "rlock"
	runlock = "runlock"
	send    = "send"
	receive = "recv"
)

// operation is what a goroutine does next. Nobody but who has taken a lock leaves it.
type operation struct {
	op  string
	obj int       // the lock; of receive the message
	of  event.Ref // of receive: who sends the message
}

// execution is a run that some program without branches can have.
type execution struct {
	goroutines [][]operation
	order      []int // the goroutine of each operation
}

// construct is what goroutines do beside steps of their own.
type construct struct {
	name            string
	reads, messages bool // they take RWMutexes, and send each other messages
}

var constructs = []construct{
	{name: "mutex"},
	{name: "rwmutex", reads: true},
	{name: "mutex, messages", messages: true},
	{name: "rwmutex, messages", reads: true, messages: true},
}

// The number of locks, and of operations of each goroutine: with more of these there are more
// states than are worth looking at.
const locks = 2

var operations = map[int]int{2: 14, 3: 9, 4: 7, 5: 6}

// scheduler makes an execution at random: what each goroutine does is drawn when its turn comes.
type scheduler struct {
	execution
	construct
	rnd      *rand.Rand
	writer   [locks]int        // the goroutine, -1 if there is none
	readers  [locks][]int      // goroutines
	held     [][]operation     // by goroutine: how it took what it holds, in this order
	messages [][]event.Ref     // by goroutine: those that nobody has received, to anyone
	number   map[event.Ref]int // number of a message
}

// execute makes an execution of that many goroutines.
func execute(rnd *rand.Rand, c construct, goroutines int) execution {
	s := &scheduler{construct: c, rnd: rnd, held: make([][]operation, goroutines), messages: make([][]event.Ref, goroutines), number: map[event.Ref]int{}}
	s.goroutines = make([][]operation, goroutines)
	for l := range s.writer {
		s.writer[l] = -1
	}
	for range goroutines * operations[goroutines] {
		g := rnd.IntN(goroutines)
		if len(s.goroutines[g]) == operations[goroutines] {
			continue // some goroutines do less than others
		}
		o := s.next(g)
		s.goroutines[g], s.order = append(s.goroutines[g], o), append(s.order, g)
	}
	return s.execution
}

// next draws what a goroutine does, and does it.
func (s *scheduler) next(g int) operation {
	l := s.rnd.IntN(locks)
	switch n := s.rnd.IntN(6); {
	case n < 2 && s.canTake(g, l):
		return s.take(g, l)
	case n < 4 && len(s.held[g]) > 0:
		return s.leave(g, s.rnd.IntN(len(s.held[g])))
	case n == 4 && s.construct.messages:
		return s.message(g)
	}
	return operation{op: local}
}

// canTake reports whether a lock is free for reading, if there is that, or else for all, and the
// goroutine does not hold it.
func (s *scheduler) canTake(g, l int) bool {
	return s.writer[l] < 0 && !slices.Contains(s.readers[l], g) && (s.reads || len(s.readers[l]) == 0)
}

func (s *scheduler) take(g, l int) operation {
	o := operation{op: lock, obj: l}
	if s.reads && (len(s.readers[l]) > 0 || s.rnd.IntN(2) == 0) {
		o.op, s.readers[l] = rlock, append(s.readers[l], g)
	} else {
		s.writer[l] = g
	}
	s.held[g] = append(s.held[g], o)
	return o
}

func (s *scheduler) leave(g, i int) operation {
	o := s.held[g][i]
	s.held[g] = slices.Delete(s.held[g], i, i+1)
	if o.op == rlock {
		s.readers[o.obj] = slices.DeleteFunc(s.readers[o.obj], func(r int) bool { return r == g })
		return operation{op: runlock, obj: o.obj}
	}
	s.writer[o.obj] = -1
	return operation{op: unlock, obj: o.obj}
}

// message receives a message that another goroutine has sent, each on a channel of its own, or
// sends one.
func (s *scheduler) message(g int) operation {
	for from, sent := range s.messages {
		if from != g && len(sent) > 0 {
			s.messages[from] = sent[1:]
			return operation{op: receive, obj: s.number[sent[0]], of: sent[0]}
		}
	}
	self := event.Ref{Task: name(g), K: len(s.goroutines[g]) + 1}
	s.messages[g] = append(s.messages[g], self)
	s.number[self] = len(s.number)
	return operation{op: send, obj: s.number[self]}
}

func name(g int) string { return fmt.Sprint("g", g) }

// nets returns the net in which critical sections keep the order of the execution, and the one in
// which they have none.
func (x *execution) nets() (run, free *san.Net, err error) {
	h := &event.Header{Version: 2}
	for g := range x.goroutines {
		h.Tasks = append(h.Tasks, name(g))
	}
	var nets [2]*san.Net
	for i := range nets {
		b, err := san.NewBuilder(h)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range x.events(i == 0) {
			if err := b.Add(e, ""); err != nil {
				return nil, nil, err
			}
		}
		if nets[i], err = b.Finish(); err != nil {
			return nil, nil, err
		}
	}
	return nets[0], nets[1], nil
}

// events returns what is recorded of the execution.
func (x *execution) events(ordered bool) []*event.Event {
	var events []*event.Event
	done := make([]int, len(x.goroutines))
	var left [locks][]event.Ref // the ends of sections so far that exclude all others, and of those that only read
	var read [locks][]event.Ref
	for _, g := range x.order {
		o := x.goroutines[g][done[g]]
		done[g]++
		self := event.Ref{Task: name(g), K: done[g]}
		e := &event.Event{Task: self.Task}
		switch o.op {
		case lock, rlock, unlock, runlock:
			e.Op, e.Obj = o.op, fmt.Sprint("mutex ", o.obj)
		case receive:
			e.After = append(e.After, o.of)
		}
		switch o.op {
		case unlock:
			left[o.obj] = append(left[o.obj], self)
		case runlock:
			read[o.obj] = append(read[o.obj], self)
		}
		if ordered && (o.op == lock || o.op == rlock) {
			e.After = append(e.After, left[o.obj]...)
		}
		if ordered && o.op == lock {
			e.After = append(e.After, read[o.obj]...)
		}
		events = append(events, e)
	}
	return events
}
