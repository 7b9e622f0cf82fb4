package steps

import (
	"context"
	"slices"
)

// findShortest searches breadth first. It returns a step to each accepting node at the least
// distance.
func (e *explorer) findShortest(start node, yield stepHandler) error {
	level, parents, err := e.levels(start)
	if err != nil {
		return err
	}
	for _, n := range level {
		if e.product.accepting(n) && !yield(e.step(parents.path(n))) {
			return nil
		}
	}
	return nil
}

// levels returns the accepting and other nodes at the least distance with an accepting one; none if
// that is beyond the limit.
func (e *explorer) levels(start node) (level []node, parents tree, err error) {
	err = e.breadthFirst(start, e.limit, e.successors, func(wave []node, from tree) bool {
		if slices.ContainsFunc(wave, e.product.accepting) {
			level, parents = wave, from
		}
		return level == nil
	})
	return level, parents, err
}

// breadthFirst visits the nodes at each distance from one, breadth first, on paths of at most limit
// nodes, until visit returns false. The tree has the paths to all visited nodes.
func (e *explorer) breadthFirst(start node, limit int, successors func(node) ([]node, error),
	visit func(wave []node, parents tree) bool) error {
	wave, parents := []node{start}, tree{start: start}
	for depth := 1; len(wave) > 0 && visit(wave, parents) && depth < limit; depth++ {
		if e.search.ctx.Err() != nil {
			return context.Cause(e.search.ctx)
		}
		var next []node
		for _, n := range wave {
			behind, err := successors(n)
			if err != nil {
				return err
			}
			for _, to := range behind {
				if _, known := parents[to]; !known {
					parents[to] = n
					next = append(next, to)
				}
			}
		}
		wave = next
	}
	return nil
}

// tree is a tree of nodes, which maps each to its parent. The root is its own parent.
type tree map[node]node

// path returns the nodes from the root to n.
func (t tree) path(n node) (path []node) {
	for ; t[n] != n; n = t[n] {
		path = append(path, n)
	}
	path = append(path, n)
	slices.Reverse(path)
	return path
}

// allShortest returns every path of the least length to an accepting node.
func (e *explorer) allShortest(start node, yield stepHandler) error {
	level, parents, err := e.levels(start)
	if err != nil || len(level) == 0 {
		return err
	}
	i := slices.IndexFunc(level, e.product.accepting)
	return e.paths(start, len(parents.path(level[i])), e.product.accepting, e.unfinished, yield)
}

// unfinished reports whether a minimal step may pass through a node.
func (e *explorer) unfinished(n node) bool { return !e.product.accepting(n) }

// findEvery returns a step to each accepting node, shorter ones first, and continues beyond it.
func (e *explorer) findEvery(start node, yield stepHandler) error {
	return e.breadthFirst(start, e.limit, e.successors, func(wave []node, parents tree) bool {
		for _, n := range wave {
			if e.product.accepting(n) && !yield(e.step(parents.path(n))) {
				return false
			}
		}
		return true
	})
}

// allEvery yields every path to an accepting node.
func (e *explorer) allEvery(start node, yield stepHandler) error {
	return e.paths(start, e.limit, e.product.accepting, func(node) bool { return true }, yield)
}

// allMinimal returns every path to an accepting node that passes through no other one.
func (e *explorer) allMinimal(start node, yield stepHandler) error {
	return e.paths(start, e.limit, e.product.accepting, e.unfinished, yield)
}

// paths returns every path of at most limit nodes that ends in a target and passes only through
// passable nodes. It begins no path that cannot be completed within the limit. Therefore the time
// between two paths is linear in their length and the moves of their nodes.
func (e *explorer) paths(start node, limit int, target, passable func(node) bool, yield stepHandler) error {
	reached, err := e.reach(start, limit, passable)
	if err != nil {
		return err
	}
	w := &walk{explorer: e, limit: limit, target: target, passable: passable,
		missing: e.distancesTo(reached, target, passable), yield: yield}
	if _, ok := w.missing[start]; !ok {
		return nil
	}
	_, err = e.descend(start, w.visit)
	return err
}

// reach returns the nodes within a distance.
func (e *explorer) reach(start node, limit int, passable func(node) bool) (reached []node, err error) {
	onward := func(n node) ([]node, error) {
		if !passable(n) {
			return nil, nil
		}
		return e.successors(n)
	}
	err = e.breadthFirst(start, limit, onward, func(wave []node, _ tree) bool {
		reached = append(reached, wave...)
		return true
	})
	return reached, err
}

// distancesTo returns for each node the least number of nodes behind it on a path to a target. It
// searches breadth first, backward from the targets.
func (e *explorer) distancesTo(reached []node, target, passable func(node) bool) map[node]int {
	before := map[node][]node{}
	missing := map[node]int{}
	var queue []node
	for _, n := range reached {
		if passable(n) {
			for _, to := range e.product.behind[n] {
				before[to] = append(before[to], n)
			}
		}
		if target(n) {
			missing[n] = 0
			queue = append(queue, n)
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, b := range before[n] {
			if _, ok := missing[b]; !ok {
				missing[b] = missing[n] + 1
				queue = append(queue, b)
			}
		}
	}
	return missing
}

// walk enumerates all paths to targets.
type walk struct {
	*explorer
	limit            int
	target, passable func(node) bool
	missing          map[node]int
	yield            stepHandler
}

func (w *walk) visit(path []node) (onward []node, goOn bool, err error) {
	n := path[len(path)-1]
	if w.target(n) && !w.yield(w.step(path)) {
		return nil, false, nil
	}
	if !w.passable(n) {
		return nil, true, nil
	}
	for _, to := range w.product.behind[n] {
		if missing, ok := w.missing[to]; ok && len(path)+1+missing <= w.limit {
			onward = append(onward, to)
		}
	}
	return onward, true, nil
}

// descend enumerates paths depth first. visit receives each path, and returns the nodes by which to
// extend it, or false to end the search. It does not recurse, since paths can be longer than a call
// stack should be. It looks at the context, since there can be very many paths.
func (e *explorer) descend(start node, visit func(path []node) (onward []node, goOn bool,
	err error)) (goOn bool, err error) {
	// open has the remaining extensions of each prefix of path
	path, open := []node{}, [][]node{{start}}
	for len(open) > 0 {
		last := len(open) - 1
		if len(open[last]) == 0 {
			open = open[:last]
			path = path[:max(0, len(path)-1)]
			continue
		}
		path = append(path, open[last][0])
		open[last] = open[last][1:]
		if e.search.ctx.Err() != nil {
			return false, context.Cause(e.search.ctx)
		}
		onward, goOn, err := visit(path)
		if !goOn || err != nil {
			return goOn, err
		}
		open = append(open, onward)
	}
	return true, nil
}

// findMinimal searches depth first, and not beyond accepting nodes. It returns a step to each
// accepting node that is reachable without passing another one. It visits a node again if a shorter
// path leads there, since otherwise the limit could hide its successors. It reports each accepting
// node once.
func (e *explorer) findMinimal(start node, yield stepHandler) error {
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
