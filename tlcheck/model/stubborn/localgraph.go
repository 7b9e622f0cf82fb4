package stubborn

import (
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

// localGraph has locations of a process together with its local states as nodes, as far as the
// process may reach them whatever the others do.
type localGraph struct {
	*localStates
	nodes []localNode
	edges [][]localEdge // by node
}

// localNode is a location with a local state.
type localNode struct {
	place int64
	local int
}

// localEdge leads to a node.
type localEdge struct{ action, to int }

// newLocalGraph returns the graph of a process with some of all actions, from a location in a local
// state on.
func newLocalGraph(l *localStates, all []gcl.Action, own []int, place int64, local int) *localGraph {
	leaving := map[int64][]int{} // actions by location
	for _, a := range own {
		leaving[all[a].From] = append(leaving[all[a].From], a)
	}
	g := &localGraph{localStates: l}
	known := map[localNode]int{}
	number := func(n localNode) int {
		i, ok := known[n]
		if !ok {
			i = len(g.nodes)
			known[n], g.nodes = i, append(g.nodes, n)
		}
		return i
	}
	number(localNode{place, local})
	for i := 0; i < len(g.nodes); i++ {
		var edges []localEdge
		for _, a := range leaving[g.nodes[i].place] {
			if next, ok := l.after(g.nodes[i].local, &all[a]); ok {
				edges = append(edges, localEdge{a, number(localNode{all[a].To, next})})
			}
		}
		g.edges = append(g.edges, edges)
	}
	return g
}

// order returns an order of the nodes in which few invisible actions lead forward. It considers
// quiet actions first, since others are hardly ever alone in a stubborn set: among them only those
// that close a loop of quiet ones lead forward. If one action that leads back is enough, quiet ones
// do so when they come closer to a node without any.
func (g *localGraph) order(visible, quiet smallset.Set, enough bool) []int {
	order := make([]int, len(g.nodes))
	for i := range order {
		order[i] = i
	}
	order = g.postorder(order, func(_ int, e localEdge) bool { return !visible.Has(e.action) })
	if !enough {
		return g.postorder(order, func(_ int, e localEdge) bool { return quiet.Has(e.action) })
	}
	distance := g.distances(quiet)
	return g.postorder(order, func(from int, e localEdge) bool {
		return quiet.Has(e.action) && (distance[from] == unreached || distance[e.to] < distance[from])
	})
}

// postorder returns the nodes in the order in which a depth-first search along some edges leaves
// them.
func (g *localGraph) postorder(roots []int, along func(from int, e localEdge) bool) []int {
	met := make([]bool, len(g.nodes))
	var order []int
	var visit func(node int)
	visit = func(node int) {
		if met[node] {
			return
		}
		met[node] = true
		for _, e := range g.edges[node] {
			if along(node, e) {
				visit(e.to)
			}
		}
		order = append(order, node)
	}
	for _, node := range roots {
		visit(node)
	}
	return order
}

// unreached is the distance of nodes from which no node without edges is reachable.
const unreached = -1

// distances returns for each node the least number of edges of some actions to a node that none of
// them leaves.
func (g *localGraph) distances(actions smallset.Set) []int {
	distance, before := make([]int, len(g.nodes)), make([][]int, len(g.nodes))
	var near []int
	for from, edges := range g.edges {
		for _, e := range edges {
			if actions.Has(e.action) {
				distance[from] = unreached
				before[e.to] = append(before[e.to], from)
			}
		}
		if distance[from] == 0 {
			near = append(near, from)
		}
	}
	for i := 0; i < len(near); i++ {
		for _, from := range before[near[i]] {
			if distance[from] == unreached {
				distance[from] = distance[near[i]] + 1
				near = append(near, from)
			}
		}
	}
	return distance
}

// loops has, for each loop of invisible actions in the graph of a process, an action that closes
// it. The nodes of the graph are locations together with local states. A counting loop of the flow
// graph is no loop there.
//
// The nodes of each graph are ordered, and all other invisible actions lead back in this order.
// Whatever the others do meanwhile, a process is at one node of its graph, and follows an edge
// whenever it moves. So each action that is invisible and closes no loop decreases the sum, over
// all processes, of the positions of their nodes.
type loops struct {
	of      []*localStates // by process
	closing []smallset.Set // by action: the local states in which it closes a loop; nil for none
}

// newLoops finds loops for stubborn sets in which no action closes one or, with enough, some action
// does not.
func newLoops(program *gcl.System, r *relation, fields fields, visible smallset.Set, enough bool) *loops {
	b := &localBuilder{r, len(program.Processes()), program.Actions(), program.Fields(), fields}
	actions := make([][]int, len(program.Processes()))
	for a, process := range r.process {
		actions[process] = append(actions[process], a)
	}
	quiet := smallset.New(len(r.process))
	for a := range r.process {
		if !visible.Has(a) && r.quiet(a) {
			quiet.Add(a)
		}
	}
	initial := program.Values(nil, program.Initial()[0])
	l := &loops{closing: make([]smallset.Set, len(r.process))}
	for process := range actions {
		local := b.build(process, actions[process])
		l.of = append(l.of, local)
		g := newLocalGraph(local, b.actions, actions[process], initial[process], local.number(initial))
		l.note(g, visible, g.order(visible, quiet, enough))
	}
	return l
}

// quiet reports whether an action conflicts with no other process.
func (r *relation) quiet(a int) bool {
	for b := range r.conflicts[a].All() {
		if r.process[b] != r.process[a] {
			return false
		}
	}
	return true
}

// note adds the invisible actions that do not lead back in an order of the nodes.
func (l *loops) note(g *localGraph, visible smallset.Set, order []int) {
	position := make([]int, len(order))
	for i, node := range order {
		position[node] = i
	}
	for from, edges := range g.edges {
		for _, e := range edges {
			if visible.Has(e.action) || position[e.to] < position[from] {
				continue
			}
			if l.closing[e.action] == nil {
				l.closing[e.action] = smallset.New(g.count)
			}
			l.closing[e.action].Add(g.nodes[from].local)
		}
	}
}

// closes reports whether an action of a process closes a loop for these values of the fields.
func (l *loops) closes(action, process int32, values []int64) bool {
	at := l.closing[action]
	return at != nil && at.Has(l.of[process].number(values))
}
