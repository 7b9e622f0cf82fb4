package gcl

import (
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/diagram"
)

type flow struct {
	boxes []box
	index map[string]int // index of boxes by label
	edges []flowEdge
	known map[flowEdge]bool
}

func (p *process) flow() *flow {
	f := &flow{index: map[string]int{}, known: map[flowEdge]bool{}}
	if p.controlPoints != nil {
		f.nodes(p.controlPoints, p.locations)
	} else {
		f.labels(p.locations)
	}
	return f
}

type box struct {
	text string
	test bool
}

type flowEdge struct {
	from, to int
	text     string
}

// box adds a box unless there is one with this label.
func (f *flow) box(label, text string, test bool) int {
	i, ok := f.index[label]
	if !ok {
		i = len(f.boxes)
		f.index[label] = i
		f.boxes = append(f.boxes, box{strings.TrimSuffix(label+": "+text, ": "), test})
	}
	return i
}

// edge adds an edge unless there is an equal one.
func (f *flow) edge(e flowEdge) {
	if !f.known[e] {
		f.known[e] = true
		f.edges = append(f.edges, e)
	}
}

// labels makes the flow graph of labelled commands: boxes are labels, and edges are alternatives.
func (f *flow) labels(locations []location) {
	for _, l := range locations[:len(locations)-1] {
		f.box(l.at, "", false)
	}
	for _, l := range locations {
		for _, c := range l.commands {
			to := locations[c.to].at
			f.edge(flowEdge{f.box(l.at, "", false), f.box(to, "", false), c.edge})
		}
	}
}

// edgeText returns a condition, and below it the steps without a goto.
func edgeText(a *Alternative) string {
	var lines []string
	if a.Guard != nil {
		lines = append(lines, "if "+exprText(a.Guard))
	}
	for _, s := range a.Steps {
		if _, ok := s.(*Goto); !ok {
			lines = append(lines, stepText(s))
		}
	}
	return strings.Join(lines, "\n")
}

// nodes makes the flow graph of structured statements: boxes are statements, and edges lead to
// their successors.
func (f *flow) nodes(places []controlPoint, locations []location) {
	for i, p := range places {
		from := f.box(locations[i].at, p.last.text(), p.last.tests())
		if p.next == nil {
			f.edge(flowEdge{from, f.box(end, "", false), p.branch()})
			continue
		}
		f.edge(flowEdge{from, f.box(p.next.label, p.next.text(), p.next.tests()), p.branch()})
	}
}

// branch returns the branch of the test that was executed last.
func (p controlPoint) branch() string {
	switch {
	case !p.last.tests():
		return ""
	case p.last.yes == p.next && p.last.next == p.next:
		return ""
	case p.last.yes == p.next:
		return "yes"
	}
	return "no"
}

// text returns the statement of a node without those inside.
func (n *node) text() string {
	if n == nil {
		return ""
	}
	switch s := n.statement.(type) {
	case *While:
		return "while " + exprText(s.Cond)
	case *If:
		return "if " + exprText(s.Cond)
	case *Wait:
		return "wait " + exprText(s.Cond)
	}
	return strings.ReplaceAll(stepsText(n.statement.(*Atomic).Steps), "; ", "\n")
}

// tests reports whether a node has two ways out.
func (n *node) tests() bool {
	if n == nil {
		return false
	}
	switch n.statement.(type) {
	case *While, *If:
		return true
	}
	return false
}

func (s *System) Flow() *diagram.Graph {
	g := &diagram.Graph{}
	for i, p := range s.processes {
		g.Groups = append(g.Groups, p.name)
		first := len(g.Nodes)
		f := p.flow()
		for k, b := range f.boxes {
			shape := diagram.Box
			if b.test {
				shape = diagram.Test
			}
			g.Nodes = append(g.Nodes, diagram.Node{Group: i, Text: b.text, Shape: shape, Bold: k == 0})
		}
		for _, e := range f.edges {
			g.Edges = append(g.Edges, diagram.Edge{From: first + e.from, To: first + e.to, Text: e.text})
		}
	}
	return g
}
