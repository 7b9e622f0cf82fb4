package slices

import (
	"sort"

	"github.com/antichain-go/antichain/san"
)

// Least returns the slice of s with the fewest actions, among several the one with the first index
// vector; false if s is empty.
func (s Set) Least() (Ideal, bool) {
	var least Ideal
	size := -1
	for _, iv := range s.ivs {
		n := iv.Lowest()
		if size >= 0 && n > size {
			continue
		}
		if i := s.l.least(iv); n < size || size < 0 || i.Before(least) {
			least, size = i, n
		}
	}
	return least, size >= 0
}

// Greatest returns the slice of s with the most actions, among several the one with the first index
// vector; false if s is empty.
func (s Set) Greatest() (Ideal, bool) {
	var greatest Ideal
	size := -1
	for _, iv := range s.ivs {
		n := iv.Highest()
		if n < size {
			continue
		}
		if i := s.l.first(iv, n); n > size || i.Before(greatest) {
			greatest, size = i, n
		}
	}
	return greatest, size >= 0
}

// Reachable reports whether some slice of s is above i, or is i unless strictly is set.
func (s Set) Reachable(i Ideal, strictly bool) bool {
	for _, iv := range s.ivs {
		up, ok := iv.above(i)
		if ok && (!strictly || up.Highest() > i.Size()) {
			return true
		}
	}
	return false
}

// Before reports whether the index vector of i comes before that of j.
func (i Ideal) Before(j Ideal) bool {
	if i.reps == nil {
		return j.Events() > 0
	}
	for t := range san.Task(i.reps.l.net.Tasks()) {
		if a, b := i.At(t), j.At(t); a != b {
			return a < b
		}
	}
	return false
}

// least returns the slice of iv with the fewest actions, among several the first.
func (l *Lattice) least(iv Interval) Ideal {
	if iv.from == 0 {
		return iv.Lo
	}
	return l.first(iv, iv.from)
}

// first returns the slice of [iv.Lo,iv.Hi] with that rank, among several the one with the first
// index vector. It fixes one task after the other at the least number of its events that still
// allows the rank.
func (l *Lattice) first(iv Interval, rank int) Ideal {
	lo, hi := iv.Lo, iv.Hi
	for t := range san.Task(l.net.Tasks()) {
		if lo.Size() == rank || hi.Size() == rank {
			break
		}
		from, to := lo.At(t), hi.At(t)
		n := from + sort.Search(to-from, func(n int) bool {
			return l.upTo(hi, t, from+n).Size() >= rank
		})
		hi = l.upTo(hi, t, n)
		if n > from {
			lo = lo.Join(l.Down(san.Action{Task: t, K: int32(n)}))
		}
	}
	if lo.Size() == rank {
		return lo
	}
	return hi
}

// upTo returns the actions of i that do not need more than n events of t.
func (l *Lattice) upTo(i Ideal, t san.Task, n int) Ideal {
	if n >= i.At(t) {
		return i
	}
	return l.without(i, san.Action{Task: t, K: int32(n + 1)})
}

// plain keeps intervals without ranks whose union is iv: from every slice of the lowest rank to
// every one of the highest.
func (l *Lattice) plain(b Budget, iv Interval, keep func(Interval)) error {
	if !iv.Ranked() {
		keep(iv)
		return nil
	}
	tops, err := l.tops(b, iv)
	if err != nil {
		return err
	}
	for _, hi := range tops {
		bottoms, err := l.bottoms(b, Interval{Lo: iv.Lo, Hi: hi, from: iv.from})
		if err != nil {
			return err
		}
		for _, lo := range bottoms {
			keep(Interval{Lo: lo, Hi: hi})
		}
	}
	return nil
}

// tops returns every slice of iv with the highest rank.
func (l *Lattice) tops(b Budget, iv Interval) ([]Ideal, error) {
	return l.steps(b, iv.Hi, iv.Hi.Size()-iv.Highest(), l.downwards(iv))
}

// bottoms returns every slice of iv with the lowest rank.
func (l *Lattice) bottoms(b Budget, iv Interval) ([]Ideal, error) {
	return l.steps(b, iv.Lo, iv.Lowest()-iv.Lo.Size(), l.upwards(iv))
}

// steps returns the slices n ranks away from one, each once.
func (l *Lattice) steps(b Budget, from Ideal, n int, neighbours func(Ideal, func(Ideal))) ([]Ideal, error) {
	level := []Ideal{from}
	var err error
	for ; n > 0 && err == nil; n-- {
		level, err = l.step(b, level, neighbours)
	}
	return level, err
}

// downwards returns a function that yields the predecessors of a slice in [iv.Lo,iv.Hi].
func (l *Lattice) downwards(iv Interval) func(Ideal, func(Ideal)) {
	return func(i Ideal, each func(Ideal)) {
		for _, e := range l.Maximal(i) {
			if !iv.Lo.Has(e) {
				each(l.without(i, e))
			}
		}
	}
}

// upwards returns a function that yields the successors of a slice in [iv.Lo,iv.Hi].
func (l *Lattice) upwards(iv Interval) func(Ideal, func(Ideal)) {
	return func(i Ideal, each func(Ideal)) {
		for _, e := range l.Enabled(i) {
			if iv.Hi.Has(e) {
				each(l.Fire(i, e))
			}
		}
	}
}

// step returns the neighbours of the slices of one rank, each once.
func (l *Lattice) step(b Budget, level []Ideal, neighbours func(Ideal, func(Ideal))) ([]Ideal, error) {
	var next []Ideal
	seen := make(map[string]bool)
	for _, i := range level {
		err := b.Allow(len(next))
		if err != nil {
			return nil, err
		}
		neighbours(i, func(j Ideal) {
			if err == nil { // a slice can have as many neighbours as there are tasks
				err = b.Allow(len(next))
			}
			if err != nil {
				return
			}
			if key := j.key(); !seen[key] {
				seen[key] = true
				next = append(next, j)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return next, nil
}
