//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// How an access changes the cells of its granule.

// antichainAccess is an access of a goroutine, the caller, to the granule at base.
type antichainAccess struct {
	gp   *g
	now  uint64
	what uint64
	all  uint64 // what, with the bytes of the cell that it merges with: see gather
	base uintptr
	fp   uintptr // frame from which on the stack has the place of the access
}

// refresh is meet in the frequent cases: the goroutine's latest access to the granule is the last
// one of all, and of the same kind and bytes, so every conflict has been reported; or there are no
// cells but its own, none of them atomic, as in a buffer that is read byte by byte. It reports
// whether that is so. The first word of the line, which was first, is left to the caller, since it
// is the lock.
//
//go:nosplit
func (l *antichainLine) refresh(first, now, what uint64) bool {
	if l.overwrites(what) {
		return false
	}
	latest := l.first
	if first == 0 {
		latest.what = what
		return true
	}
	if (first^now)>>antichainMomentShift != 0 {
		return false
	}
	did := latest.what
	switch {
	case (did^what)&(antichainWhole|antichainWrites) == 0:
		latest.what = what
	case *l.more != 0 && l.second.when != 0:
		return l.refreshRest(first, now, what)
	case (did|what)&antichainAtomic != 0:
		return false
	case first == now && (did^what)&^antichainBytes == 0:
		latest.what = did | what
	case antichainCovered(did, what):
		latest.what = what
	default:
		l.grow(1)
		l.second.put(first, did, true)
		latest.what = what
	}
	return true
}

// widen is refresh for the most frequent of these: the goroutine has just done the same to other
// bytes of the granule, at the same place, as where a buffer is read byte by byte, and no cell is
// covered yet. It reports false otherwise.
//
//go:nosplit
func (b *antichainShadow) widen(addr uintptr, now, what uint64) bool {
	line := b.line(addr)
	first := line.first
	if (first.what^what)&^antichainBytes != 0 || !atomic.Cas64(&first.when, now, now|antichainLocked) {
		return false
	}
	what |= first.what
	widens := (first.what^what)&^antichainBytes == 0 && what&antichainAtomic == 0 && !line.overwrites(what)
	if *line.more != 0 && line.second.when != 0 {
		widens = widens && line.second.stays(now, what)
		for i := uint32(2); widens && i < line.cells() && line.cell(i).when != 0; i++ {
			widens = line.cell(i).stays(now, what)
		}
	}
	if widens {
		first.what = what
	}
	antichainUnlockLine(&first.when, now)
	return widens
}

// stays reports whether the cell is one of the goroutine that makes the plain access does, and does
// not cover it.
//
//go:nosplit
func (c *antichainCell) stays(now, does uint64) bool {
	return (c.when^now)>>antichainMomentShift == 0 && c.what&antichainAtomic == 0 && !antichainCovered(c.what, does)
}

// antichainWhole is an access without its places and whether it writes.
const antichainWhole = antichainBytes | antichainAtomic

// refreshRest is refresh for a line of several cells with the goroutine's own cell first.
//
//go:nosplit
func (l *antichainLine) refreshRest(first, now, what uint64) bool {
	did, all := l.first.what, what // all with that of the cell it merges with
	if (did|what)&antichainAtomic != 0 {
		return false
	}
	// no other change: the first cell only gets more bytes
	stays := first == now && (did^what)&^antichainBytes == 0
	if stays {
		all |= did
	}
	room := antichainCovered(did, all)
	n := uint32(1)
	for ; n < l.cells(); n++ {
		c := l.cell(n)
		if c.when == 0 {
			break
		}
		if (c.when^now)>>antichainMomentShift != 0 || c.what&antichainAtomic != 0 {
			return false
		}
		if c.when == now && (c.what^what)&^antichainBytes == 0 {
			all |= c.what
		}
		if antichainCovered(c.what, all) {
			room, stays = true, false
		}
	}
	if stays {
		l.first.what = all
		return true
	}
	dropped := ^uint32(0)
	// not on a page, which has at most a read and a write among a goroutine's own cells
	if !room && n == antichainCells {
		dropped = l.victim(what)
	}
	l.shift(first, all, n, dropped)
	return true
}

