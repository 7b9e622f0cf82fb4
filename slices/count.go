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
				if !earlier.Contains(i) {
					if count++; count > limit {
						return limit, false
					}
				}
			}
			level = s.l.levelAbove(level, iv.Hi)
		}
	}
	return count, true
}

// levelAbove returns the successors up to hi of slices with equally many actions, each once.
func (l *Lattice) levelAbove(level []Ideal, hi Ideal) []Ideal {
	var next []Ideal
	seen := make(map[string]bool)
	for _, i := range level {
		for _, a := range l.Enabled(i) {
			if !hi.Has(a) {
				continue
			}
			j := l.Fire(i, a)
			if key := j.key(); !seen[key] {
				seen[key] = true
				next = append(next, j)
			}
		}
	}
	return next
}
