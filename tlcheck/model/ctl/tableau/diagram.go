package tableau

import (
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
)

// maxDrawn limits the nodes of a picture.
const maxDrawn = 1000

// TooLargeError reports that a tableau has more nodes than a picture can show.
type TooLargeError struct{ Nodes int }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the tableau has %d nodes, and a picture shows %d at most", e.Nodes, maxDrawn)
}

// Tableau draws the tableau as figures 5.1 and 6.2 of Clarke and Emerson 1981 do: edges lead from
// OR-nodes G to their blocks, and from AND-nodes H to their tiles. Edges to deleted nodes are
// dashed. If pruned, they are left out, with all nodes that only they reach. A node shows as few
// formulas as distinguish it from others, and none that are true everywhere.
func (o *Answer) Tableau(pruned bool) (*diagram.Graph, error) {
	d := &drawing{explanation: o.tableau.explain(), pruned: pruned, graph: &diagram.Graph{Groups: []string{""}},
		drawnOr: map[int]int{}, drawnAnd: map[int]int{}}
	d.invariants(d.ors[0].formulas[0]) // rule 2 of §6
	if !pruned || d.ors[0].alive > 0 {
		d.drawOr(0)
	}
	for len(d.waiting) > 0 {
		if len(d.graph.Nodes) > maxDrawn {
			return nil, &TooLargeError{o.Nodes}
		}
		next := d.waiting[0]
		d.waiting = d.waiting[1:]
		next()
	}
	return d.graph, nil
}

type drawing struct {
	*explanation
	pruned  bool
	graph   *diagram.Graph
	waiting []func() // draws the edges of nodes that are drawn

	drawnOr, drawnAnd map[int]int // indices in the graph
}

// drawOr draws an OR-node once, and returns its index in the graph.
func (d *drawing) drawOr(n int) int {
	at, ok := d.drawnOr[n]
	if ok {
		return at
	}
	text := fmt.Sprintf("G%d\n%s", n, d.orText(n))
	at = d.node(diagram.Node{Text: text, Shape: diagram.Test, Bold: n == 0})
	d.drawnOr[n] = at
	d.waiting = append(d.waiting, func() {
		for _, block := range d.ors[n].blocks {
			d.edge(at, func() int { return d.drawAnd(block) }, "", d.ands[block].isDead())
		}
	})
	return at
}

// drawAnd draws an AND-node once, and returns its index in the graph.
func (d *drawing) drawAnd(n int) int {
	at, ok := d.drawnAnd[n]
	if ok {
		return at
	}
	at = d.node(diagram.Node{Text: fmt.Sprintf("H%d\n%s", n, d.andText(n))})
	d.drawnAnd[n] = at
	d.waiting = append(d.waiting, func() {
		for _, tile := range d.ands[n].tiles {
			d.edge(at, func() int { return d.drawOr(tile.to) }, d.text(tile.because), d.ors[tile.to].alive == 0)
		}
	})
	return at
}

func (d *drawing) node(n diagram.Node) int {
	d.graph.Nodes = append(d.graph.Nodes, n)
	return len(d.graph.Nodes) - 1
}

// edge draws an edge, unless it leads to an omitted node.
func (d *drawing) edge(from int, to func() int, text string, deleted bool) {
	if !deleted || !d.pruned {
		d.graph.Edges = append(d.graph.Edges, diagram.Edge{From: from, To: to(), Text: text, Dashed: deleted})
	}
}

// orText writes the formulas of an OR-node. It replaces a conjunction by its parts (rule 1 of
// §6).
func (d *drawing) orText(n int) string {
	var parts []int
	var split func(int)
	split = func(f int) {
		switch {
		case d.list[f].op == isAnd:
			split(d.list[f].x)
			split(d.list[f].y)
		case f != formulaTrue && !slices.Contains(parts, f):
			parts = append(parts, f)
		}
	}
	for _, f := range d.ors[n].formulas {
		split(f)
	}
	return d.texts(parts)
}

// andText writes the atoms that are true in a block, and as many other formulas as distinguish it
// from blocks with these atoms.
func (d *drawing) andText(n int) string {
	label := d.ands[n].label
	var written, rest []int
	for f := range label.All() {
		if d.list[f].op == isAtom {
			written = append(written, f)
		} else {
			rest = append(rest, f)
		}
	}
	var others []smallset.Set
	for i, h := range d.ands {
		if i != n && !slices.ContainsFunc(written, func(f int) bool { return !h.label.Has(f) }) {
			others = append(others, h.label)
		}
	}
	for len(others) > 0 {
		best := slices.MinFunc(rest, func(f, g int) int { return countWith(others, f) - countWith(others, g) })
		if countWith(others, best) == len(others) {
			break // the other labels include this one
		}
		others = slices.DeleteFunc(others, func(o smallset.Set) bool { return !o.Has(best) })
		written = append(written, best)
	}
	return d.texts(written)
}

// countWith returns how many labels have a formula.
func countWith(labels []smallset.Set, f int) int {
	n := 0
	for _, l := range labels {
		if l.Has(f) {
			n++
		}
	}
	return n
}
