package tlcheck

import (
	"iter"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// Mutual exclusion over n tasks has n² pairs of tasks, and it usually holds. A lock orders the
// sections that it protects in a sequence, and then the pairs need not be examined:
//
// A span precedes another if it is left before the other is entered, in every order of the run.
// That is transitive, and two spans of different tasks have no slice in common iff one precedes the
// other. So n spans exclude each other pairwise if, in the order of the run, each precedes the next
// one.
//
// If two predicates exclude each other, like spans of readers and of writers, then in the order of
// the run groups of spans of both kinds alternate, and all spans of a group must precede all of the
// next.

// excludedByOrder reports whether local states alone show that the branch has no violation: some
// two of its TIVs are in no slice in their spans. False proves nothing.
func (s *search) excludedByOrder(b *branch) (bool, error) {
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

// exclusive is ordered for one slice; same reports whether two slots have the same requirement.
func (s *search) exclusive(b *branch, tracks map[int]*requirement, same func(int, int) bool) (bool, error) {
	for slot, first := range tracks {
		if err := s.stopped(); err != nil {
			return false, err
		}
		for other, second := range tracks {
			same := same(slot, other)
			if slot >= other || same && !b.mustDiffer(slot, other) {
				continue
			}
			o := ordering{net: s.net, budget: s.budget, passes: make([]int, 2*s.net.Tasks())}
			if s.sections != nil && (b.mustDiffer(slot, other) || s.exclude(first, second)) {
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
	second bool // it belongs to the second of two predicates
}

// ordering decides whether spans exclude each other.
type ordering struct {
	net    *san.Net
	budget slices.Budget
	steps  int          // counts calls of stopped
	hubs   []san.Action // see allPrecede
	first  []section    // likewise
	last   []section    // likewise
	pass   int          // numbers the calls of distinct
	passes []int        // by task and predicate: the last call that found one
	guards *guards      // nil if no lock separates spans
}

// stopped returns, on some of its calls, why the computation must stop.
func (o *ordering) stopped() error {
	if o.steps++; o.steps%statesPerPoll == 0 {
		return o.budget.Err()
	}
	return nil
}

// exclude reports whether no span of the first predicate has a slice in common with a span of the
// second, or with another span if the two are the same.
func (o *ordering) exclude(first, second [][]span, same bool) (bool, error) {
	if same {
		second = nil
	}
	all, err := o.inOrder(first, second)
	if err != nil {
		return false, err
	}
	for from, to := 0, o.unorderedPrefix(all, same); from < len(all); {
		end := to + o.unorderedPrefix(all[to:], same)
		if ok, err := o.allPrecede(all[from:to], all[to:end]); !ok {
			return false, err
		}
		from, to = to, end
	}
	return true, nil
}

// unorderedPrefix returns how many spans, from the first one on, need not precede each other: those
// of one of two predicates, or those that a lock separates.
func (o *ordering) unorderedPrefix(all []section, same bool) int {
	n := min(1, len(all))
	for !same && n > 0 && n < len(all) && all[n].second == all[0].second {
		n++
	}
	if o.guards != nil {
		n = max(n, o.guards.separatedPrefix(all, same))
	}
	return n
}

// allPrecede reports whether every span of earlier precedes every one of later. A hub is an action
// that comes after all of earlier: a barrier, or the start of later tasks. A section that knows a
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
		if past, err := o.isAfterAll(in, earlier); !past {
			return false, err
		}
		if spawn, ok := o.net.SpawnedBy(l.task); ok {
			past, err := o.isAfterAll(spawn, earlier)
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

// distinct appends the first section of each task and predicate. To decide whether all sections of
// one group precede all of another, it suffices to compare the last one of each task in the former
// with the first one in the latter. Sections of two predicates may overlap in a task, and the last
// one to begin may be the first one to end.
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

// maxHubs bounds the hubs that are tried. They are the first ones found, because later tasks tend
// to know these too.
const maxHubs = 4

func (o *ordering) pastHub(a san.Action) bool {
	for _, h := range o.hubs[:min(len(o.hubs), maxHubs)] {
		if o.net.Known(a, h.Task) >= int(h.K) {
			return true
		}
	}
	return false
}

// isAfterAll reports whether a comes after all of the sections, or ends them.
func (o *ordering) isAfterAll(a san.Action, sections []section) (bool, error) {
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

// inOrder returns the spans in the order in which the run reached them, which is a topological
// order.
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
