package steps

import (
	"errors"
	"slices"
)

// findMaximal returns a step to each accepting node from which no other one is reachable, and a
// step with a cycle for each strongly connected component with an accepting node.
func (e *explorer) findMaximal(start node, yield stepHandler) error {
	return e.ends(start, yield, func(path []visit) (bool, error) {
		within, err := e.nodesWithin(start, path)
		if within == nil || err != nil {
			return true, err
		}
		return yield(e.step(within)), nil
	})
}

// ends returns the cycles, and calls last with a path to each accepting node from which no other
// one is reachable.
func (e *explorer) ends(start node, yield stepHandler, last func(path []visit) (bool, error)) error {
	c := &components{explorer: e}
	c.report = func(path []visit, component []node, looped bool) (bool, error) {
		switch n := path[len(path)-1].at; {
		case looped && slices.ContainsFunc(component, e.product.accepting):
			return e.reportCycle(start, path, component, yield)
		case !looped && e.product.accepting(n) && !c.after[n]:
			return last(path)
		}
		return true, nil
	}
	return c.search(start)
}

// nodesWithin returns the nodes of a path. If that is longer than the limit, it returns a shorter
// path to the same end; nil if there is none.
func (e *explorer) nodesWithin(start node, path []visit) ([]node, error) {
	end := path[len(path)-1].at
	if len(path) > e.limit {
		return e.connect(start, e.limit, func(node) bool { return true }, func(n node) bool { return n == end })
	}
	nodes := make([]node, len(path))
	for i, v := range path {
		nodes[i] = v.at
	}
	return nodes, nil
}

// connect returns a shortest path of 1 to limit nodes from start to a target; nil if there is none.
// If start is a target, the path is start alone.
func (e *explorer) connect(start node, limit int, passable, target func(node) bool) (path []node, err error) {
	onward := func(n node) ([]node, error) {
		behind, err := e.successors(n)
		return slices.DeleteFunc(slices.Clone(behind), func(to node) bool { return !passable(to) }), err
	}
	err = e.breadthFirst(start, limit, onward, func(wave []node, parents tree) bool {
		if i := slices.IndexFunc(wave, target); i >= 0 {
			path = parents.path(wave[i])
		}
		return path == nil
	})
	return path, err
}

// reportCycle returns a step to the component, to an accepting node there, and round a cycle.
func (e *explorer) reportCycle(start node, path []visit, component []node, yield stepHandler) (bool, error) {
	in := map[node]bool{}
	for _, n := range component {
		in[n] = true
	}
	inside := func(n node) bool { return in[n] }
	stem, round, err := e.firstCycle(start, path, inside, len(component))
	if err == nil && (stem == nil || len(stem)+len(round)-1 > e.limit) {
		stem, round, err = e.shortCycle(start, inside)
	}
	if stem == nil || err != nil {
		return true, err
	}
	return yield(&Step{e.product.states(slices.Concat(stem, round[:len(round)-1])), len(stem) - 1}), nil
}

// firstCycle goes to the component as the search did, and on to the nearest accepting node. The
// result may be longer than the limit, or nil.
func (e *explorer) firstCycle(start node, path []visit, inside func(node) bool,
	size int) (stem, round []node, err error) {
	if stem, err = e.nodesWithin(start, path); stem == nil || err != nil {
		return nil, nil, err
	}
	there, err := e.connect(stem[len(stem)-1], size, inside, e.product.accepting)
	if err != nil {
		return nil, nil, err
	}
	round, err = e.shortestCycle(there[len(there)-1], inside, size)
	return slices.Concat(stem, there[1:]), round, err
}

// shortCycle returns a cycle within the limit from an accepting node of the component; nil if there
// is none.
func (e *explorer) shortCycle(start node, inside func(node) bool) (stem, round []node, err error) {
	failed := e.breadthFirst(start, e.limit, e.successors, func(wave []node, parents tree) bool {
		for _, n := range wave {
			if !inside(n) || !e.product.accepting(n) {
				continue
			}
			way := parents.path(n)
			if round, err = e.shortestCycle(n, inside, e.limit-len(way)+1); round != nil {
				stem = way
			}
			if round != nil || err != nil {
				return false
			}
		}
		return true
	})
	return stem, round, errors.Join(err, failed)
}

