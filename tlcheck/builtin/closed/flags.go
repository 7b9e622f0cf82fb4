package closed

import (
	"github.com/antichain-go/antichain/internal/freelist"
	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// flags looks for channels that can be closed twice, because an atomic variable that says whether
// the channel is closed is looked at and set in two steps:
//
//	if closed.Load() {
//		return
//	}
//	closed.Store(true)
//	close(c)
//
// A task loaded the variable, stored to it and closed a channel, and did nothing else meanwhile.
// Another one loaded the variable at the same place later. Until then it knew nothing that the
// first one had done behind its load: only the variable orders that. So there is a slice in which
// both are behind their loads, and both find what the first one has found. As with polls it is
// assumed that the other one would close the channel then. A CompareAndSwap or Swap is no store;
// behind a lock, or a second load, the tasks are ordered or do something else meanwhile.
//
// The run does not show what the program tests besides the variable, as in a search for an item
// that only one task finds. So the second close is only possible.
type flags struct {
	candidate.Pairs // of a load that found the variable set, and the close
	// the last load of each task, nil where there was none, or the task has ended
	tasks    sparse.Table[*look]
	spare    freelist.List[look]
	closers  map[uint64]*closer  // by the address of the variable
	examples map[op.Place]closer // by the place of the close
}

// look is a load, and what its task has done right behind it.
type look struct {
	candidate.Mark
	address uint64
	begin   *clock.Clock
	store   candidate.Mark // to the same variable, of kind None if there is none
	close   candidate.Mark
	channel op.Object
	after   *closer // who had set the variable, unless the task knew of that
}

// closer is a task that has found a variable not set, has set it and closed a channel.
type closer struct {
	load, store, close candidate.Mark
	channel            op.Object
}

// isLast reports whether the task has done nothing behind its load.
func (l *look) isLast() bool { return l.store.Kind == op.None && l.close.Kind == op.None }

// of returns the operations of a task that has closed a channel in the same way.
func (c closer) of(close candidate.Mark) closer {
	later := close.K - c.close.K
	for _, m := range []*candidate.Mark{&c.load, &c.store, &c.close} {
		m.Task, m.K = close.Task, m.K+later
	}
	return c
}

// schedule returns an order in which both are behind their loads before one of them goes on.
func (c *closer) schedule(load candidate.Mark) []candidate.Mark {
	if c.store.K > c.close.K {
		return []candidate.Mark{c.load, load, c.close}
	}
	return []candidate.Mark{c.load, load, c.store, c.close}
}

// maxFlags bounds the variables that are known.
const maxFlags = 1 << 12

// last returns the last load of a task, where the task has done nothing else since but what belongs
// to it.
func (s *flags) last(o *op.Op) *look {
	l := s.of(o.Task)
	if l == nil || l.K == 0 || o.K > l.K+2 || o.K > l.K+1 && l.isLast() {
		return nil
	}
	return l
}

// of returns the last load of a task, nil if there is none.
func (s *flags) of(t op.Task) *look {
	if at := s.tasks.At(int(t)); at != nil {
		return *at
	}
	return nil
}

func (s *flags) noteLoad(o *op.Op) {
	at := s.tasks.Ensure(int(o.Task))
	if *at == nil {
		*at = s.spare.Get()
	}
	s.settle(*at)
	l := look{Mark: candidate.MarkOf(o, op.AtomicLoad), address: o.Address, begin: o.Begin}
	if c := s.closers[o.Address]; c != nil && c.load.Task != o.Task {
		next := c.load
		next.K++
		if !next.Within(o.Begin, o.Task, o.K) {
			l.after = c
		}
	}
	**at = l
}

// settle notes that a task did not set the variable or close a channel behind its last load.
func (s *flags) settle(l *look) {
	if l.after != nil && l.isLast() {
		s.Predict(closeFlagged, l.Mark, l.after.close, l.after.channel)
	}
	*l = look{}
}

func (s *flags) noteStore(o *op.Op) {
	delete(s.closers, o.Address)
	if l := s.last(o); l != nil && l.address == o.Address && l.store.Kind == op.None && !o.Exchanges() {
		l.store = candidate.MarkOf(o, op.AtomicStore)
		s.noteCloser(l)
	}
}

func (s *flags) noteClose(o *op.Op) {
	if l := s.last(o); l != nil && l.close.Kind == op.None {
		l.close, l.channel = candidate.MarkOf(o, op.Close), o.Object
		s.noteCloser(l)
	}
}

func (s *flags) noteCloser(l *look) {
	if l.store.Kind == op.None || l.close.Kind == op.None || len(s.closers) == maxFlags {
		return
	}
	if s.closers == nil {
		s.closers, s.examples = map[uint64]*closer{}, map[op.Place]closer{}
	}
	c := closer{l.Mark, l.store, l.close, l.channel}
	s.closers[l.address] = &c
	if len(s.examples) < candidate.MaxPairs {
		s.examples[c.close.At] = c
	}
}

func (s *flags) end(task op.Task) {
	if l := s.of(task); l != nil {
		s.settle(l)
		*s.tasks.At(int(task)) = nil
		s.spare.Put(l)
	}
}

// doubleCloses reports tasks that would close the channel behind their loads: those that have come
// there in the same way as the one that did.
func (s *flags) doubleCloses(names op.Names) []rule.Finding {
	for _, at := range s.tasks.All() {
		if *at != nil {
			s.settle(*at)
		}
	}
	s.Describe = func(w candidate.Words, p *candidate.Pair) candidate.Description {
		example := s.examples[p.Second.At]
		way := wayToClose(names, example.load.At, p.Second.At)
		if len(way) == 0 || !isBelow(way, callsOf(names, p.First.At)) {
			return candidate.Description{}
		}
		return describeFlagged(w, p, example.of(p.Second))
	}
	return s.Findings(names)
}
