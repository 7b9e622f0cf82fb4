package slices

// Count returns the number of slices, or (limit, false) if there are more than limit.
func (l *Lattice) Count(limit int) (int, bool) { return l.All().Count(limit) }

// Count returns the number of slices in s, or (limit, false) if there are more than limit.
func (s Set) Count(limit int) (int, bool) {
	count := 0
	for n, iv := range s.ivs {
		earlier := Set{s.l, s.ivs[:n]}
		level := []Ideal{iv.Lo}
		for len(level) > 0 {
			for _, i := range level {
				if iv.Contains(i) && !earlier.Contains(i) {
					if count++; count > limit {
						return limit, false
					}
				}
			}
			level = s.l.step(level, s.l.upwards(iv))
		}
	}
	return count, true
}
