package tlcheck

import (
	"iter"
	stdslices "slices"

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

// ordered reports whether local states alone show that the branch has no violation: some two of its
// TIVs are never where they are wanted in one slice. False means nothing.
func (s *search) ordered(b *branch) (bool, error) {
	ordered, err := s.exclusive(b, b.tracks, b.sameCore)
	for i := range b.aheads {
		if ordered || err != nil {
			break
		}
		ordered, err = s.exclusive(b, b.aheads[i].tracks, func(int, int) bool { return false })
	}
	for i := range b.goals {
		if ordered || err != nil {
			break
		}
		ordered, err = s.exclusive(b, b.goals[i].tracks, func(int, int) bool { return false })
	}
	return ordered, err
}

// exclusive is ordered for one slice; same reports whether the same is wanted of two slots.
func (s *search) exclusive(b *branch, tracks map[int]*requirement, same func(int, int) bool) (bool, error) {
	for slot, first := range tracks {
		if err := s.stopped(); err != nil {
			return false, err
		}
		for other, second := range tracks {
			same := same(slot, other)
			if slot >= other || same && !b.differ(slot, other) {
				continue
			}
			o := ordering{net: s.net, budget: s.budget, passes: make([]int, 2*s.net.Tasks())}
			if s.sections != nil && (b.differ(slot, other) || s.apart(first, second)) {
				o.guards = &guards{sections: s.sections}
			}
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
	first  []section    // likewise
	last   []section    // likewise
	pass   int          // numbers the calls of distinct
	passes []int        // by task and predicate, the last one that came to it
	guards *guards      // nil if no lock keeps spans apart
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
	for from, to := 0, o.group(all, same); from < len(all); {
		end := to + o.group(all[to:], same)
		if ok, err := o.allPrecede(all[from:to], all[to:end]); !ok {
			return false, err
		}
		from, to = to, end
	}
	return true, nil
}

// group returns how many spans, from the first one on, need not precede each other: those of one of
// two predicates, or those that a lock keeps apart.
func (o *ordering) group(all []section, same bool) int {
	n := min(1, len(all))
	for !same && n > 0 && n < len(all) && all[n].second == all[0].second {
		n++
	}
	if o.guards != nil {
		n = max(n, o.guards.group(all, same))
	}
	return n
}

// allPrecede reports whether every span of earlier precedes every one of later. A hub is an
// action that comes after all of earlier: a barrier, or the start of later tasks. What knows a
// hub need not be compared with all of earlier.
func (o *ordering) allPrecede(earlier, later []section) (bool, error) {
	o.hubs = o.hubs[:0]
	o.last = o.distinct(stdslices.Backward(earlier), o.last[:0])
	o.first = o.distinct(stdslices.All(later), o.first[:0])
	earlier = o.last
	for _, l := range o.first {
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

// distinct appends the first one of each task and predicate. If all sections of one group are to
// precede all of another one, only the last one of them in the former and the first one in the
// latter need be compared. Those of two predicates may overlap in a task, and the last one to begin
// be the first one to end.
func (o *ordering) distinct(sections iter.Seq2[int, section], to []section) []section {
	o.pass++
	for _, s := range sections {
		of := 2 * s.task
		if s.second {
			of++
		}
		if o.passes[of] != o.pass {
			o.passes[of] = o.pass
			to = append(to, s)
		}
	}
	return to
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
