package steps

// minimal searches depth first, and not beyond accepting nodes. It returns a step to each accepting
// node that is reachable without passing another one. It visits a node again if a shorter path
// leads there, since otherwise the limit could hide its successors. It reports each accepting node
// once.
func (e *explorer) minimal(start node, yield stepHandler) error {
	least := map[node]int{} // length of the shortest path on which a node was visited
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

// depthSearch searches by iterative deepening, and stores only the present path.
type depthSearch struct {
	*explorer
	shortest bool // stop at the first depth with a step
	all      bool // return all steps of that depth

	depth int  // number of states of the present depth
	found bool // some step has this depth
	cut   bool // some path continues beyond the depth
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

// visit returns the minimal steps that have exactly as many states as the depth.
func (m *depthSearch) visit(path []node, yield stepHandler) (onward []node, goOn bool, err error) {
	n := path[len(path)-1]
	accepting := m.product.accepting(n)
	switch {
	case accepting && len(path) == m.depth:
		m.found = true
		return nil, yield(m.step(path)) && (m.all || !m.shortest), nil
	case accepting: // a step of a smaller depth
	case len(path) < m.depth:
		onward, err = m.successors(n)
	default:
		m.cut = true
	}
	return onward, true, err
}
