package poset

import "context"

// Width returns the size of the largest antichain. Both results are equal unless ctx ended before
// the size was certain; then it lies between them.
//
// By Dilworth's theorem ("A Decomposition Theorem for Partially Ordered Sets", 1950) it is the
// least number of chains that cover the order. Such a cover is a flow through the graph of direct
// predecessors in which every element carries at least one unit; elements may carry more, which
// saves the transitive closure. The tasks are the initial cover. Each unit that can be taken back
// from the end to the beginning removes a chain. Units are found in rounds as by Dinic ("Algorithm
// for Solution of a Problem of Maximum Flow in Networks with Power Estimation", 1970), shortest
// paths first, each round in linear time.
func (p *Poset) Width(ctx context.Context) (atLeast, atMost int) {
	_, atLeast = p.levels()
	f := p.newFlow()
	for f.total > atLeast && f.search(ctx) {
		f.takeBack(ctx)
	}
	if ctx.Err() == nil {
		return f.total, f.total
	}
	return atLeast, f.total
}

// flow is a cover of the order by chains.
type flow struct {
	p          *Poset
	total      int     // number of chains
	through    []int32 // by element: number of chains through it, at least 1
	start, end []int32 // by element: number of chains that begin or end there
	along      []int32 // by edge: number of chains that use it

	// Each element e has two nodes of the network, 2e where chains enter and 2e+1 where they leave.
	// level is the distance from the end of all chains, 0 if not reached. arc is the next arc of a
	// node that was not tried in this round.
	level, arc []int32
	queue      []int32
	goal       int32 // level of the nodes from which the beginning of all chains is reachable
}

// newFlow returns the cover by tasks.
func (p *Poset) newFlow() *flow {
	n := p.Len()
	f := &flow{
		p: p, through: make([]int32, n), start: make([]int32, n), end: make([]int32, n),
		along: make([]int32, len(p.preds)),
		level: make([]int32, 2*n), arc: make([]int32, 2*n),
	}
	for t := range len(p.first) - 1 {
		chain := p.event[p.first[t]:p.first[t+1]]
		if len(chain) == 0 {
			continue
		}
		f.total++
		f.start[chain[0]]++
		f.end[chain[len(chain)-1]]++
		for i, e := range chain {
			f.through[e]++
			if i > 0 {
				f.along[p.edge(chain[i-1], e)]++
			}
		}
	}
	return f
}

// edge returns the edge between an element and the next one of the same task.
func (p *Poset) edge(x, e int32) int32 {
	edge := p.from[e]
	for p.preds[edge] != x {
		edge++
	}
	return edge
}

// search computes the levels. It reports false if the beginning is unreachable or ctx ends.
func (f *flow) search(ctx context.Context) bool {
	clear(f.level)
	clear(f.arc)
	f.queue, f.goal = f.queue[:0], 0
	reach := func(node, level int32) {
		if f.level[node] == 0 {
			f.level[node] = level
			f.queue = append(f.queue, node)
		}
	}
	for e, n := range f.end {
		if n > 0 {
			reach(int32(2*e+1), 1)
		}
	}
	for i := 0; i < len(f.queue); i++ { // the loop adds nodes
		node := f.queue[i]
		level := f.level[node]
		if f.goal > 0 && level >= f.goal || i&0xffff == 0 && ctx.Err() != nil {
			break
		}
		if f.begins(node) {
			f.goal = level
			continue
		}
		for arc := range f.arcs(node) {
			if to, open := f.follow(node, arc); open {
				reach(to, level+1)
			}
		}
	}
	return f.goal > 0 && ctx.Err() == nil
}

// begins reports whether a chain begins at the node, where a unit can be taken back.
func (f *flow) begins(node int32) bool { return node&1 == 0 && f.start[node/2] > 0 }

// arcs returns the number of arcs of a node.
func (f *flow) arcs(node int32) int32 {
	e := node / 2
	if node&1 == 0 {
		return 1 + f.p.from[e+1] - f.p.from[e]
	}
	return 1 + f.p.succAt[e+1] - f.p.succAt[e]
}

// follow returns the target of an arc on which a unit is taken back, and whether it is open. From
// where chains leave e it is open against the chains if e can spare one, and along every edge,
// since an element may be on several chains. From where they enter, it is open along e, and against
// each edge in use.
func (f *flow) follow(node, arc int32) (to int32, open bool) {
	e := node / 2
	switch {
	case arc == 0:
		return node ^ 1, node&1 == 0 || f.through[e] > 1
	case node&1 == 0:
		edge := f.p.from[e] + arc - 1
		return 2*f.p.preds[edge] + 1, f.along[edge] > 0
	}
	return 2 * f.p.succs[f.p.succAt[e]+arc-1], true
}

// shift takes a unit back on an open arc.
func (f *flow) shift(node, arc int32) {
	e := node / 2
	switch {
	case arc == 0 && node&1 == 0:
		f.through[e]++
	case arc == 0:
		f.through[e]--
	case node&1 == 0:
		f.along[f.p.from[e]+arc-1]--
	default:
		f.along[f.p.succEdge[f.p.succAt[e]+arc-1]]++
	}
}

// takeBack takes back units along shortest paths until none is left.
func (f *flow) takeBack(ctx context.Context) {
	var path []int32
	for e := range f.end {
		for f.end[e] > 0 {
			if ctx.Err() != nil {
				return
			}
			if path = f.path(path[:0], int32(2*e+1)); len(path) == 0 {
				break
			}
			for _, node := range path[:len(path)-1] {
				f.shift(node, f.arc[node])
			}
			f.end[e]--
			f.start[path[len(path)-1]/2]--
			f.total--
		}
	}
}

// path returns the nodes of a shortest path from node to a beginning, each left by its present arc;
// nothing if there is none in this round.
func (f *flow) path(path []int32, node int32) []int32 {
	path = append(path, node)
	for len(path) > 0 {
		node := path[len(path)-1]
		if f.level[node] == f.goal && f.begins(node) {
			return path
		}
		if to, ok := f.next(node); ok {
			path = append(path, to)
			continue
		}
		if path = path[:len(path)-1]; len(path) > 0 {
			f.arc[path[len(path)-1]]++ // a dead end
		}
	}
	return nil
}

// next advances the node's arc to one that is open and leads to the next level.
func (f *flow) next(node int32) (to int32, ok bool) {
	if f.level[node] >= f.goal {
		return 0, false
	}
	for ; f.arc[node] < f.arcs(node); f.arc[node]++ {
		if to, open := f.follow(node, f.arc[node]); open && f.level[to] == f.level[node]+1 {
			return to, true
		}
	}
	return 0, false
}
