package san

import "math/bits"

// A leaf of a clock has the counters of 128 tasks. Most of them are little above those of some
// earlier leaf. So a leaf refers to a floor, a list of plain counters, and stores its offsets from
// it. The offsets of 8 tasks are a block, which takes no words if all are 0, and otherwise 1, 2 or
// 8.
//
//	number of the floor
//	form: bits i and 16+i give the size of block i
//	words of the blocks, in order:
//	    neither bit     none
//	    the first       one, 4 bits for each offset
//	    the second      two, the lower 4 bits of each offset and the higher 4
//	    both            8, one for each offset
//	task, k of the event in whose clock the leaf stood first,
//	    unless it was made when all clocks were leaves
//
// The union of two leaves counts from the later of their floors, which is no less than either. So a
// new floor spreads among tasks that communicate.
const (
	leafBits  = 7
	leafSize  = 1 << leafBits
	blockBits = 3
	blockSize = 1 << blockBits
	blocks    = leafSize / blockSize

	header  = 2
	maxLeaf = header + leafSize + 2

	small  = 1
	medium = 1 << blocks
	large  = small | medium

	lowHalves = 0x0f0f0f0f_0f0f0f0f // of bytes
)

// leaf decodes a leaf block by block.
type leaf struct {
	floor []uint32 // its length is a multiple of the block size; the counters beyond it are 0
	form  uint32
	words []uint32
}

func (c *clocks) leaf(w []uint32) leaf { return leaf{c.floors[w[0]], w[1], w[header:]} }

// blocks returns how many of the first blocks can have counters other than 0.
func (l *leaf) blocks() int {
	return max(len(l.floor)/blockSize, bits.Len16(uint16(l.form|l.form>>blocks)))
}

// next returns the counters of a block. Blocks must be read in order.
func (l *leaf) next(block int, x *[blockSize]uint32) {
	if l.form>>block&large == large {
		*x = [blockSize]uint32(l.words)
		l.words = l.words[blockSize:]
	} else {
		unpack(l.nextBytes(block), x)
	}
	if at := block * blockSize; at < len(l.floor) {
		for i, k := range (*[blockSize]uint32)(l.floor[at:]) {
			x[i] += k
		}
	}
}

// nextBytes returns the offsets of a block in which none needs more than 8 bits, one in each byte
// of a word, in the order of pack.
func (l *leaf) nextBytes(block int) uint64 {
	switch l.form >> block & large {
	case small:
		x := spread(l.words[0])
		l.words = l.words[1:]
		return x
	case medium:
		x := spread(l.words[0]) | spread(l.words[1])<<4
		l.words = l.words[2:]
		return x
	}
	return 0
}

// nextHalves returns the offsets of a block in which none needs more than 4 bits.
func (l *leaf) nextHalves(block int) uint32 {
	if l.form>>block&small == 0 {
		return 0
	}
	x := l.words[0]
	l.words = l.words[1:]
	return x
}

// pack puts offsets into the bytes of a word, those at even places first.
func pack(x *[blockSize]uint32) uint64 {
	return uint64(x[0]|x[2]<<8|x[4]<<16|x[6]<<24) | uint64(x[1]|x[3]<<8|x[5]<<16|x[7]<<24)<<32
}

func unpack(bytes uint64, x *[blockSize]uint32) {
	even, odd := uint32(bytes), uint32(bytes>>32)
	*x = [blockSize]uint32{
		even & 0xff, odd & 0xff, even >> 8 & 0xff, odd >> 8 & 0xff,
		even >> 16 & 0xff, odd >> 16 & 0xff, even >> 24, odd >> 24,
	}
}

// spread puts the nibbles of four bytes into eight bytes.
func spread(w uint32) uint64 { return (uint64(w) | uint64(w)<<28) & lowHalves }

// gather is the inverse of spread for bytes below 16.
func gather(x uint64) uint32 { return uint32(x | x>>28) }

// maxBytes returns the maximum of each pair of bytes.
func maxBytes(x, y uint64) uint64 {
	const highBits = 0x80808080_80808080
	low := (x | highBits) - y&^highBits // high bit of each byte: x ≥ y in the other bits
	noLess := (x&^y | ^(x^y)&low) & highBits
	mask := noLess >> 7 * 0xff
	return x&mask | y&^mask
}

