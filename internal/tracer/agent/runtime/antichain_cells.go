//go:build antichain_traced

package runtime

import "internal/runtime/atomic"

// What becomes of the cells of a granule when it is accessed.

// antichainAccess is an access of a goroutine, the caller, to the granule at base.
type antichainAccess struct {
	gp   *g
	now  uint64
	what uint64
	all  uint64 // what, with the bytes of the cell that it merges with: see gather
	base uintptr
	fp   uintptr // frame from which on the stack says where it is
}

// refresh is meet in the frequent cases: the goroutine's latest access to the granule is the last one there was, and of the
// same kind and bytes, so that every conflict is told; or there are no cells but its own, none of them atomic, as in a buffer
// that is gone through byte by byte. It reports whether that is so; the first word of the line, which was first, is left to
// the caller, as it is the lock.
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

// widen is refresh for the most frequent of these: the goroutine has just done the same to other bytes of the granule, at the same place, as
// where a buffer is gone through byte by byte, and no cell is covered yet. It reports false where that is not so.
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

// stays reports whether the cell is one of the goroutine that does something now, not atomically, and does not cover it.
//
//go:nosplit
func (c *antichainCell) stays(now, does uint64) bool {
	return (c.when^now)>>antichainMomentShift == 0 && c.what&antichainAtomic == 0 && !antichainCovered(c.what, does)
}

// antichainWhole is what an access is, but for its places and whether it writes.
const antichainWhole = antichainBytes | antichainAtomic

// refreshRest is refresh for a line of several cells, of which the goroutine has the first.
//
//go:nosplit
func (l *antichainLine) refreshRest(first, now, what uint64) bool {
	did, all := l.first.what, what // all with what it merges with
	if (did|what)&antichainAtomic != 0 {
		return false
	}
	stays := first == now && (did^what)&^antichainBytes == 0 // all that there is: the first cell only gets more bytes
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
	if !room && n == antichainCells { // not so on a page, of which a goroutine's own cells are a read and a write at most
		dropped = l.victim(what)
	}
	l.shift(first, all, n, dropped)
	return true
}

// shift puts the access what, a goroutine's own as all that there is, in front of the first n cells of a line without those that it
// covers and the one that is to be dropped. Where the first word, which was first, is to be stays with the caller.
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

// antichainCovered is covers for what one goroutine did and does, none of it atomic: whether the one is not needed any more behind
// the other.
//
//go:nosplit
func antichainCovered(did, does uint64) bool {
	return did&^does&(antichainBytes|antichainWrites) == 0
}

// meet puts the access in front of its locked line, of which first was the first word. Behind it stay those
// that were there, but for what is not needed any more; if there is no room, something is dropped.
// Conflicts are told.
//
// Words of cells are read and written one by one: processors wait long for two at once that have just been
// written apart.
//
//go:nosplit
func (a *antichainAccess) meet(line *antichainLine, first uint64) {
	var news [antichainCells]antichainCell
	found := uint32(0) // an index without a sign needs no check, which has no room on small stacks, nor has another variable for overwriting
	since := uint64(0) // what the goroutine has done to the word since, as far as the loop has come: bytes, shifted by kind. What a write claims is shifted further
	if line.takeDropped(a.what) {
		found = antichainFoundDropped
	}
	a.gather(line, first)
	n, dropped := line.cells(), ^uint32(0)
	if n == antichainCells && a.crowds(line, first) {
		dropped = line.victim(a.what)
	}
	kept, moving, carried := uint32(0), true, antichainCell{a.now, a.all} // carried, if moving, goes behind those kept
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
	if moving { // behind the last one
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
		systemstack(func() { // where there is room for all that writing a record may come to
			if found >= antichainFoundDropped {
				a.tell(&antichainCell{antichainOverwrites, a.what & antichainBytes})
			}
			for i := range found % antichainFoundDropped {
				a.tell(&news[i%antichainCells])
			}
		})
	}
}

// gather finds out what the access comes to with the one that it merges with.
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

// crowds reports whether meet would drop something of a line that has a rest, and first was the first word of.
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

// put fills the cell; its first word only on demand, as that may be a lock.
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

// antichainAwaitLine is antichainLockLine where others may have the lock.
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

// antichainUnlockLine gives the line back, with first as its first word. On amd64 any store will do:
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

// What a goroutine has read since its last record, and writes now, it claims: bytes in the lane of reads, shifted, and a bit in the first word of a
// conflicting access that has been told of the read. No cell of a line has either.
const (
	antichainClaimShift = 32
	antichainClaimed    = antichainLocked
)

// antichainLane is the place of an access of that kind in a word with bytes of each.
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

// conflicts reports whether a conflicts with c, which is another goroutine's, in bytes of which the
// goroutine of a has not done anything since that conflicts with c as well.
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

// replaces reports whether c is not needed any more.
//
//go:nosplit
func (a *antichainAccess) replaces(c antichainCell) bool { return a.merges(c) || a.covers(c) }

// merges reports whether a is the same as c, but for the bytes.
//
//go:nosplit
func (a *antichainAccess) merges(c antichainCell) bool {
	return c.when == a.now && (c.what^a.what)&^antichainBytes == 0
}

// covers reports whether, with what it merges with, everything that conflicts with c and is not ordered after it also
// conflicts with a, and is not ordered after a. That c and a are ordered is known, or they are told.
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

// victim chooses what is dropped from a full line for the access what: a read, or else the oldest write. Who reads bytes that nobody
// has written since does not come upon that any more. The line remembers that something was dropped.
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
