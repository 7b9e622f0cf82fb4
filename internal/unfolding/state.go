package unfolding

import (
	"maps"
	"slices"

	"github.com/bits-and-blooms/bitset"
)

// state is that of all objects and goroutines after some events.
type state struct {
	x       *Explorer
	last    map[Goroutine]int // the latest event of each goroutine that has been started
	uses    map[access]*usage // effect is not used
	objects map[Object]object
}

// object is the state of an object.
type object struct {
	held     bool // Mutex: locked; RWMutex: a writer is announced or has it; Once: a Do goes on
	done     bool // Once
	readers  int
	counter  int
	sent     []int // events that have sent into the buffer
	received int   // number of values that were taken out of it
	takenBy  []int
	closed   bool
	enlisted []Goroutine       // for a Cond, not notified so far
	notified map[Goroutine]int // by these events; they have not woken
}

// usage is the order in which a part was used: recent are its latest uses, all with the same
// effect, which can change places; before are the uses that these come after. written is the latest
// of all uses that writes, or root.
type usage struct {
	recent, before []int
	effect         effect
	written        int
}

func (x *Explorer) start() *state {
	s := &state{x: x, last: map[Goroutine]int{}, uses: map[access]*usage{}, objects: map[Object]object{}}
	for _, g := range x.initial {
		s.last[g] = root
	}
	return s
}

func (s *state) clone() *state {
	c := &state{
		x: s.x, last: maps.Clone(s.last), uses: make(map[access]*usage, len(s.uses)), objects: maps.Clone(s.objects),
	}
	for k, u := range s.uses {
		used := *u
		used.recent, used.before = slices.Clone(u.recent), slices.Clone(u.before)
		c.uses[k] = &used
	}
	for k, o := range c.objects {
		o.sent, o.takenBy, o.enlisted = slices.Clip(o.sent), slices.Clip(o.takenBy), slices.Clip(o.enlisted)
		o.notified = maps.Clone(o.notified)
		c.objects[k] = o
	}
	return c
}

// after returns the state after a configuration.
func (x *Explorer) after(c *bitset.BitSet) *state {
	s := x.start()
	for i, ok := c.NextSet(0); ok; i, ok = c.NextSet(i + 1) {
		s.do(int(i))
	}
	return s
}

func (s *state) position(g Goroutine) position { return position{g, s.last[g]} }

// operation is what a goroutine does next, as far as that is known.
func (s *state) operation(g Goroutine) Operation {
	if _, started := s.last[g]; !started {
		return Operation{}
	}
	return s.x.next[s.position(g)]
}

// use returns the uses that an access comes directly after.
func (s *state) use(a access) []int {
	u := s.uses[access{object: a.object, part: a.part}]
	switch {
	case u == nil:
		return nil
	case u.effect.commutes(a.effect):
		return u.before
	}
	return u.recent
}

// written returns the latest event that writes to a part, or root.
func (s *state) written(a access) int {
	if u := s.uses[access{object: a.object, part: a.part}]; u != nil {
		return u.written
	}
	return root
}

// note adds a use by an event.
func (s *state) note(a access, e int) {
	k := access{object: a.object, part: a.part}
	u := s.uses[k]
	switch {
	case u == nil:
		s.uses[k] = &usage{recent: []int{e}, effect: a.effect, written: root}
	case u.effect.commutes(a.effect):
		u.recent = append(u.recent, e)
	default:
		u.before, u.recent, u.effect = u.recent, []int{e}, a.effect
	}
	if a.effect == writes {
		s.uses[k].written = e
	}
}

// do makes an event that is possible.
func (s *state) do(e int) {
	v := &s.x.events[e]
	for _, a := range v.accesses {
		s.note(a, e)
	}
	s.apply(v, e)
	s.last[v.step.Goroutine] = e
	if v.step.Partner != Alone {
		s.last[v.step.Partner] = e
	}
	if v.operation.Kind == Start {
		s.last[v.operation.Starts] = e
	}
}

// apply changes the object of an event.
func (s *state) apply(v *event, e int) {
	id := v.operation.Object
	if v.operation.Kind == Communicate {
		if v.step.Case == Default || v.step.Partner != Alone {
			return
		}
		id = v.operation.Cases[v.step.Case].Channel
	}
	o := s.objects[id]
	switch v.operation.Kind {
	case Lock, Announce:
		o.held = true
	case TryLock:
		o.held = true // either it takes the lock, or something has it
	case TryWriteLock:
		o.held = o.held || o.readers == 0
	case Unlock, WriteUnlock:
		o.held = false
	case ReadLock:
		o.readers++
	case TryReadLock:
		if !o.held {
			o.readers++
		}
	case ReadUnlock:
		o.readers--
	case Do:
		o.held = !o.done
	case DoEnds:
		o.held, o.done = false, true
	case Add:
		o.counter += v.operation.Delta
	case Close:
		o.closed = true
	case Enlist, Signal, Broadcast, Wake:
		o.applyCond(v, e)
	case Communicate:
		o.communicate(v.operation.Cases[v.step.Case], e)
	}
	s.objects[id] = o
}

func (o *object) communicate(c Case, e int) {
	switch {
	case c.Send && !o.closed:
		o.sent = append(o.sent, e)
	case !c.Send && o.received < len(o.sent):
		o.takenBy = append(o.takenBy, e)
		o.received++
	}
}

func (o *object) applyCond(v *event, e int) {
	n := 0 // goroutines that are notified
	switch v.operation.Kind {
	case Enlist:
		o.enlisted = append(o.enlisted, v.step.Goroutine)
	case Signal:
		n = min(1, len(o.enlisted))
	case Broadcast:
		n = len(o.enlisted)
	case Wake:
		delete(o.notified, v.step.Goroutine)
	}
	if n > 0 && o.notified == nil {
		o.notified = map[Goroutine]int{}
	}
	for _, g := range o.enlisted[:n] {
		o.notified[g] = e
	}
	o.enlisted = o.enlisted[n:]
}
