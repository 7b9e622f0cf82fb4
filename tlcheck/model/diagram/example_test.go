package diagram_test

import (
	"log"
	"os"

	"github.com/antichain-go/antichain/tlcheck/model/diagram"
)

func ExampleGraph_Write() {
	g := &diagram.Graph{
		Groups: []string{""},
		Nodes:  []diagram.Node{{Text: "x > 0", Shape: diagram.Test, Bold: true}, {Text: "x := 1"}},
		Edges:  []diagram.Edge{{From: 0, To: 1, Text: "false"}, {From: 1, To: 0}},
	}
	if err := g.Write(os.Stdout, false); err != nil {
		log.Fatal(err)
	}
	// Output:
	// digraph {
	// 	node [fontname=monospace fontsize=10]
	// 	edge [fontname=monospace fontsize=10]
	// 	subgraph "group0" {
	// 		0 [shape=hexagon label="x > 0" style=bold]
	// 		1 [shape=box label="x := 1"]
	// 	}
	// 	0 -> 1 [label="false"]
	// 	1 -> 0 [label=""]
	// }
}
