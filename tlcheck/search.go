package tlcheck

import (
	"cmp"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// violation is a slice and a TIVA in which the property is false.
type violation struct {
	slice slices.Ideal
	size  int        // number of actions in slice
	tiva  []san.Task // by slot of the free TIVs
}

// search looks for the violation with the fewest actions; ties go to the first TIVA,
// then to the first index vector.
type search struct {
	*evaluator
	tree      *tree
	initially bool // only the initial slice counts
	joint     bool // some action is joint
	best      *violation
	covered   float64 // share of the TIVAs of the branch that are decided
	done      int     // branches decided
	branches  []*branch
}

func (s *search) run() error {
	env := make([]san.Task, s.tree.slots)
	for _, b := range s.branches {
		s.covered = 0
		b.prepare(s.tasks)
		err := s.assign(b, env, 0, nil, 1)
		b.spans = nil
		if err != nil {
			return err
		}
		s.done++
	}
	return nil
}

// assign tries every task for the branch's slot number n, those before it being
// assigned; tracks holds what the core wants of them. Slots that the branch
// does not depend on stand for the first task, which is the first TIVA.
func (s *search) assign(b *branch, env []san.Task, n int, tracks []track, share float64) error {
	if n == len(b.slots) {
		err := s.leaf(b, env, tracks)
		if err == nil {
			s.covered += share
		}
		return err
	}
	slot := b.slots[n]
	share /= float64(len(s.tasks))
	for _, t := range s.tasks {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		env[slot] = t
		next, ok, err := s.possible(b, env, n, tracks)
		if err != nil {
			return err
		}
		if !ok {
			s.covered += share
			continue
		}
		if err := s.assign(b, env, n+1, next, share); err != nil {
			return err
		}
	}
	env[slot] = 0
	return nil
}

// possible reports whether a TIVA that starts like env can give a violation better
// than the best, and returns the tracks with that of slot number n.
func (s *search) possible(b *branch, env []san.Task, n int, tracks []track) ([]track, bool, error) {
	slot := b.slots[n]
	if !s.admitted(b, env, slot, slot) {
		return nil, false, nil
	}
	if spans, ok := b.spans[slot]; ok {
		tracks = withTrack(tracks, env[slot], spans[env[slot]])
		if len(tracks[len(tracks)-1].spans) == 0 {
			return nil, false, nil
		}
	}
	tiva, open := env[:len(s.tree.tivs)], b.slots[n+1:]
	if (s.best != nil || s.initially) && !s.better(s.atLeast(b, env, open, tracks), tiva, open) {
		return nil, false, nil
	}
	slice, ok := least(s.lat, tracks)
	if !ok || !s.better(slice.Size(), tiva, open) {
		return nil, false, nil
	}
	for _, r := range b.rest {
		if !s.initially && len(r.free) > 0 && r.free[len(r.free)-1] == slot && len(r.free) < s.slots {
			set, err := s.set(r, env)
			if err != nil || set.IsEmpty() {
				return nil, false, err
			}
		}
	}
	return tracks, true, nil
}

// withTrack returns the tracks with one more; two of one task become one.
func withTrack(tracks []track, task san.Task, spans []span) []track {
	out := make([]track, 0, len(tracks)+1)
	for _, t := range tracks {
		if t.task == task {
			spans = common(t.spans, spans)
			continue
		}
		out = append(out, t)
	}
	return append(out, track{task: task, spans: spans})
}

// better reports whether a violation with at least that many actions and a TIVA like
// tiva, in which the open slots are still to be assigned, can come before the best.
func (s *search) better(size int, tiva []san.Task, open []int) bool {
	if s.initially && size > 0 {
		return false
	}
	if s.best == nil || size != s.best.size {
		return s.best == nil || size < s.best.size
	}
	for i, t := range tiva {
		if stdslices.Contains(open, i) {
			t = 0
		}
		if c := cmp.Compare(t, s.best.tiva[i]); c != 0 {
			return c < 0
		}
	}
	return true
}

// leaf decides one TIVA of a branch.
func (s *search) leaf(b *branch, env []san.Task, tracks []track) error {
	if len(b.rest) == 0 {
		if slice, ok := least(s.lat, tracks); ok {
			s.offer(slice, env)
		}
		return nil
	}
	if s.initially {
		for _, n := range b.items {
			in, err := s.contains(n, env, s.lat.Bottom())
			if err != nil || !in {
				return err
			}
		}
		s.offer(s.lat.Bottom(), env)
		return nil
	}
	set, err := s.and(b.items, env)
	if err != nil {
		return err
	}
	if slice, ok := set.Least(); ok {
		s.offer(slice, env)
	}
	return nil
}

// offer makes the violation the best one if it is.
func (s *search) offer(slice slices.Ideal, env []san.Task) {
	size, tiva := slice.Size(), env[:len(s.tree.tivs)]
	if !s.better(size, tiva, nil) {
		return
	}
	v := &violation{slice: slice, size: size, tiva: stdslices.Clone(tiva)}
	if s.best == nil || size < s.best.size || stdslices.Compare(tiva, s.best.tiva) < 0 || slice.Before(s.best.slice) {
		s.best = v
	}
}

// representatives returns the tasks that TIVs need be tried with, in order. Tasks for
// which every atom gives the same, no slice or all slices, are exchangeable; of
// each such class as many stay as there are slots, because conditions can make at
// most that many different. The first ones stay, so that the first TIVA does.
func representatives(t *tree, atoms *atomTable) []san.Task {
	net := atoms.net
	var tasks []san.Task
	members := map[string]int{}
	for task := range san.Task(net.Tasks()) {
		class, own := signature(t, atoms, task)
		if !own {
			members[class]++
		}
		if own || members[class] <= max(t.slots, 1) {
			tasks = append(tasks, task)
		}
	}
	return tasks
}

// signature tells how the atoms behave for the task; own if one does so in a way of
// its own.
func signature(t *tree, atoms *atomTable, task san.Task) (class string, own bool) {
	if t.hasCaller {
		return "", true
	}
	var sig []byte
	for _, l := range t.leaves {
		r := atoms.reach(l.atom, task, l.want)
		if r == reachSome {
			return "", true
		}
		sig = append(sig, byte(r))
	}
	return string(sig), false
}