// shortestCycle returns a shortest path from n back to n, without n at its beginning.
func (e *explorer) shortestCycle(n node, inside func(node) bool, limit int) (round []node, err error) {
	behind, err := e.successors(n)
	if err != nil {
		return nil, err
	}
	for _, to := range behind {
		if !inside(to) {
			continue
		}
		path, err := e.connect(to, limit, inside, func(m node) bool { return m == n })
		if err != nil {
			return nil, err
		}
		if path != nil && (round == nil || len(path) < len(round)) {
			round = path
		}
	}
	return round, nil
}

// allMaximal returns every path to a node where maximal steps end, and the cycles.
func (e *explorer) allMaximal(start node, yield stepHandler) error {
	targets := map[node]bool{}
	stopped := false
	cycle := func(s *Step) bool {
		stopped = !yield(s)
		return !stopped
	}
	err := e.ends(start, cycle, func(path []visit) (bool, error) {
		targets[path[len(path)-1].at] = true
		return true, nil
	})
	if err != nil || stopped {
		return err
	}
	return e.paths(start, e.limit, func(n node) bool { return targets[n] }, func(node) bool { return true }, yield)
}

// components finds the strongly connected components of the product in reverse topological order
// (Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972), and the nodes from which an
// accepting node is reachable.
type components struct {
	*explorer
	// report receives each component after all those reachable from it, with the search's path to
	// its first node. looped reports whether paths can stay in it. report returns false to end the
	// search.
	report func(path []visit, component []node, looped bool) (bool, error)

	// by node; index is 0 if the node was not visited, low is -1 in finished components
	index, low []int32
	after      []bool // by node: an accepting node is reachable by at least one move
	met        int32
	open       []node // visited nodes of unfinished components
}

// visit is a node on the path of the search.
type visit struct {
	at     node
	behind []node // successors not yet followed
}

func (c *components) search(start node) error {
	var path []visit
	enter := func(n node) error {
		behind, err := c.successors(n)
		if err != nil {
			return err
		}
		for len(c.index) < len(c.product.pairs) {
			c.index, c.low, c.after = append(c.index, 0), append(c.low, 0), append(c.after, false)
		}
		c.met++
		c.index[n], c.low[n] = c.met, c.met
		c.open = append(c.open, n)
		path = append(path, visit{n, behind})
		return nil
	}
	if err := enter(start); err != nil {
		return err
	}
	for len(path) > 0 {
		v := &path[len(path)-1]
		if len(v.behind) > 0 {
			to := v.behind[0]
			v.behind = v.behind[1:]
			switch {
			case int(to) >= len(c.index) || c.index[to] == 0:
				if err := enter(to); err != nil {
					return err
				}
			case c.low[to] >= 0:
				c.low[v.at] = min(c.low[v.at], c.index[to])
			}
			continue
		}
		if c.low[v.at] == c.index[v.at] {
			if goOn, err := c.finish(path); !goOn || err != nil {
				return err
			}
		}
		n := v.at
		if path = path[:len(path)-1]; len(path) > 0 && c.low[n] >= 0 {
			above := path[len(path)-1].at
			c.low[above] = min(c.low[above], c.low[n])
		}
	}
	return nil
}

// finish completes the component of the last node of the path.
func (c *components) finish(path []visit) (bool, error) {
	first := len(c.open) - 1
	for c.open[first] != path[len(path)-1].at {
		first--
	}
	component := slices.Clone(c.open[first:])
	c.open = c.open[:first]
	looped, after := len(component) > 1, false
	for _, n := range component {
		for _, to := range c.product.behind[n] {
			looped = looped || to == n
			after = after || c.low[to] < 0 && (c.after[to] || c.product.accepting(to))
		}
	}
	after = after || looped && slices.ContainsFunc(component, c.product.accepting)
	for _, n := range component {
		c.after[n], c.low[n] = after, -1
	}
	return c.report(path, component, looped)
}
