package unfolding

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// do makes a step.
func (w *world) do(step Step) {
	g := int(step.Goroutine)
	l := w.line(g)
	me := fmt.Sprintf("%d.%d", g, w.count[g])
	saw := ""
	switch l.op {
	case lock, tryLock, unlock:
		saw = w.useMutex(g, l, me)
	case announce, acquire, tryWriteLock, writeUnlock, readLock, tryReadLock, readUnlock:
		saw = w.useRWMutex(g, l, me)
	case enlist, wake, signal, broadcast:
		w.useCond(g, l, me)
	case do, doEnds:
		saw = w.useOnce(g, l, me)
	case load, store, addTo:
		saw = w.useAtomic(g, l, me)
	case start:
		w.started[l.on] = true
		w.local(l.on)
	case count:
		w.counter += l.val
		w.counted = group(w.counted, "a", me)
	case wait:
		w.counted = group(w.counted, "w", me)
	case closeChannel:
		h := &w.channels[l.on]
		if h.closed {
			w.dead[g] = true
			break
		}
		h.closed = true
		h.other = append(h.other, "close"+me)
	case length:
		h := &w.channels[l.on]
		h.other = append(h.other, fmt.Sprintf("l%s@%d,%d", me, len(h.sends), len(h.takes)))
		w.reg[g] = len(h.buffer)
		saw = fmt.Sprint(w.reg[g])
	case send, receive, selectCases:
		saw = w.communicate(step, l, me)
	}
	w.toy.saw[fmt.Sprintf("%d%.1s", l.op, saw)] = true
	w.saw[g] += fmt.Sprintf("|%d:%s", w.pc[g], saw)
	w.count[g]++
	w.pc[g]++
	w.local(g)
}

// try notes whether an operation has done something.
func (w *world) try(g int, does bool) string {
	w.reg[g] = 0
	if does {
		w.reg[g] = 1
	}
	return fmt.Sprint(w.reg[g])
}

func (w *world) useMutex(g int, l *line, me string) string {
	if l.op == unlock {
		w.holder[l.on] = -1
		return ""
	}
	logs := &w.locks[l.on]
	free := w.holder[l.on] < 0
	if free {
		w.holder[l.on] = g
		*logs = append(*logs, me)
	} else {
		attach(*logs, me)
	}
	return w.try(g, free)
}

func (w *world) useRWMutex(g int, l *line, me string) string {
	m := &w.rw
	switch l.op {
	case announce:
		m.beginWriter(me)
	case tryWriteLock:
		free := !m.closed && m.readers == 0
		switch {
		case free:
			m.beginWriter(me)
		case m.closed:
			attach(m.log, me)
		default:
			m.tries = append(m.tries, fmt.Sprint(me, len(m.log), sorted(m.entered), sorted(m.left)))
		}
		w.toy.saw[fmt.Sprint("try to write ", m.closed)] = true
		return w.try(g, free)
	case writeUnlock:
		m.closed, m.entered, m.left = false, nil, nil
	case readLock, tryReadLock:
		free := !m.closed
		if free {
			m.readers++
			m.entered = append(m.entered, me)
			m.log = group(m.log, "r", me)
		} else {
			attach(m.log, me)
		}
		return w.try(g, free)
	case readUnlock:
		m.readers--
		m.left = append(m.left, me)
	}
	return ""
}

func (m *toyRWMutex) beginWriter(me string) {
	m.closed = true
	m.log = append(m.log, "w "+me)
}

func (w *world) useCond(g int, l *line, me string) {
	c := &w.cond
	n := 0
	switch l.op {
	case wake:
		delete(c.ready, g)
		return
	case enlist:
		c.list = append(c.list, g)
		c.log = append(c.log, me)
		return
	case signal:
		n = min(1, len(c.list))
	case broadcast:
		n = len(c.list)
	}
	w.toy.saw[fmt.Sprint("wakes ", l.op, min(n, 2))] = true
	if n == 0 {
		if len(c.log) == 0 {
			c.log = []string{"none"}
		}
		attach(c.log, me)
		return
	}
	c.log = append(c.log, me)
	for _, h := range c.list[:n] {
		c.ready[h] = true
	}
	c.list = c.list[n:]
}

func (w *world) useOnce(g int, l *line, me string) string {
	if l.op == doEnds {
		w.once.does, w.once.done = false, true
		return ""
	}
	first := !w.once.done
	if first {
		w.once.does, w.once.by = true, me
	}
	return w.try(g, first)
}

func (w *world) useAtomic(g int, l *line, me string) string {
	if l.op == load {
		w.pending[l.on] = append(w.pending[l.on], me)
		w.reg[g] = w.value[l.on]
		return fmt.Sprint(w.reg[g])
	}
	w.values[l.on] = append(w.values[l.on], sorted(w.pending[l.on]), me+"w")
	w.pending[l.on] = nil
	if l.op == store {
		w.value[l.on] = l.val
		return ""
	}
	w.value[l.on] += l.val
	w.reg[g] = w.value[l.on]
	return fmt.Sprint(w.reg[g])
}

// group adds an operation to a log: next to those of its kind, in no order.
func group(log []string, kind, me string) []string {
	n := len(log)
	if n == 0 || !strings.HasPrefix(log[n-1], kind) {
		return append(log, kind+" "+me)
	}
	parts := append(strings.Split(log[n-1], " "), me)
	sort.Strings(parts[1:])
	log[n-1] = strings.Join(parts, " ")
	return log
}

// attach adds an operation that changes nothing to the latest entry of a log, in no order.
func attach(log []string, me string) {
	parts := append(strings.Split(log[len(log)-1], "f"), me)
	sort.Strings(parts[1:])
	log[len(log)-1] = strings.Join(parts, "f")
}

func sorted(s []string) string {
	s = slices.Clone(s)
	sort.Strings(s)
	return strings.Join(s, ",")
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
	fmt.Fprintln(&b, w.locks, w.rw.log, sorted(w.rw.tries), w.cond.log, w.once.by, w.counted)
	for i := range w.values {
		fmt.Fprintln(&b, w.values[i], sorted(w.pending[i]))
	}
	for _, h := range w.channels {
		fmt.Fprintln(&b, h.sends, h.takes, sorted(h.other))
	}
	return b.String() + strings.Join(w.saw, "T")
}
