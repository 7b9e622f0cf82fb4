package unfolding

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
)

// toy is a program of a small language. It has its own idea of what operations do, and of when two
// runs are the same order; only kinds and steps are shared.
type toy struct {
	threads  [][]line
	started  []bool
	capacity []int // of channels
	mutexes  int
	atomics  int
	counters int // WaitGroups
	memory   int
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
	send
	receive
	closeChannel
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
	atomicsFrom  = 100
	channelsFrom = 200
	countersFrom = 300
)

// world is the state of a toy.
type world struct {
	toy      *toy
	pc, reg  []int
	count    []int // operations of each thread so far
	started  []bool
	dead     []bool
	holder   []int
	locks    [][]string
	value    []int
	values   [][]string
	pending  [][]string // loads since the latest store
	channels []toyChannel
	counter  []int
	counted  [][]string // groups of operations of a WaitGroup that can change places
	memory   []int
	saw      []string
}

type toyChannel struct {
	buffer              []int
	closed              bool
	sends, takes, other []string
}

func (t *toy) world() *world {
	n := len(t.threads)
	w := &world{toy: t, pc: make([]int, n), reg: make([]int, n), count: make([]int, n), started: slices.Clone(t.started), dead: make([]bool, n),
		holder: make([]int, t.mutexes), locks: make([][]string, t.mutexes), value: make([]int, t.atomics), values: make([][]string, t.atomics),
		pending: make([][]string, t.atomics), channels: make([]toyChannel, len(t.capacity)), counter: make([]int, t.counters), counted: make([][]string, t.counters), memory: make([]int, t.memory), saw: make([]string, n)}
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

func cloneAll(x [][]string) [][]string {
	y := slices.Clone(x)
	for i := range y {
		y[i] = slices.Clone(y[i])
	}
	return y
}

func (w *world) clone() *world {
	c := *w
	c.pc, c.reg, c.count, c.started, c.dead = slices.Clone(w.pc), slices.Clone(w.reg), slices.Clone(w.count), slices.Clone(w.started), slices.Clone(w.dead)
	c.holder, c.value, c.counter, c.memory, c.saw = slices.Clone(w.holder), slices.Clone(w.value), slices.Clone(w.counter), slices.Clone(w.memory), slices.Clone(w.saw)
	c.locks, c.values, c.pending, c.channels = cloneAll(w.locks), cloneAll(w.values), cloneAll(w.pending), slices.Clone(w.channels)
	c.counted = cloneAll(w.counted)
	for i := range c.channels {
		h := &c.channels[i]
		h.buffer, h.sends, h.takes, h.other = slices.Clone(h.buffer), slices.Clone(h.sends), slices.Clone(h.takes), slices.Clone(h.other)
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
			w.saw[g] += fmt.Sprintf("|m%d", w.reg[g])
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
		if l == nil {
			continue
		}
		alone := Step{Goroutine: Goroutine(g), Partner: Alone}
		switch {
		case l.op == lock && w.holder[l.on] >= 0, l.op == wait && w.counter[l.on] != 0:
		case l.op != send && l.op != receive && l.op != selectCases:
			steps = append(steps, alone)
		default:
			steps = append(steps, w.communications(g, l)...)
		}
	}
	return steps
}

func (w *world) communications(g int, l *line) (steps []Step) {
	ready := false
	for i, c := range l.cases() {
		if w.alone(c) {
			ready = true
			steps = append(steps, Step{Goroutine: Goroutine(g), Case: i, Partner: Alone})
		} else if c.Send && w.toy.capacity[c.Channel] == 0 {
			for u := range w.toy.threads {
				q := w.line(u)
				if u == g || q == nil || l.dflt && q.dflt {
					continue
				}
				for j, d := range q.cases() {
					if !d.Send && d.Channel == c.Channel {
						steps = append(steps, Step{Goroutine: Goroutine(g), Case: i, Partner: Goroutine(u), Receives: j})
					}
				}
			}
		}
	}
	if l.dflt && !ready {
		steps = append(steps, Step{Goroutine: Goroutine(g), Case: Default, Partner: Alone})
	}
	return steps
}

// do makes a step.
func (w *world) do(step Step) {
	g := int(step.Goroutine)
	l := w.line(g)
	me := fmt.Sprintf("%d.%d", g, w.count[g])
	saw := ""
	switch l.op {
	case lock, tryLock:
		logs := &w.locks[l.on]
		if w.holder[l.on] >= 0 {
			(*logs)[len(*logs)-1] += "f" + me
			w.reg[g] = 0
			saw = "0"
			break
		}
		w.holder[l.on] = g
		*logs = append(*logs, me)
		w.reg[g] = 1
		saw = "1"
	case unlock:
		w.holder[l.on] = -1
	case load:
		w.pending[l.on] = append(w.pending[l.on], me)
		w.reg[g] = w.value[l.on]
		saw = fmt.Sprint(w.reg[g])
	case store, addTo:
		w.flush(l.on)
		w.values[l.on] = append(w.values[l.on], me+"w")
		if l.op == addTo {
			w.value[l.on] += l.val
			w.reg[g] = w.value[l.on]
			saw = fmt.Sprint(w.reg[g])
		} else {
			w.value[l.on] = l.val
		}
	case start:
		w.started[l.on] = true
		w.local(l.on)
	case count:
		w.counter[l.on] += l.val
		w.group(l.on, "a", me)
	case wait:
		w.group(l.on, "w", me)
	case closeChannel:
		h := &w.channels[l.on]
		if h.closed {
			w.dead[g] = true
			break
		}
		h.closed = true
		h.other = append(h.other, "close"+me)
	case send, receive, selectCases:
		saw = w.communicate(step, l, me)
	}
	w.saw[g] += fmt.Sprintf("|%d:%s", w.pc[g], saw)
	w.count[g]++
	w.pc[g]++
	w.local(g)
}

// group notes an operation of a WaitGroup: next to those of its kind, in no order.
func (w *world) group(on int, kind, me string) {
	groups := w.counted[on]
	if n := len(groups); n > 0 && strings.HasPrefix(groups[n-1], kind) {
		parts := append(strings.Split(groups[n-1], " "), me)
		sort.Strings(parts[1:])
		groups[n-1] = strings.Join(parts, " ")
		return
	}
	w.counted[on] = append(groups, kind+" "+me)
}

func (w *world) flush(on int) {
	sort.Strings(w.pending[on])
	w.values[on] = append(w.values[on], strings.Join(w.pending[on], ","))
	w.pending[on] = nil
}

func (w *world) communicate(step Step, l *line, me string) string {
	g := int(step.Goroutine)
	if step.Case == Default {
		for _, c := range l.cases() {
			h := &w.channels[c.Channel]
			h.other = append(h.other, fmt.Sprintf("f%s@%d,%d", me, len(h.sends), len(h.takes)))
		}
		w.reg[g] = -1
		return "default"
	}
	c := l.cases()[step.Case]
	h := &w.channels[c.Channel]
	saw := fmt.Sprint(step.Case)
	switch {
	case step.Partner != Alone:
		u := int(step.Partner)
		h.other = append(h.other, fmt.Sprintf("%s>%d.%d", me, u, w.count[u]))
		w.reg[u] = l.val
		w.saw[u] += fmt.Sprintf("|%d:%d,%d", w.pc[u], step.Receives, l.val)
		w.count[u]++
		w.pc[u]++
		w.local(u)
	case c.Send && h.closed:
		w.dead[g] = true
		saw += "closed"
	case c.Send:
		h.sends = append(h.sends, me)
		h.buffer = append(h.buffer, l.val)
	case len(h.buffer) > 0:
		h.takes = append(h.takes, me)
		w.reg[g] = h.buffer[0]
		saw += fmt.Sprint(",", h.buffer[0])
		h.buffer = h.buffer[1:]
	default:
		w.reg[g] = 0
		saw += ",zero"
		h.other = append(h.other, fmt.Sprintf("z%s@%d", me, len(h.takes)))
	}
	return saw
}

// order returns the partial order of a run that has ended, from what came about at each object.
func (w *world) order() string {
	var b strings.Builder
	for _, logs := range w.locks {
		for _, l := range logs {
			parts := strings.Split(l, "f")
			sort.Strings(parts[1:])
			b.WriteString(strings.Join(parts, "f") + ";")
		}
		b.WriteString("/")
	}
	for i := range w.values {
		rest := slices.Clone(w.pending[i])
		sort.Strings(rest)
		fmt.Fprintf(&b, "%s;%s/", strings.Join(w.values[i], ";"), strings.Join(rest, ","))
	}
	fmt.Fprintf(&b, "%v/", w.counted)
	for _, h := range w.channels {
		other := slices.Clone(h.other)
		sort.Strings(other)
		fmt.Fprintf(&b, "%v%v%v/", h.sends, h.takes, other)
	}
	return b.String() + strings.Join(w.saw, "T")
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

// Run makes a run that goes on at random.
func (t *toy) Run(prefix []Step) (Run, error) {
	w := t.world()
	var r Run
	random := rand.New(rand.NewPCG(1, uint64(len(prefix))))
	for {
		steps := w.enabled()
		if len(steps) == 0 {
			break
		}
		step := steps[random.IntN(len(steps))]
		if n := len(r.Steps); n < len(prefix) {
			step = prefix[n]
			if !slices.Contains(steps, step) {
				return r, fmt.Errorf("step %v is not possible", step)
			}
		}
		taken := Taken{Step: step, Operation: w.operation(int(step.Goroutine))}
		if step.Partner != Alone {
			taken.Received = w.operation(int(step.Partner))
		}
		r.Steps = append(r.Steps, taken)
		w.do(step)
	}
	r.Blocked = map[Goroutine]Operation{}
	for g := range t.threads {
		if op := w.operation(g); op.Kind != End {
			r.Blocked[Goroutine(g)] = op
		}
	}
	return r, nil
}

func (w *world) operation(g int) Operation {
	l := w.line(g)
	if l == nil {
		return Operation{}
	}
	kinds := map[word]Kind{lock: Lock, unlock: Unlock, tryLock: TryLock, closeChannel: Close, load: Load, store: Store, addTo: Store,
		start: Start, count: Add, wait: Wait, send: Communicate, receive: Communicate, selectCases: Communicate}
	op := Operation{Kind: kinds[l.op], Default: l.dflt}
	switch op.Kind {
	case Lock, Unlock, TryLock:
		op.Object = Object(l.on)
	case Load, Store:
		op.Object = Object(atomicsFrom + l.on)
	case Close:
		op.Object = Object(channelsFrom + l.on)
	case Add:
		op.Object, op.Delta = Object(countersFrom+l.on), l.val
	case Wait:
		op.Object = Object(countersFrom + l.on)
	case Start:
		op.Starts = Goroutine(l.on)
	case Communicate:
		for _, c := range l.cases() {
			op.Cases = append(op.Cases, Case{Send: c.Send, Channel: channelsFrom + c.Channel, Capacity: w.toy.capacity[c.Channel]})
		}
	}
	return op
}

// randomToy makes a program with 2 to 4 threads.
func randomToy(r *rand.Rand, dense bool) *toy {
	n := 2 + r.IntN(3)
	t := &toy{mutexes: 2, atomics: 2, capacity: []int{0, 1 + r.IntN(2), 0}, memory: 2}
	if dense {
		t.atomics, t.capacity = 1, []int{0, 1}
	}
	waits := r.IntN(3) == 0
	dones := 0
	for g := range n {
		var lines []line
		for range 1 + r.IntN(4) {
			lines = append(lines, t.randomLines(r, g)...)
		}
		switch {
		case waits && g == n-1:
			lines = append([]line{{op: wait}}, lines...)
		case waits:
			lines = append(lines, line{op: count, val: -1})
			dones++
		}
		t.threads = append(t.threads, lines)
		t.started = append(t.started, true)
	}
	t.counters = 1
	if dones > 0 {
		t.threads[0] = append([]line{{op: count, val: dones}}, t.threads[0]...)
	}
	if r.IntN(3) == 0 {
		t.started[1] = false
		t.threads[0] = append([]line{{op: start, on: 1}}, t.threads[0]...)
	}
	return t
}

func (t *toy) randomLines(r *rand.Rand, g int) []line {
	channel := func() Object { return Object(r.IntN(len(t.capacity))) }
	branch := func(lines ...line) []line {
		if r.IntN(3) != 0 {
			return lines
		}
		body := line{op: store, on: r.IntN(t.atomics), val: 10 + g}
		if r.IntN(2) == 0 {
			body = line{op: send, on: 1, val: 20 + g}
		}
		return append(lines, line{op: skipUnless, val: r.IntN(2), skip: 1}, body)
	}
	switch r.IntN(12) {
	case 0, 1:
		m := r.IntN(2)
		lines := []line{{op: lock, on: m}}
		switch r.IntN(4) {
		case 0:
			lines = append(lines, line{op: read, on: m})
		case 1:
			lines = append(lines, line{op: write, on: m, val: g + 1})
		case 2:
			lines = append(lines, line{op: lock, on: 1 - m}, line{op: unlock, on: 1 - m})
		}
		return append(lines, line{op: unlock, on: m})
	case 2:
		m := r.IntN(2)
		return []line{{op: tryLock, on: m}, {op: skipUnless, val: 1, skip: 1}, {op: unlock, on: m}}
	case 3:
		return branch(line{op: load, on: r.IntN(t.atomics)})
	case 4:
		return []line{{op: store, on: r.IntN(t.atomics), val: r.IntN(2)}}
	case 5:
		return []line{{op: send, on: int(channel()), val: g + 1}}
	case 6:
		return branch(line{op: receive, on: int(channel())})
	case 7, 8, 9:
		l := line{op: selectCases, dflt: r.IntN(2) == 0, val: g + 1}
		for range 1 + r.IntN(2) {
			l.sel = append(l.sel, Case{Send: r.IntN(2) == 0, Channel: channel()})
		}
		if l.dflt {
			return []line{l, {op: skipUnless, val: -1, skip: 1}, {op: addTo, val: 1}}
		}
		return []line{l}
	case 10:
		return []line{{op: closeChannel, on: int(channel())}}
	}
	return []line{{op: addTo, on: r.IntN(t.atomics), val: 1}}
}