// maxHalves returns the maximum of each pair of nibbles, as maxBytes does for bytes.
func maxHalves(x, y uint32) uint32 {
	const highBits = 0x88888888
	low := (x | highBits) - y&^highBits
	noLess := (x&^y | ^(x^y)&low) & highBits
	mask := noLess >> 3 * 0xf
	return x&mask | y&^mask
}

// wordsBefore returns the number of words before a block.
func wordsBefore(form uint32, block uint) int {
	form &= (1<<(block&31) - 1) * large
	n := bits.OnesCount64(uint64(form) | uint64(form>>blocks)<<32)
	if both := form & (form >> blocks); both != 0 {
		n += (blockSize - 3) * bits.OnesCount32(both)
	}
	return n
}

// sizeOf returns the number of words of a leaf, without its event.
func sizeOf(form uint32) int { return header + wordsBefore(form, blocks) }

// fillLeaf stores the counters of a leaf into dst, which must be zero.
func (c *clocks) fillLeaf(n uint32, dst []int32) {
	l := c.leaf(c.words(n))
	var x [blockSize]uint32
	for block := range l.blocks() {
		l.next(block, &x)
		for i := range min(blockSize, len(dst)-block*blockSize) {
			dst[block*blockSize+i] = int32(x[i])
		}
	}
}

// joinLeaves joins a leaf of the clock under construction with another one.
func (c *clocks) joinLeaves(a, b uint32) uint32 {
	wa, wb := c.words(a), c.words(b)
	x, y := c.leaf(wa), c.leaf(wb)
	w := append(c.draft(), max(wa[0], wb[0]), 0)
	var less, more bool
	if wa[0] == wb[0] && x.isNear() && y.isNear() {
		w, less, more = joinBytes(w, x, y)
	} else {
		w, less, more = joinCounters(w, x, y, c.floors[w[0]])
	}
	switch {
	case !more:
		return a
	case !less:
		return b
	}
	return c.replace(a, w)
}

// isNear reports whether no offset needs more than 8 bits.
func (l *leaf) isNear() bool { return l.form&(l.form>>blocks) == 0 }

// joinBytes appends the union of two near leaves with one floor. less and more report whether some
// counter of x is below, or above, that of y.
func joinBytes(w []uint32, x, y leaf) (joined []uint32, less, more bool) {
	var below, above uint64 // bytes where x is below y, and above it
	forms := x.form | y.form
	for block := range bits.Len16(uint16(forms | forms>>blocks)) {
		switch forms >> block & large {
		case 0:
		case small:
			p, q := x.nextHalves(block), y.nextHalves(block)
			r := maxHalves(p, q)
			below |= uint64(r ^ p)
			above |= uint64(r ^ q)
			w[1] |= small << block
			w = append(w, r)
		default:
			p, q := x.nextBytes(block), y.nextBytes(block)
			r := maxBytes(p, q)
			below |= r ^ p
			above |= r ^ q
			w = putBytes(w, block, r)
		}
	}
	return w, above != 0, below != 0
}

// joinCounters appends the union of two leaves; less and more are those of joinBytes.
func joinCounters(w []uint32, x, y leaf, floor []uint32) (joined []uint32, less, more bool) {
	var below, above uint32 // bits where x is below y, and above it
	var p, q [blockSize]uint32
	for block := range max(x.blocks(), y.blocks()) {
		x.next(block, &p)
		y.next(block, &q)
		for i, k := range p {
			p[i] = max(k, q[i])
			below |= p[i] ^ k
			above |= p[i] ^ q[i]
		}
		w = putCounters(w, block, &p, floor)
	}
	return w, above != 0, below != 0
}

// putBytes appends a block with its offsets in the bytes of a word.
func putBytes(w []uint32, block int, x uint64) []uint32 {
	if x == 0 {
		return w
	}
	if x&^lowHalves == 0 {
		w[1] |= small << block
		return append(w, gather(x))
	}
	w[1] |= medium << block
	return append(w, gather(x&lowHalves), gather(x>>4&lowHalves))
}

