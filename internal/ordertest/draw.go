package ordertest

import "math/rand/v2"

// Draw draws a program of two or three goroutines in which no goroutine waits for ever. It has at
// least two orders and at most so many. Two of three have more than a fourth or an eighth of these.
func Draw(random *rand.Rand, most int) *Program {
	least := max(2, []int{2, 1 + most/8, 1 + most/4}[random.IntN(3)])
	for {
		p := draw(random)
		if n := len(p.orders(most)); n >= least {
			return p
		}
	}
}

func draw(random *rand.Rand) *Program {
	p := &Program{Capacity: [channels]int{0, 1 + random.IntN(2)}}
	d := drawing{random}
	for g := range 2 + random.IntN(2) {
		var ops []Op
		for range 1 + random.IntN(3) {
			ops = append(ops, d.block(g)...)
		}
		p.Goroutines = append(p.Goroutines, ops)
	}
	return p
}

// drawing draws parts of programs.
type drawing struct{ *rand.Rand }

// block draws a few operations of a goroutine.
func (d drawing) block(g int) []Op {
	switch d.IntN(8) {
	case 0, 1:
		return d.section()
	case 2:
		m := d.IntN(mutexes)
		return []Op{{Kind: Lock, On: m}, {Kind: Lock, On: 1 - m}, {Kind: Unlock, On: 1 - m}, {Kind: Unlock, On: m}}
	case 3:
		if d.IntN(2) == 0 {
			return []Op{{Kind: WriteLock}, {Kind: WriteUnlock}}
		}
		return d.maybe([]Op{{Kind: ReadLock}, {Kind: ReadUnlock}})
	case 4:
		if d.IntN(4) == 0 {
			return []Op{{Kind: AddToAtomic}}
		}
	}
	return d.communication(g)
}

// section draws a critical section.
func (d drawing) section() []Op {
	m := d.IntN(mutexes)
	if d.IntN(2) == 0 {
		return []Op{{Kind: Lock, On: m}, {Kind: Write, On: m}, {Kind: Unlock, On: m}}
	}
	return d.maybe([]Op{{Kind: Lock, On: m}, {Kind: Read, On: m}, {Kind: Unlock, On: m}})
}

// communication draws operations on channels.
func (d drawing) communication(g int) []Op {
	buffered := d.IntN(2)
	switch {
	case g != receiver && d.IntN(3) > 0:
		return []Op{{Kind: Send, On: buffered}}
	case g != receiver:
		return d.maybe([]Op{{Kind: Receive}})
	case d.IntN(3) == 0:
		return d.maybe([]Op{{Kind: Choose}})
	case d.IntN(5) == 0:
		return []Op{{Kind: Send}}
	}
	return d.maybe([]Op{{Kind: Receive, On: buffered}})
}

// maybe adds, perhaps, operations that depend on what was seen last.
func (d drawing) maybe(ops []Op) []Op {
	if d.IntN(2) == 0 {
		return ops
	}
	depends := d.section()
	return append(append(ops, Op{Kind: SkipIfEven, Skip: len(depends)}), depends...)
}