// shift puts the access what, all cells being the goroutine's own, in front of the first n cells of
// a line, without the cells that it covers and the one to drop. Storing the first word, which was
// first, is left to the caller.
//
//go:nosplit
func (l *antichainLine) shift(first, what uint64, n, dropped uint32) {
	carried := antichainCell{first, l.first.what}
	carrying := dropped != 0 && !antichainCovered(carried.what, what)
	l.first.what = what
	at := uint32(1)
	for i := uint32(1); i < n; i++ {
		c := l.cell(i)
		next := antichainCell{c.when, c.what}
		if i == dropped || antichainCovered(next.what, what) {
			continue
		}
		switch {
		case carrying:
			l.cell(at).put(carried.when, carried.what, true)
			carried = next
		case at < i:
			l.cell(at).put(next.when, next.what, true)
		}
		at++
	}
	if carrying {
		if l.grow(at) {
			l.cell(at).put(carried.when, carried.what, true)
		} else {
			l.lose(carried.what)
		}
		at++
	}
	left := at
	for ; at < n; at++ {
		l.cell(at).put(0, 0, true)
	}
	l.shrink(n, left)
}

// antichainCovered is covers for plain accesses of one goroutine: whether did is no longer needed
// after does.
//
//go:nosplit
func antichainCovered(did, does uint64) bool {
	return did&^does&(antichainBytes|antichainWrites) == 0
}

// meet puts the access in front of its locked line, whose first word was first. The cells that are
// still needed stay behind it; if there is no room, one is dropped. Conflicts are reported.
//
// Words of cells are read and written one by one: processors wait long to load two at once that
// have just been stored separately.
//
//go:nosplit
func (a *antichainAccess) meet(line *antichainLine, first uint64) {
	var news [antichainCells]antichainCell
	// an unsigned index needs no bounds check, for which small stacks have no room, nor for another
	// variable for overwriting
	found := uint32(0)
	// the goroutine's accesses to the word since the cell at hand: bytes, shifted by kind. Those
	// that a write claims are shifted further
	since := uint64(0)
	if line.takeDropped(a.what) {
		found = antichainFoundDropped
	}
	a.gather(line, first)
	n, dropped := line.cells(), ^uint32(0)
	if n == antichainCells && a.crowds(line, first) {
		dropped = line.victim(a.what)
	}
	// carried, if moving, goes behind those kept
	kept, moving, carried := uint32(0), true, antichainCell{a.now, a.all}
	for i := uint32(0); i < n; i++ {
		cell := line.cell(i)
		c := antichainCell{first, cell.what}
		if i > 0 {
			c.when = cell.when
		}
		if moving {
			line.cell(kept).put(carried.when, carried.what, kept > 0)
			kept++
		}
		if c.when>>antichainMomentShift == a.now>>antichainMomentShift {
			if did := c.what & antichainBytes << antichainLane(c.what); c.when == a.now && did <= antichainBytes && a.what&antichainWrites != 0 {
				since |= did << antichainClaimShift
			} else {
				since |= did
			}
		} else if a.conflicts(c, since) {
			news[found%antichainCells].put(c.when, c.what, true)
			if !a.conflicts(c, since|since>>antichainClaimShift) {
				news[found%antichainCells].when |= antichainClaimed
			}
			found++
		}
		needed := c.when != 0 && !a.replaces(c)
		moving = needed && kept > i && i != dropped
		carried.when, carried.what = c.when, c.what
		if needed && kept <= i {
			line.cell(kept).put(c.when, c.what, true)
			kept++
		}
	}
	left := kept
	if moving { // after the last one
		if line.grow(n) {
			line.cell(n).put(carried.when, carried.what, true)
		} else {
			line.lose(carried.what)
		}
		left = n + 1
	}
	for ; kept < n; kept++ {
		line.cell(kept).put(0, 0, true)
	}
	line.shrink(n, left)
	antichainUnlockLine(&line.first.when, a.now)
	if found > 0 {
		systemstack(func() { // with room for writing a record
			if found >= antichainFoundDropped {
				a.tell(&antichainCell{antichainOverwrites, a.what & antichainBytes})
			}
			for i := range found % antichainFoundDropped {
				a.tell(&news[i%antichainCells])
			}
		})
	}
}

// gather sets a.all to the access together with the cell of the line that it merges with.
//
//go:nosplit
func (a *antichainAccess) gather(line *antichainLine, first uint64) {
	a.all = a.what
	for i := range line.cells() {
		c := antichainCell{first, line.cell(i).what}
		if i > 0 {
			c.when = line.cell(i).when
		}
		if a.merges(c) {
			a.all |= c.what
		}
	}
}

// crowds reports whether meet would drop a cell of a line that has a rest. first was its first
// word.
//
//go:nosplit
func (a *antichainAccess) crowds(line *antichainLine, first uint64) bool {
	for i := range uint32(antichainCells) {
		cell := line.cell(i)
		c := antichainCell{cell.when, cell.what}
		if i == 0 {
			c.when = first
		}
		if c.when == 0 || a.replaces(c) {
			return false
		}
	}
	return true
}

// cell returns one of the cells.
//
//go:nosplit
func (l *antichainLine) cell(i uint32) *antichainCell {
	switch i {
	case 0:
		return l.first
	case 1:
		return l.second
	}
	return &l.rest()[i%(antichainCells-2)]
}

