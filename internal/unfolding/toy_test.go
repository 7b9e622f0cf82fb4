package unfolding

import (
	"maps"
	"slices"
	"strconv"
)

// toy is a program of a small language. It has its own idea of what operations do, and of when two
// runs are the same order; only kinds and steps are shared.
type toy struct {
	threads  [][]line
	started  []bool
	capacity []int           // of channels
	saw      map[string]bool // what has come about in any interleaving
}

// line is an operation, or what a thread does between two of them.
type line struct {
	op   word
	on   int
	val  int
	skip int
	sel  []Case // Channel is an index of capacity
	dflt bool
}

type word int

const (
	lock word = iota
	unlock
	tryLock
	announce
	acquire
	tryWriteLock
	writeUnlock
	readLock
	tryReadLock
	readUnlock
	enlist
	wake
	signal
	broadcast
	do
	doEnds
	send
	receive
	closeChannel
	length
	selectCases
	load
	store
	addTo
	start
	count
	wait
	read  // plain memory
	write // plain memory
	skipUnless
)

// Objects of the kinds of the toy have numbers of their own ranges.
const (
	atomicsFrom   = 100
	channelsFrom  = 200
	countersFrom  = 300
	rwMutexesFrom = 400
	condsFrom     = 500
	oncesFrom     = 600
)

// world is the state of a toy.
type world struct {
	toy      *toy
	pc, reg  []int
	count    []int // operations of each thread so far
	started  []bool
	dead     []bool
	holder   [mutexes]int
	locks    [mutexes][]string
	rw       toyRWMutex
	cond     toyCond
	once     toyOnce
	value    [atomics]int
	values   [atomics][]string
	pending  [atomics][]string // loads since the latest store
	channels []toyChannel
	counter  int
	counted  []string // groups of operations of the WaitGroup that can change places
	memory   [mutexes]int
	saw      []string
}

// Numbers of objects. Of the others there is one of each kind.
const (
	mutexes = 2
	atomics = 2
)

type toyChannel struct {
	buffer              []int
	closed              bool
	sends, takes, other []string
}

type toyRWMutex struct {
	closed        bool // a writer is announced or there
	readers       int
	log           []string // groups of readers, and writers
	entered, left []string // since the latest writer
	tries         []string // that have failed
}

type toyCond struct {
	list  []int
	ready map[int]bool
	log   []string
}

type toyOnce struct {
	does, done bool
	by         string
}

func (t *toy) world() *world {
	n := len(t.threads)
	w := &world{
		toy: t, pc: make([]int, n), reg: make([]int, n), count: make([]int, n),
		started: slices.Clone(t.started), dead: make([]bool, n),
		channels: make([]toyChannel, len(t.capacity)), saw: make([]string, n),
	}
	w.cond.ready = map[int]bool{}
	for i := range w.holder {
		w.holder[i] = -1
	}
	for g := range t.threads {
		if w.started[g] {
			w.local(g)
		}
	}
	return w
}

// clone copies the state. Strings of logs are replaced, so logs are copied too.
func (w *world) clone() *world {
	c := *w
	for _, s := range []*[]int{&c.pc, &c.reg, &c.count, &c.cond.list} {
		*s = slices.Clone(*s)
	}
	c.started, c.dead, c.saw = slices.Clone(w.started), slices.Clone(w.dead), slices.Clone(w.saw)
	c.cond.ready = maps.Clone(w.cond.ready)
	logs := []*[]string{&c.rw.log, &c.rw.entered, &c.rw.left, &c.rw.tries, &c.cond.log, &c.counted}
	for i := range c.locks {
		logs = append(logs, &c.locks[i])
	}
	for i := range c.values {
		logs = append(logs, &c.values[i], &c.pending[i])
	}
	c.channels = slices.Clone(w.channels)
	for i := range c.channels {
		h := &c.channels[i]
		h.buffer = slices.Clone(h.buffer)
		logs = append(logs, &h.sends, &h.takes, &h.other)
	}
	for _, l := range logs {
		*l = slices.Clone(*l)
	}
	return &c
}