// putCounters appends a block, and overwrites x.
func putCounters(w []uint32, block int, x *[blockSize]uint32, floor []uint32) []uint32 {
	if at := block * blockSize; at < len(floor) {
		for i, k := range (*[blockSize]uint32)(floor[at:]) {
			x[i] -= k
		}
	}
	if x[0]|x[1]|x[2]|x[3]|x[4]|x[5]|x[6]|x[7] <= 0xff {
		return putBytes(w, block, pack(x))
	}
	w[1] |= large << block
	return append(w, x[:]...)
}

// raiseLeaf returns a leaf with counter i raised to k.
func (c *clocks) raiseLeaf(n uint32, i uint, k uint32) uint32 {
	w := c.words(n)
	w = w[:sizeOf(w[1])]
	if n != 0 && n >= c.fresh && c.raiseOffset(w, i, k) {
		return n
	}
	w = append(c.draft(), w...)
	if !c.raiseOffset(w, i, k) {
		w = c.raiseBlock(w, i, k)
	}
	return c.replace(n, w)
}

// raiseOffset raises a counter of a leaf in place if the offset fits.
func (c *clocks) raiseOffset(w []uint32, i uint, k uint32) bool {
	if floor := c.floors[w[0]]; i < uint(len(floor)) {
		k -= floor[i]
	}
	block := i >> blockBits
	form := w[1] >> block & large
	w = w[header+wordsBefore(w[1], block):]
	switch i &= blockSize - 1; {
	case form == large:
		w[i] = k
	case form == small && k <= 0xf:
		w[0] = w[0]&^(0xf<<(4*i)) | k<<(4*i)
	case form == medium && k <= 0xff:
		w[0] = w[0]&^(0xf<<(4*i)) | k&0xf<<(4*i)
		w[1] = w[1]&^(0xf<<(4*i)) | k>>4<<(4*i)
	default:
		return false
	}
	return true
}

// raiseBlock sets counter i of a draft to k, which is higher, and encodes its block again.
func (c *clocks) raiseBlock(w []uint32, i uint, k uint32) []uint32 {
	block := i >> blockBits
	at := header + wordsBefore(w[1], block)
	l := leaf{c.floors[w[0]], w[1], w[at:]}
	var x [blockSize]uint32
	l.next(int(block), &x)
	x[i&(blockSize-1)] = k
	var room [leafSize]uint32
	behind := room[:copy(room[:], l.words)]
	w[1] &^= large << block
	return append(putCounters(w[:at], int(block), &x, l.floor), behind...)
}

// A leaf gets a floor of its own if its present floor costs more: for each word of a new floor, and
// a few for the floor itself, leaves have taken so many more words than with offsets of 4 bits. A
// lower price would save some memory, but communicating tasks would more often have different
// floors, which makes joins slow.
const (
	patience  = 8
	floorCost = 8
)

// replace makes a draft a leaf in place of one of the clock under construction.
func (c *clocks) replace(n uint32, w []uint32) uint32 {
	c.excess[w[0]] += uint32(sizeOf(w[1]) - header - bits.OnesCount16(uint16(w[1]|w[1]>>blocks)))
	if l := c.leaf(w); int(c.excess[w[0]]) >= patience*(l.blocks()*blockSize+floorCost) {
		c.excess[w[0]] = 0
		w = append(w[:0], c.addFloor(l), 0)
	}
	size := sizeOf(w[1])
	if len(c.grown) > 1 {
		w = append(w, uint32(c.by.Task), uint32(c.by.K))
	}
	if n != 0 && n >= c.fresh {
		was := c.words(n)
		if was[1] == w[1] { // same size
			copy(was, w)
			return n
		}
		c.dropLast(n, len(w)-size+sizeOf(was[1]))
	}
	i, to := c.add(len(w))
	copy(to, w)
	return i
}

// addFloor makes a floor from the counters of a leaf.
func (c *clocks) addFloor(l leaf) uint32 {
	floor := make([]uint32, l.blocks()*blockSize)
	for block := range l.blocks() {
		l.next(block, (*[blockSize]uint32)(floor[block*blockSize:]))
	}
	c.floors, c.excess = append(c.floors, floor), append(c.excess, 0)
	return uint32(len(c.floors) - 1)
}

// draft returns room for a leaf after the last node.
func (c *clocks) draft() []uint32 {
	c.reserve(maxLeaf)
	last := c.chunks[len(c.chunks)-1]
	return last[len(last):]
}
