package slices

import "iter"

// Count returns the number of slices, or (limit, false) if there are more than limit.
func (l *Lattice) Count(limit int) (int, bool) { return l.All().Count(limit) }

// Count returns the number of slices in s, or (limit, false) if there are more than limit.
func (s Set) Count(limit int) (int, bool) {
	count := 0
	for range s.All() {
		if count++; count > limit {
			return limit, false
		}
	}
	return count, true
}

// All yields the slices of s, each once. It needs memory for all slices of one rank. It has no
// budget: the caller stops it by leaving the loop.
func (s Set) All() iter.Seq[Ideal] {
	return func(yield func(Ideal) bool) {
		for n, iv := range s.ivs {
			earlier := Set{s.l, s.ivs[:n]}
			for level := []Ideal{iv.Lo}; len(level) > 0; {
				for _, i := range level {
					if iv.Contains(i) && !earlier.Contains(i) && !yield(i) {
						return
					}
				}
				level, _ = s.l.step(Budget{}, level, s.l.upwards(iv)) // cannot fail without bounds
			}
		}
	}
}
