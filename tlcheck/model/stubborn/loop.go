package stubborn

import (
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

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
