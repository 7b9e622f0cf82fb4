package tracemodel

import (
	"fmt"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// Order draws the partial order of the run: its actions, and the direct order between them by
// program order, spawns and causes. Actions in the slice are bold. The error is for more than most
// actions.
func (r *Run) Order(s kripke.State, most int) (*diagram.Graph, error) {
	if n := r.net.Actions(); n > most {
		return nil, fmt.Errorf("the run has %d actions, too many for a picture (the limit is %d)", n, most)
	}
	g := &diagram.Graph{Groups: []string{""}}
	slice := r.Slice(s)
	number := map[san.Action]int{} // by canonical name
	for a := range r.net.Order() {
		text := ""
		for i, side := range r.net.Sides(a) {
			if i > 0 {
				text += "\n"
			}
			text += fmt.Sprintf("%s %d: %s", r.net.Name(side.Task), r.net.Number(side.Task, int(side.K)), r.event(side))
		}
		number[a] = len(g.Nodes)
		g.Nodes = append(g.Nodes, diagram.Node{Text: text, Bold: slice.Has(a)})
		for _, b := range r.before(a) {
			g.Edges = append(g.Edges, diagram.Edge{From: number[b], To: number[a], Dashed: b.Task != a.Task})
		}
	}
	return g, nil
}

// before returns the direct predecessors of an action, by canonical names.
func (r *Run) before(a san.Action) (before []san.Action) {
	seen := map[san.Action]bool{}
	add := func(b san.Action) {
		if b = r.net.Canonical(b); !seen[b] {
			seen[b] = true
			before = append(before, b)
		}
	}
	for _, side := range r.net.Sides(a) {
		if side.K > 1 {
			add(san.Action{Task: side.Task, K: side.K - 1})
		} else if by, ok := r.net.SpawnedBy(side.Task); ok {
			add(by)
		}
		for _, c := range r.net.Causes(side) {
			add(c)
		}
	}
	return before
}
