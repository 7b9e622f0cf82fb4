package steps

// minimal searches depth first, and not beyond accepting nodes: so it returns a step to each of them that can
// be reached without passing another one. A node is visited again if it is reached in fewer states than before, as else the
// limit could hide what is behind it; each accepting node is reported once.
func (e *explorer) minimal(start node, yield stepHandler) error {
	least := map[node]int{} // states of the shortest path on which a node was visited
	_, err := e.descend(start, func(path []node) (onward []node, goOn bool, err error) {
		n := path[len(path)-1]
		l, seen := least[n]
		if seen && l <= len(path) {
			return nil, true, nil
		}
		least[n] = len(path)
		switch {
		case e.product.accepting(n):
			return nil, seen || yield(e.step(path)), nil
		case len(path) < e.limit:
			onward, err = e.successors(n)
		}
		return onward, true, err
	})
	return err
}

// depthSearch searches by depth, and knows only the path that it is at.
type depthSearch struct {
	*explorer
	shortest bool // stop at the first depth at which there is a step
	all      bool // return all of that depth

	depth int  // states of the steps that are looked for
	found bool // there are some
	cut   bool // some path could go on beyond the depth
}

func (m *depthSearch) find(start node, yield stepHandler) error {
	for m.depth = 1; m.depth <= m.limit; m.depth++ {
		m.cut = false
		goOn, err := m.descend(start, func(path []node) ([]node, bool, error) { return m.visit(path, yield) })
		if !goOn || err != nil || !m.cut || m.shortest && m.found {
			return err
		}
	}
	return nil
}

// visit returns the minimal steps of exactly as many states as the depth.
func (m *depthSearch) visit(path []node, yield stepHandler) (onward []node, goOn bool, err error) {
	n := path[len(path)-1]
	accepting := m.product.accepting(n)
	switch {
	case accepting && len(path) == m.depth:
		m.found = true
		return nil, yield(m.step(path)) && (m.all || !m.shortest), nil
	case accepting: // one of a smaller depth
	case len(path) < m.depth:
		onward, err = m.successors(n)
	default:
		m.cut = true
	}
	return onward, true, err
}
