package reversal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tracer/op"
)

// Pair is two operations of a run whose later one can come first.
type Pair struct {
	// Key is equal for pairs of the same lines and classes of goroutines, in either order, also of
	// other runs.
	Key string

	earlier, later event
	kind           kind
	heard          bool // the goroutine of the later one has had the message of the earlier one
}

// Ranked returns the pairs of the run, first those whose reversal is most likely to show something
// else. Pairs of the user's own code come before those of the standard library, pairs of different
// goroutines or places before those of two that do the same, and those of a message that was
// received come last. Among these, kinds of objects take turns, since one kind may have very many.
func (w *Watcher) Ranked(names op.Names) []Pair {
	type ranked struct {
		Pair
		group, turn int
	}
	all := make([]ranked, len(w.pairs))
	turns := make(map[[2]int]int)
	for i, p := range w.pairs {
		a, b := w.keyOf(&p.earlier, names), w.keyOf(&p.later, names)
		p.Key = min(a, b) + "\n" + max(a, b)
		g := group(&p, names)
		lane := [2]int{g, int(p.kind)}
		all[i] = ranked{p, g, turns[lane]}
		turns[lane]++
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(a.group-b.group, a.turn-b.turn, int(a.kind)-int(b.kind))
	})
	pairs := make([]Pair, len(all))
	for i, r := range all {
		pairs[i] = r.Pair
	}
	return pairs
}

// keyOf returns the line of an operation, and the stacks of the go statements that its goroutine
// comes from. The same statement starts other goroutines in another test.
func (w *Watcher) keyOf(e *event, names op.Names) string {
	var key strings.Builder
	key.WriteString(names.Place(e.at).At)
	for class := e.class; class != 0; class = w.origins[class-1].parent {
		place := names.Place(w.origins[class-1].at)
		key.WriteString(" " + place.At)
		for _, f := range place.Stack {
			key.WriteString("<" + f.At)
		}
	}
	return key.String()
}

// group returns the group of a pair; lower ones come first.
func group(p *Pair, names op.Names) int {
	g := 0
	switch {
	case p.heard:
		g = 2
	case p.earlier.side() == p.later.side():
		g = 1
	}
	if names.Place(p.earlier.at).Library || names.Place(p.later.at).Library {
		g += 3
	}
	return g
}

// Schedule returns the schedule in which the later operation comes first. source, which may be nil,
// returns the file of a place, and the number of the line. The error says why there is none.
func (p *Pair) Schedule(visits *schedule.Visits, names op.Names,
	source func(at string) (src []byte, line int, ok bool), patience time.Duration) (*schedule.Schedule, error) {
	return p.schedule(nil, visits, names, source, patience)
}

// HasLook reports whether the goroutine of the earlier operation may have found out right before
// that it is to do that.
func (p *Pair) HasLook() bool { return p.earlier.look.kind != op.None }

// BehindLook is Schedule, but the goroutine of the earlier operation finds out that it is to do
// that before the later operation comes.
func (p *Pair) BehindLook(visits *schedule.Visits, names op.Names,
	source func(at string) (src []byte, line int, ok bool), patience time.Duration) (*schedule.Schedule, error) {
	l := &p.earlier.look
	look := schedule.Operation{Task: p.earlier.task, K: l.k, Kind: l.kind, At: l.at}
	return p.schedule([]schedule.Operation{look}, visits, names, source, patience)
}

// schedule returns the schedule with some operations before the two.
func (p *Pair) schedule(before []schedule.Operation, visits *schedule.Visits, names op.Names,
	source func(at string) (src []byte, line int, ok bool), patience time.Duration) (*schedule.Schedule, error) {
	first := p.later.operation()
	if p.later.role == locking && p.earlier.role == readLocking {
		first.Kind = op.Block // readers wait behind a writer that waits
	}
	s, err := visits.Schedule(append(before, first, p.earlier.operation()), names, source)
	if err != nil {
		return nil, err
	}
	s.Comment = []string{fmt.Sprintf("reversed: %s", Words(s))}
	s.Keep = schedule.Keep{Patience: patience}
	return s, nil
}

func (e *event) operation() schedule.Operation {
	return schedule.Operation{Task: e.task, K: e.k, Kind: kinds[e.role], At: e.at}
}

// Words describes the schedule of a pair: "main.2: close at a.go:7 before main.1: send at a.go:3".
func Words(s *schedule.Schedule) string { return strings.Join(Steps(s), " before ") }

// Steps describes the two operations in the schedule of a pair.
func Steps(s *schedule.Schedule) []string {
	n := len(s.Steps)
	return []string{s.Steps[n-2].Words(), s.Steps[n-1].Words()}
}