// put fills the cell; its first word only on demand, since that may be a lock.
//
//go:nosplit
func (c *antichainCell) put(when, what uint64, both bool) {
	c.what = what
	if both {
		c.when = when
	}
}

// antichainLockLine locks a line by its first word, which it returns.
//
//go:nosplit
func antichainLockLine(word *uint64) uint64 {
	if v := *word; v&antichainLocked == 0 && atomic.Cas64(word, v, v|antichainLocked) {
		return v
	}
	return antichainAwaitLine(word)
}

// antichainAwaitLine is antichainLockLine when others may hold the lock.
//
//go:nosplit
func antichainAwaitLine(word *uint64) uint64 {
	for spin := 0; ; spin++ {
		v := atomic.Load64(word)
		if v&antichainLocked == 0 && atomic.Cas64(word, v, v|antichainLocked) {
			return v
		}
		if spin < 50 {
			procyield(20)
		} else {
			osyield() // the owner's thread may not be running
		}
	}
}

// antichainUnlockLine unlocks the line, with first as its first word. On amd64 any store will do:
// they are seen in their order.
//
//go:nosplit
func antichainUnlockLine(word *uint64, first uint64) {
	if antichainAMD64 != 0 {
		*word = first
	} else {
		atomic.StoreRel64(word, first)
	}
}

// A write claims the bytes that the goroutine has read since its last record: in the lane of reads,
// shifted, and by a bit in the first word of a conflicting access that was reported for the read.
// No cell of a line has either.
const (
	antichainClaimShift = 32
	antichainClaimed    = antichainLocked
)

// antichainLane is the shift of an access of that kind in a word with bytes of each.
//
//go:nosplit
func antichainLane(what uint64) uint64 { return what >> antichainFlagShift % 4 * 8 }

// antichainRivals are the lanes that an access of each kind conflicts with: one of the two writes,
// and they are not both atomic.
var antichainRivals = [4]uint64{
	0:                     0xff00ff00,
	antichainAccessWrites: 0xffffffff,
	antichainAccessAtomic: 0x0000ff00,
	antichainAccessAtomic | antichainAccessWrites: 0x0000ffff,
}

// conflicts reports whether a conflicts with c, which is another goroutine's, in bytes without a
// later access of a's goroutine that conflicts with c as well.
//
//go:nosplit
func (a *antichainAccess) conflicts(c antichainCell, since uint64) bool {
	bytes := a.what & c.what & antichainBytes
	if bytes == 0 || c.when == 0 {
		return false
	}
	rivals := antichainRivals[c.what>>antichainFlagShift%4]
	if rivals>>antichainLane(a.what)&antichainBytes == 0 {
		return false
	}
	since &= rivals
	since |= since >> 16
	since |= since >> 8
	return bytes&^since != 0
}

// replaces reports whether c is no longer needed.
//
//go:nosplit
func (a *antichainAccess) replaces(c antichainCell) bool { return a.merges(c) || a.covers(c) }

// merges reports whether a is the same as c, apart from the bytes.
//
//go:nosplit
func (a *antichainAccess) merges(c antichainCell) bool {
	return c.when == a.now && (c.what^a.what)&^antichainBytes == 0
}

// covers reports whether everything that conflicts with c and is not ordered after it also
// conflicts with a, merged as it is, and is not ordered after a. c and a are known to be ordered,
// or are reported.
//
//go:nosplit
func (a *antichainAccess) covers(c antichainCell) bool {
	if c.what&^a.all&antichainBytes != 0 {
		return false
	}
	plain := a.what&antichainAtomic == 0
	if plain && a.what&antichainWrites != 0 {
		return true
	}
	return c.when>>antichainMomentShift == a.now>>antichainMomentShift && (plain || c.what&antichainAtomic != 0) && c.what&^a.what&antichainWrites == 0
}

// victim chooses the cell that a full line drops for the access what: a read, or else the oldest
// write. A later read of bytes that were not written since no longer meets that write. The line
// remembers that a cell was dropped.
//
//go:nosplit
func (l *antichainLine) victim(what uint64) uint32 {
	at := cheaprand()
	for range antichainCells {
		if i := at % antichainCells; l.cell(i).what&antichainWrites == 0 {
			l.drop(l.cell(i).what)
			return i
		}
		at++
	}
	const oldest = antichainCells - 1
	since := uint64(0)
	if what&antichainWrites != 0 {
		since = what
	}
	for i := range uint32(oldest) {
		since |= l.cell(i).what
	}
	if l.cell(oldest).what&^since&antichainBytes != 0 {
		*antichainWord32(antichainOffForgot) = 1
	}
	l.drop(l.cell(oldest).what)
	return oldest
}
