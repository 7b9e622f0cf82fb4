package gcl

import "strconv"

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
