package stubborn

import (
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

// loops has an action that closes it for each loop of invisible actions in the graph of a process: that of its places together with its local
// states. A loop that counts in the flow graph is none there.
//
// The nodes of each graph are in an order, and all other invisible actions lead back in it. Whatever the others do meanwhile, a process is at one
// node of its graph, and goes along an edge whenever it moves. So the sum over all processes of the places of their nodes in these orders gets
// less with each action that is invisible and closes no loop.
type loops struct {
	of      []*localStates // by process
	closing []smallset.Set // by action: the local states in which it closes a loop; nil if there are none
}

// newLoops finds loops for stubborn sets none of whose actions closes one or, if one is enough, of which some action does not.
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

// note notes the invisible actions that do not lead back in an order of the nodes.
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

// closes reports whether an action of a process closes a loop where the fields have these values.
func (l *loops) closes(action, process int32, values []int64) bool {
	at := l.closing[action]
	return at != nil && at.Has(l.of[process].number(values))
}
