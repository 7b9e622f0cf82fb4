package causality

import (
	"iter"

	"github.com/antichain-go/antichain/internal/freelist"
	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// object is what goroutines synchronise on at one address, until the memory there is freed. A lock
// may start with an atomic, so each way of synchronising has a knowledge of its own. A program may
// have as many objects as values, most of them atomic variables, so each has only the parts in use.
type object struct {
	addr        uint64
	nextInBlock *object // in the same block of memory, behind this one
	atomic      *variable
	released    *sharedKnowledge // by KindRelease, KindReleaseMerge
	held        *lock
	channel     *channel
	rare        *rareState
	name        name
	lock        bool // released by unlocking, which does not count in the order without locks
}

// variable is the knowledge that atomic operations hand on.
type variable struct {
	stored causalKnowledge  // by the last store
	loaded *sharedKnowledge // by the loads since; nil if there were none
}

// rareState has the parts that most objects lack.
type rareState struct {
	timer   *timer
	counter *waitCounter
	// of a Cond, by all its signals; of a woken goroutine, by the wakeups before its own
	signals *causalKnowledge
	// with Options.Sections, the knowledge at the ends of the program's sections
	sections known
	met      [2]*goroutine // at an unbuffered channel last
	text     string        // of object.name, once it is needed

	outcomes    outcomes     // with Options.Outcomes
	connections *connections // nil if the object is no key of any
}

func (o *object) variable() *variable { return ensure(&o.atomic) }

func (o *object) ensureRare() *rareState { return ensure(&o.rare) }

// ensure returns *p, which it allocates if it is nil.
func ensure[V any](p **V) *V {
	if *p == nil {
		*p = new(V)
	}
	return *p
}

// reset makes o an unused object.
func (o *object) reset() {
	*o = object{addr: o.addr, nextInBlock: o.nextInBlock}
}

// objects has the objects at all addresses. Removing those in a range of memory is as frequent as
// looking one up. So they are found by blocks of memory: a block has its first object, which leads
// to the others.
type objects struct {
	blocks sparse.Array[uint64, object]
	recent [recentObjects]*object
	spare  freelist.List[object]
}

const (
	blockSize = 64 // bytes

	// recentObjects is the size of a small cache in front of the blocks: programs use few objects
	// at a time, and nearly every record looks one up, some twice.
	recentObjects = 1 << 12
)

// recentAt returns the slot of the cache in which the object at addr may be. Addresses are
// multiples of at least 4.
func (os *objects) recentAt(addr uint64) **object {
	return &os.recent[(addr>>2^addr>>12)%recentObjects]
}

// find returns the object at addr, nil if there is none.
func (os *objects) find(addr uint64) *object {
	recent := os.recentAt(addr)
	if o := *recent; o != nil && o.addr == addr {
		return o
	}
	for o := os.blocks.At(addr / blockSize); o != nil; o = o.nextInBlock {
		if o.addr == addr {
			*recent = o
			return o
		}
	}
	return nil
}

// add adds an object at addr, where there is none.
func (os *objects) add(addr uint64) *object {
	o := os.spare.Get()
	o.addr = addr
	first := os.blocks.At(addr / blockSize)
	link := linkOf(&first, addr)
	o.nextInBlock, *link = *link, o
	os.blocks.Set(addr/blockSize, first)
	*os.recentAt(addr) = o
	return o
}

// remove removes an object, which may be reused once it is no longer looked at.
func (os *objects) remove(o *object) {
	first := os.blocks.At(o.addr / blockSize)
	*linkOf(&first, o.addr) = o.nextInBlock
	os.blocks.Set(o.addr/blockSize, first)
	if recent := os.recentAt(o.addr); *recent == o {
		*recent = nil
	}
}

func (os *objects) reuse(o *object) {
	*o = object{}
	os.spare.Put(o)
}

// linkOf returns the link that points to the object at addr, given the first link of its block. If
// there is no such object, it is the link where the object is to be inserted.
func linkOf(link **object, addr uint64) **object {
	for *link != nil && (*link).addr < addr {
		link = &(*link).nextInBlock
	}
	return link
}

// inRange yields the objects in a range of memory by their addresses. They may be removed
// meanwhile.
func (os *objects) inRange(addr, size uint64) iter.Seq[*object] {
	return func(yield func(*object) bool) {
		if size == 0 || addr+size-1 < addr { // also of a corrupt record
			return
		}
		for _, o := range os.blocks.From(addr/blockSize, (addr+size-1)/blockSize) {
			for o != nil {
				next := o.nextInBlock
				if o.addr-addr < size && !yield(o) {
					return
				}
				o = next
			}
		}
	}
}

// all yields all objects.
func (os *objects) all() iter.Seq[*object] {
	return func(yield func(*object) bool) {
		for _, o := range os.blocks.All() {
			for ; o != nil; o = o.nextInBlock {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// object returns the object at addr, a new one if there is none.
func (p *Order) object(addr uint64) *object {
	if o := p.objects.find(addr); o != nil {
		return o
	}
	return p.objects.add(addr)
}

// maxFreed bounds the bytes that are freed at once.
const maxFreed = 1 << 40

// free removes the objects in memory that is about to be reused. If one is an armed timer of
// AfterFunc, it was stopped: its task will not run.
func (p *Order) free(rec *ring.Record) {
	if rec.Aux > maxFreed {
		p.Corrupt(rec, "of more memory than a program has")
		return
	}
	for o := range p.objects.inRange(rec.Addr, rec.Aux) {
		p.objects.remove(o)
		p.disarm(o.addr)
		if p.watch != nil {
			p.reportFree(o)
		}
		p.objects.reuse(o)
	}
}

// disarm drops the task of an armed timer of AfterFunc, which will not run.
func (p *Order) disarm(addr uint64) {
	child := p.timers[addr]
	if child == nil {
		return
	}
	delete(p.timers, addr)
	if p.watch != nil {
		p.reportEnd(child)
	}
}