// local does what a thread does up to its next operation.
func (w *world) local(g int) {
	for w.pc[g] < len(w.toy.threads[g]) && !w.dead[g] {
		l := &w.toy.threads[g][w.pc[g]]
		switch l.op {
		case read:
			w.reg[g] = w.memory[l.on]
			w.saw[g] += "|m" + strconv.Itoa(w.reg[g])
		case write:
			w.memory[l.on] = l.val
		case skipUnless:
			if w.reg[g] != l.val {
				w.pc[g] += l.skip
			}
		default:
			return
		}
		w.pc[g]++
	}
}

func (w *world) line(g int) *line {
	if !w.started[g] || w.dead[g] || w.pc[g] >= len(w.toy.threads[g]) {
		return nil
	}
	return &w.toy.threads[g][w.pc[g]]
}

func (l *line) cases() []Case {
	switch l.op {
	case send:
		return []Case{{Send: true, Channel: Object(l.on)}}
	case receive:
		return []Case{{Channel: Object(l.on)}}
	case selectCases:
		return l.sel
	}
	return nil
}

func (w *world) alone(c Case) bool {
	h := &w.channels[c.Channel]
	if c.Send {
		return h.closed || len(h.buffer) < w.toy.capacity[c.Channel]
	}
	return h.closed || len(h.buffer) > 0
}

func (w *world) enabled() (steps []Step) {
	for g := range w.toy.threads {
		l := w.line(g)
		switch {
		case l == nil:
		case l.cases() != nil:
			steps = append(steps, w.communications(g, l)...)
		case w.possible(g, l):
			steps = append(steps, Step{Goroutine: Goroutine(g), Partner: Alone})
		}
	}
	return steps
}

// possible reports whether a thread is not blocked.
func (w *world) possible(g int, l *line) bool {
	switch l.op {
	case lock:
		return w.holder[l.on] < 0
	case announce, readLock:
		return !w.rw.closed
	case acquire:
		return w.rw.readers == 0
	case wake:
		return w.cond.ready[g]
	case do:
		return !w.once.does
	case wait:
		return w.counter == 0
	}
	return true
}

func (w *world) communications(g int, l *line) (steps []Step) {
	ready := false
	for i, c := range l.cases() {
		if w.alone(c) {
			ready = true
			steps = append(steps, Step{Goroutine: Goroutine(g), Case: i, Partner: Alone})
		} else if c.Send && w.toy.capacity[c.Channel] == 0 {
			steps = append(steps, w.meetings(g, i, c, l.dflt)...)
		}
	}
	if l.dflt && !ready {
		steps = append(steps, Step{Goroutine: Goroutine(g), Case: Default, Partner: Alone})
	}
	return steps
}

// meetings returns the steps in which a case of a sender meets a receiver.
func (w *world) meetings(g, i int, c Case, dflt bool) (steps []Step) {
	for u := range w.toy.threads {
		q := w.line(u)
		if u == g || q == nil || dflt && q.dflt {
			continue
		}
		for j, d := range q.cases() {
			if !d.Send && d.Channel == c.Channel {
				steps = append(steps, Step{Goroutine: Goroutine(g), Case: i, Partner: Goroutine(u), Receives: j})
			}
		}
	}
	return steps
}

// brute returns all orders by all interleavings, or false if there are more than limit of these.
func (t *toy) brute(limit int) (map[string]bool, bool) {
	orders := map[string]bool{}
	n := 0
	var visit func(w *world) bool
	visit = func(w *world) bool {
		steps := w.enabled()
		if len(steps) == 0 {
			orders[w.order()] = true
			n++
			return n <= limit
		}
		for _, s := range steps {
			c := w.clone()
			c.do(s)
			if !visit(c) {
				return false
			}
		}
		return true
	}
	return orders, visit(t.world())
}
