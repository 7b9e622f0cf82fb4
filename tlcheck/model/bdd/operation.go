package bdd

func (t *Table) and(f, g edge) edge {
	switch {
	case f == g || g == yes:
		return f
	case f == yes:
		return g
	case f == no || g == no || f == g.not():
		return no
	}
	if f > g {
		f, g = g, f
	}
	if r := t.cacheSlot(f, g, andOp); r.f == f && r.g == g && r.h == andOp {
		return r.is
	}
	t.step()
	level := min(t.level(f), t.level(g))
	f0, f1 := t.cofactors(f, level)
	g0, g1 := t.cofactors(g, level)
	low := t.and(f0, g0)
	is := t.node(level, low, t.and(f1, g1))
	*t.cacheSlot(f, g, andOp) = result{f, g, andOp, is}
	return is
}

func (t *Table) or(f, g edge) edge { return t.and(f.not(), g.not()).not() }

// xor moves the complements of the operands to the result, so fewer results are cached.
func (t *Table) xor(f, g edge) edge {
	complement := (f ^ g) & 1
	f, g = f&^1, g&^1
	switch {
	case f == g:
		return no ^ complement
	case f == yes:
		return g.not() ^ complement
	case g == yes:
		return f.not() ^ complement
	}
	if f > g {
		f, g = g, f
	}
	if r := t.cacheSlot(f, g, xorOp); r.f == f && r.g == g && r.h == xorOp {
		return r.is ^ complement
	}
	t.step()
	level := min(t.level(f), t.level(g))
	f0, f1 := t.cofactors(f, level)
	g0, g1 := t.cofactors(g, level)
	low := t.xor(f0, g0)
	is := t.node(level, low, t.xor(f1, g1))
	*t.cacheSlot(f, g, xorOp) = result{f, g, xorOp, is}
	return is ^ complement
}

// andExists is the relational product of Burch, Clarke, McMillan, Dill and Hwang, "Symbolic Model
// Checking: 10^20 States and Beyond", 1990, §6. It quantifies variables while it computes
// the conjunction, which is never stored as a whole.
func (t *Table) andExists(f, g, cube edge) edge {
	if f == no || g == no || f == g.not() {
		return no
	}
	level := min(t.level(f), t.level(g))
	for t.level(cube) < level {
		cube = t.nodes[cube>>1].high // neither f nor g depends on this variable
	}
	if cube == yes {
		return t.and(f, g)
	}
	if f > g {
		f, g = g, f
	}
	if r := t.cacheSlot(f, g, cube); r.f == f && r.g == g && r.h == cube {
		return r.is
	}
	t.step()
	f0, f1 := t.cofactors(f, level)
	g0, g1 := t.cofactors(g, level)
	is := t.andExists(f0, g0, cube)
	switch {
	case t.level(cube) != level:
		is = t.node(level, is, t.andExists(f1, g1, cube))
	case is != yes:
		is = t.or(is, t.andExists(f1, g1, cube))
	}
	*t.cacheSlot(f, g, cube) = result{f, g, cube, is}
	return is
}

// rename replaces variables.
func (t *Table) rename(f edge, r *renaming) edge {
	if t.level(f) > r.lastRenamed {
		return f
	}
	complement := f & 1
	f &^= 1
	if c := t.cacheSlot(f, r.number, renameOp); c.f == f && c.g == r.number && c.h == renameOp {
		return c.is ^ complement
	}
	t.step()
	n := t.nodes[f>>1]
	level, ok := r.to[n.level]
	if !ok {
		level = n.level
	}
	low := t.rename(n.low, r)
	is := t.node(level, low, t.rename(n.high, r))
	*t.cacheSlot(f, r.number, renameOp) = result{f, r.number, renameOp, is}
	return is ^ complement
}

func (t *Table) level(f edge) uint32 { return t.nodes[f>>1].level }

// cofactors returns f with the variable of the level false and true. f must not depend on variables
// above that level.
func (t *Table) cofactors(f edge, level uint32) (low, high edge) {
	n := &t.nodes[f>>1]
	if n.level != level {
		return f, f
	}
	return n.low ^ f&1, n.high ^ f&1
}
