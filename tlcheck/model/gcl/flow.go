package gcl

import (
	"strconv"
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

// edgeText returns the condition of an alternative and, below it, all its steps but gotos.
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

// text returns the statement of a node without the statements inside it.
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

// tests reports whether a node has two successors.
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

// nodes numbers the statements of a process for its flow graph, in the order in which they end:
// inner ones before outer ones (Gunter and Peled 2002, figure 4).
type nodes struct {
	letter string
	of     map[Statement]*node
	count  int
}

// node is a statement of a flow graph.
type node struct {
	label     string
	statement Statement // *While, *If, *Wait or *Atomic
	yes       *node     // successor if the test succeeds; nil at the end of the process
	next      *node     // successor otherwise
}

// letterOf returns the letter for the nodes of a structured process: m, n, …, z, and then m again.
func letterOf(process int) string { return string(rune('m' + process%('z'-'m'+1))) }

// number numbers the statements below s, and then s.
func (n *nodes) number(s Statement) {
	switch s := s.(type) {
	case *Block:
		for _, inner := range s.List {
			n.number(inner)
		}
		return
	case *While:
		n.number(s.Body)
	case *If:
		n.number(s.Then)
		if s.Else != nil {
			n.number(s.Else)
		}
	}
	n.count++
	n.of[s] = &node{label: n.label(n.count), statement: s}
}

func (n *nodes) label(number int) string { return n.letter + strconv.Itoa(number) }

// link sets the successors of the nodes of s, which is followed by next, and returns the first
// node.
func (n *nodes) link(s Statement, next *node) *node {
	own := n.of[s]
	switch s := s.(type) {
	case *Block:
		for i := len(s.List) - 1; i >= 0; i-- {
			next = n.link(s.List[i], next)
		}
		return next
	case *While:
		own.yes = n.link(s.Body, own)
	case *If:
		own.yes = n.link(s.Then, next)
		if s.Else != nil {
			next = n.link(s.Else, next)
		}
	}
	own.next = next
	return own
}

func nodeLabels(f *File) map[Statement]string {
	labels := map[Statement]string{}
	structured := 0
	for _, item := range f.Items {
		p, ok := item.(*Process)
		if !ok || p.Body == nil {
			continue
		}
		n := &nodes{letter: letterOf(structured), of: map[Statement]*node{}}
		structured++
		n.number(p.Body)
		for s, x := range n.of {
			labels[s] = x.label
		}
	}
	return labels
}
