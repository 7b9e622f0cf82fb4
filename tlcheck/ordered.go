package tlcheck

import (
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// Mutual exclusion over n tasks has n² pairs of tasks, and that it holds is the usual case.
// A lock orders the sections that it protects one behind the other, and then the pairs
// need not be looked at:
//
// Say that a span precedes another if it is left before the other is entered, in every
// order of the run. That is transitive, and two spans of different tasks have no slice in
// common iff one precedes the other. So n spans exclude each other pairwise if, in the order
// of the run, each precedes the next one.
//
// If two predicates exclude each other, as spans of readers and of writers, then in the
// order of the run a group of spans of one kind follows a group of the other, and all
// of a group must precede all of the next.

// ordered reports whether the core alone shows that the branch has no violation: some two of its
// TIVs are never where they are wanted in one slice. False means nothing.
func (s *search) ordered(b *branch) (bool, error) {
	for slot, first := range b.tracks {
		if err := s.stopped(); err != nil {
			return false, err
		}
		for other, second := range b.tracks {
			same := b.sameCore(slot, other)
			if slot >= other || same && !b.differ(slot, other) {
				continue
			}
			o := ordering{net: s.net, budget: s.budget}
			if exclude, err := o.exclude(first.spans, second.spans, same); exclude || err != nil {
				return exclude, err
			}
		}
	}
	return false, nil
}

// section is a span of a task.
type section struct {
	task   san.Task
	span   span
	second bool // of the second of two predicates
}

// ordering decides whether spans exclude each other.
type ordering struct {
	net    *san.Net
	budget slices.Budget
	steps  int          // see stopped
	hubs   []san.Action // see allPrecede
}

// stopped returns now and then why nothing more is to be found out.
func (o *ordering) stopped() error {
	if o.steps++; o.steps%statesPerPoll == 0 {
		return o.budget.Err()
	}
	return nil
}

// exclude reports whether no span of the first predicate has a slice in common with a span
// of the second, or if the two are the same with another one.
func (o *ordering) exclude(first, second [][]span, same bool) (bool, error) {
	if same {
		second = nil
	}
	all, err := o.inOrder(first, second)
	if err != nil {
		return false, err
	}
	for from := 0; from < len(all); {
		to := from + 1
		for !same && to < len(all) && all[to].second == all[from].second {
			to++
		}
		end := min(to+1, len(all))
		for !same && end < len(all) && all[end].second == all[to].second {
			end++
		}
		if ok, err := o.allPrecede(all[from:to], all[to:end]); !ok {
			return false, err
		}
		from = to
	}
	return true, nil
}

// allPrecede reports whether every span of earlier precedes every one of later. A hub is an
// action that comes after all of earlier: a barrier, or the start of later tasks. What knows a
// hub need not be compared with all of earlier.
func (o *ordering) allPrecede(earlier, later []section) (bool, error) {
	o.hubs = o.hubs[:0]
	for _, l := range later {
		in, ok := entry(o.net, l.task, l.span.from)
		if !ok {
			return false, nil
		}
		if o.pastHub(in) {
			continue
		}
		if past, err := o.past(in, earlier); !past {
			return false, err
		}
		if spawn, ok := o.net.SpawnedBy(l.task); ok {
			past, err := o.past(spawn, earlier)
			if err != nil {
				return false, err
			}
			if past {
				in = spawn
			}
		}
		o.hubs = append(o.hubs, in)
	}
	return true, nil
}

// maxHubs bounds the hubs that are tried: those that were found first, because later
// tasks tend to know them too.
const maxHubs = 4

func (o *ordering) pastHub(a san.Action) bool {
	for _, h := range o.hubs[:min(len(o.hubs), maxHubs)] {
		if o.net.Known(a, h.Task) >= int(h.K) {
			return true
		}
	}
	return false
}

// past reports whether a comes after all of the sections, or ends them.
func (o *ordering) past(a san.Action, sections []section) (bool, error) {
	for _, s := range sections {
		out, ok := exit(o.net, s.task, s.span.to)
		if !ok || o.net.Known(a, out.Task) < int(out.K) {
			return false, nil
		}
		if err := o.stopped(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// inOrder returns the spans in an order in which none stands before one that precedes it:
// that in which the run came to them.
func (o *ordering) inOrder(first, second [][]span) ([]section, error) {
	var all []section
	next := [2][]int32{make([]int32, len(first)), make([]int32, len(second))}
	arrive := func(t san.Task, k int) {
		for i, spans := range [][][]span{first, second} {
			if spans == nil {
				continue
			}
			if n := next[i][t]; int(n) < len(spans[t]) && spans[t][n].from <= k {
				all = append(all, section{t, spans[t][n], i == 1})
				next[i][t]++
			}
		}
	}
	for t := range san.Task(o.net.Tasks()) {
		if o.net.Initial(t) || o.net.Len(t) == 0 {
			arrive(t, 0)
		}
	}
	step := func(a san.Action) {
		if a.K == 1 {
			arrive(a.Task, 0)
		}
		arrive(a.Task, int(a.K))
	}
	for a := range o.net.Order() {
		if err := o.stopped(); err != nil {
			return nil, err
		}
		if sides := o.net.Joint(a); sides != nil {
			for _, side := range sides {
				step(side)
			}
			continue
		}
		step(a)
	}
	return all, o.budget.Err()
}
