// Package diagram draws directed graphs with text in their nodes and at their edges: flow graphs,
// and parts of state spaces.
//
//	g := &diagram.Graph{Groups: []string{""}}
//	g.Nodes = []diagram.Node{{Text: "x > 0"}, {Text: "x := 1"}}
//	g.Edges = []diagram.Edge{{From: 0, To: 1, Text: "false"}}
//	err := g.Write(os.Stdout, false) // DOT
//
// DOT is for Graphviz, which may lay out graphs better. SVG needs no other program. Its layout is
// that of Sugiyama, Tagawa and Toda, "Methods for Visual Understanding of Hierarchical System
// Structures", 1981: edges lead down from layer to layer, except for those that close a cycle.
package diagram

import (
	"fmt"
	"io"
	"strings"
)

// Graph is a drawing. Edges join nodes of one group; groups stand side by side.
type Graph struct {
	Groups []string // names; "" draws no frame
	Nodes  []Node
	Edges  []Edge
}

// Shape is the outline of a node.
type Shape uint8

// The outlines of nodes.
const (
	Box    Shape = iota // a statement or a state
	Test                // a condition
	Plain               // text without a frame
	Double              // a box with two frames, for a final state
)

// Node is a node with one or more lines of text.
type Node struct {
	Group int
	Text  string
	Shape Shape
	Bold  bool // for an initial state
}

// Edge leads from one node to another, by their indexes.
type Edge struct {
	From, To int
	Text     string
	Dashed   bool
}

var dotShapes = [...]string{Box: "box", Test: "hexagon", Plain: "plaintext", Double: "box peripheries=2"}

// DOT returns the graph in Graphviz' language.
func (g *Graph) DOT() string {
	var b strings.Builder
	b.WriteString("digraph {\n\tnode [fontname=monospace fontsize=10]\n\tedge [fontname=monospace fontsize=10]\n")
	for i, name := range g.Groups {
		fmt.Fprintf(&b, "\tsubgraph %s {\n", quoted(clusterName(i, name)))
		if name != "" {
			fmt.Fprintf(&b, "\t\tlabel=%s\n", quoted(name))
		}
		for n, node := range g.Nodes {
			if node.Group == i {
				fmt.Fprintf(&b, "\t\t%d [shape=%s label=%s%s]\n", n, dotShapes[node.Shape], quoted(node.Text),
					attribute(node.Bold, "style=bold"))
			}
		}
		b.WriteString("\t}\n")
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "\t%d -> %d [label=%s%s]\n", e.From, e.To, quoted(e.Text), attribute(e.Dashed, "style=dashed"))
	}
	b.WriteString("}\n")
	return b.String()
}

// clusterName names a group. Graphviz frames groups whose name begins with "cluster".
func clusterName(i int, name string) string {
	if name == "" {
		return fmt.Sprint("group", i)
	}
	return fmt.Sprint("cluster", i)
}

func attribute(is bool, text string) string {
	if !is {
		return ""
	}
	return " " + text
}

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

// Write writes the picture as SVG, or in the language of Graphviz.
func (g *Graph) Write(w io.Writer, svg bool) error {
	text := g.DOT()
	if svg {
		var err error
		if text, err = g.SVG(); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, text)
	return err
}
