package unfolding

import "pgregory.net/rapid"

// drawToy draws a program with 2 or 3 threads whose operations are mostly of one kind.
func drawToy(t *rapid.T) *toy {
	p := &toy{capacity: []int{0, rapid.IntRange(1, 2).Draw(t, "capacity")}, saw: map[string]bool{}}
	theme := rapid.SampledFrom(themes).Draw(t, "theme")
	for g := range rapid.IntRange(2, 3).Draw(t, "threads") {
		var lines []line
		for range rapid.IntRange(1, 2).Draw(t, "blocks") {
			from := theme
			if rapid.IntRange(0, 4).Draw(t, "other") == 0 {
				from = rapid.SampledFrom(themes).Draw(t, "theme")
			}
			lines = append(lines, rapid.SampledFrom(from).Draw(t, "block")(t, p, g)...)
		}
		p.threads = append(p.threads, lines)
		p.started = append(p.started, true)
	}
	if rapid.IntRange(0, 3).Draw(t, "start") == 0 {
		p.started[1] = false
		p.threads[0] = append([]line{{op: start, on: 1}}, p.threads[0]...)
	}
	return p
}

// block draws a few lines of a thread.
type block func(t *rapid.T, p *toy, g int) []line

// fixed is a block that is always the same.
func fixed(lines ...line) block { return func(*rapid.T, *toy, int) []line { return lines } }

// ifDone does something only if the operation before, which may fail, has not.
func ifDone(op line, lines ...line) []line {
	return append([]line{op, {op: skipUnless, val: 1, skip: len(lines)}}, lines...)
}

var themes = [][]block{
	{section, section, nested, fixed(ifDone(line{op: tryLock}, line{op: unlock})...)},
	{
		fixed(line{op: announce}, line{op: acquire}, line{op: writeUnlock}),
		fixed(line{op: readLock}, line{op: readUnlock}),
		fixed(ifDone(line{op: tryReadLock}, line{op: readUnlock})...),
		fixed(ifDone(line{op: tryWriteLock}, line{op: writeUnlock})...),
	},
	{
		fixed(line{op: enlist}, line{op: wake}),
		fixed(line{op: lock}, line{op: enlist}, line{op: unlock}, line{op: wake}, line{op: lock}, line{op: unlock}),
		fixed(line{op: signal}), fixed(line{op: broadcast}),
	},
	{once},
	{atomic, atomic, fixed(line{op: addTo, val: 1})},
	{one(send), one(receive), choice, choice, fixed(line{op: closeChannel}), fixed(line{op: length, on: 1})},
	{fixed(line{op: count, val: 1}), fixed(line{op: count, val: -1}), fixed(line{op: wait})},
}

func section(t *rapid.T, _ *toy, g int) []line {
	m := rapid.IntRange(0, mutexes-1).Draw(t, "mutex")
	access := line{op: read, on: m}
	if rapid.Bool().Draw(t, "writes") {
		access = line{op: write, on: m, val: g + 1}
	}
	return append([]line{{op: lock, on: m}, access, {op: unlock, on: m}}, branch(t, g)...)
}

// nested takes two locks, in either order.
func nested(t *rapid.T, _ *toy, _ int) []line {
	m := rapid.IntRange(0, 1).Draw(t, "mutex")
	return []line{{op: lock, on: m}, {op: lock, on: 1 - m}, {op: unlock, on: 1 - m}, {op: unlock, on: m}}
}

func once(_ *rapid.T, _ *toy, g int) []line {
	return ifDone(line{op: do}, line{op: store, val: g + 1}, line{op: doEnds})
}

func atomic(t *rapid.T, _ *toy, g int) []line {
	on := rapid.IntRange(0, atomics-1).Draw(t, "variable")
	if rapid.Bool().Draw(t, "stores") {
		return []line{{op: store, on: on, val: rapid.IntRange(0, 1).Draw(t, "value")}}
	}
	return append([]line{{op: load, on: on}}, branch(t, g)...)
}

// branch does something that depends on what the thread has seen last.
func branch(t *rapid.T, g int) []line {
	if rapid.Bool().Draw(t, "no branch") {
		return nil
	}
	then := line{op: store, val: 10 + g}
	if rapid.Bool().Draw(t, "sends") {
		then = line{op: send, on: 1, val: 20 + g}
	}
	return []line{{op: skipUnless, val: 1, skip: 1}, then}
}

// one is a send or a receive.
func one(op word) block {
	return func(t *rapid.T, p *toy, g int) []line {
		l := []line{{op: op, on: rapid.IntRange(0, len(p.capacity)-1).Draw(t, "channel"), val: g + 1}}
		if op == receive {
			l = append(l, branch(t, g)...)
		}
		return l
	}
}

// choice is a select statement.
func choice(t *rapid.T, p *toy, g int) []line {
	l := line{op: selectCases, dflt: rapid.Bool().Draw(t, "default"), val: g + 1}
	for range rapid.IntRange(1, 2).Draw(t, "cases") {
		channel := rapid.IntRange(0, len(p.capacity)-1).Draw(t, "channel")
		l.sel = append(l.sel, Case{Send: rapid.Bool().Draw(t, "send"), Channel: Object(channel)})
	}
	if l.dflt {
		return []line{l, {op: skipUnless, val: -1, skip: 1}, {op: addTo, val: 1}}
	}
	return []line{l}
}
