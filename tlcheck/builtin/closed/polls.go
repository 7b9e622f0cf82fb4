package closed

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// polls looks for channels that can be closed twice, because a select statement with a default
// shows only what was so when it ran:
//
//	select {
//	case <-c:
//	default:
//		close(c)
//	}
//
// A task took the case, as another one had closed c; what it knew before shows that nothing else
// orders the two. So there is a slice in which it is there and c is not closed: it takes the
// default. Of what it does then the run has an example, if a task took the default of the same
// statement and closed the channel of that case next. Then both are about to close c. If there is
// anything between the default and the close, such as an atomic variable that decides which task
// closes, it is no example; under a lock, or in a sync.Once, the two are ordered. Whether to close
// may also depend on what a task alone knows, such as an argument. So it is assumed that the first
// one would close, too, and the finding says so (Guess). If a task took the default and did not
// close the channel, this is in doubt.
type polls struct {
	candidate.Pairs                               // of a statement that found a close, and that
	tasks           sparse.Table[*poll]           // nil where there was none, or the task has ended
	closed          map[polledCase]candidate.Mark // after the default
	passed          passed
}

// poll is the last select statement with a default to which a task came.
type poll struct {
	candidate.Mark
	cases  []op.Case
	closes bool // one of the channels may be closed behind it, or it took no default
}

// polledCase is a case of a select statement in the program.
type polledCase struct {
	place op.Place
	flaw  candidate.Flaw // closePolled and its number
}

func (s *polls) noteSelect(o *op.Op) {
	if !o.HasDefault() || len(o.Cases) > candidate.MaxCases {
		return
	}
	at := s.tasks.Ensure(int(o.Task))
	if *at == nil {
		*at = new(poll)
	} else {
		s.settle(*at)
	}
	p := *at
	p.closes = !o.TakesDefault()
	p.Mark, p.cases = candidate.MarkOf(o, op.Select), append(p.cases[:0], o.Cases...)
}

// of returns the last statement of a task, nil if there was none.
func (s *polls) of(t op.Task) *poll {
	if at := s.tasks.At(int(t)); at != nil {
		return *at
	}
	return nil
}

// caseBefore returns the case with the object of o, of the statement right before o.
func (s *polls) caseBefore(o *op.Op) (*poll, polledCase, bool) {
	p := s.of(o.Task)
	if p == nil || p.K+1 != o.K {
		return nil, polledCase{}, false
	}
	i := slices.Index(p.cases, op.Case{Object: o.Object})
	return p, polledCase{p.Mark.At, closePolled + candidate.Flaw(max(i, 0))}, i >= 0
}

// settle notes that a task did not close a channel behind its last statement.
func (s *polls) settle(p *poll) {
	if !p.closes {
		s.passed.note(p.At)
	}
}

func (s *polls) noteClose(o *op.Op) {
	if p := s.of(o.Task); p != nil {
		p.closes = true
	}
	if _, c, ok := s.caseBefore(o); ok && len(s.closed) < candidate.MaxPairs {
		s.closed[c] = candidate.MarkOf(o, op.Close)
	}
}

func (s *polls) noteReceive(o *op.Op, closing candidate.Mark) {
	if closing.Kind != op.Close || closing.Within(o.Begin, o.Task, o.K) {
		return
	}
	if p, taken, ok := s.caseBefore(o); ok {
		s.Predict(taken.flaw, p.Mark, closing, o.Object)
	}
}

func (s *polls) end(task op.Task) {
	if p := s.of(task); p != nil {
		s.settle(p)
		*s.tasks.At(int(task)) = nil
	}
}

// closeExample is a close after the default of a select statement.
type closeExample struct {
	candidate.Mark
	flaw candidate.Flaw // of the case with its channel
	way  []string       // from the statement; see wayToClose
}

// doubleCloses reports tasks that would close the channel after the default.
func (s *polls) doubleCloses(names op.Names) []rule.Finding {
	var examples []closeExample
	for c, m := range s.closed {
		if way := wayToClose(names, c.place, m.At); len(way) > 0 {
			examples = append(examples, closeExample{m, c.flaw, way})
		}
	}
	slices.SortFunc(examples, func(a, b closeExample) int { return cmp.Compare(a.At, b.At) })
	s.Describe = func(w candidate.Words, p *candidate.Pair) candidate.Description {
		calls := callsOf(names, p.First.At)
		i := slices.IndexFunc(examples, func(e closeExample) bool {
			return e.flaw == p.Flaw && isBelow(e.way, calls)
		})
		if i < 0 {
			return candidate.Description{}
		}
		d := describePolled(w, p, &examples[i].Mark)
		s.passed.doubt(&d, names, examples[i].way)
		return d
	}
	return s.Findings(names)
}

// wayToClose returns the calls from the function that closes the channel to the select statement of
// an example, innermost first: other callers may not go on to close anything. It returns nothing if
// these are not known.
func wayToClose(names op.Names, poll, close op.Place) []string {
	closes := names.Place(close).Stack
	i := slices.IndexFunc(names.Place(poll).Stack, func(f op.Frame) bool {
		return len(closes) > 0 && f.Function == closes[0].Function
	})
	return callsOf(names, poll)[:i+1]
}

// isBelow reports whether calls begin with a way.
func isBelow(way, calls []string) bool {
	return len(way) <= len(calls) && slices.Equal(way, calls[:len(way)])
}

// callsOf returns where a place is and where its callers are, innermost first.
func callsOf(names op.Names, p op.Place) []string {
	var calls []string
	for _, f := range names.Place(p).Stack {
		calls = append(calls, f.At)
	}
	return calls
}

// passed has the places where a task has found a channel open and went on without closing it. There
// something else decides which task closes, such as an item that only one of them finds.
type passed map[op.Place]bool

func (ps *passed) note(at op.Place) {
	if *ps == nil {
		*ps = passed{}
	}
	if len(*ps) < candidate.MaxPairs {
		(*ps)[at] = true
	}
}

// doubt makes a description doubtful if a task has come the same way and did not close.
func (ps passed) doubt(d *candidate.Description, names op.Names, way []string) {
	for at := range ps {
		if isBelow(way, callsOf(names, at)) {
			d.IsDoubted = true
			d.Notes = append(d.Notes, "in this run a goroutine found it open there, and went on without closing it")
			return
		}
	}
}
