package skeleton

import (
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/diagram"
)

// Diagram draws the skeletons as figure 6.7 of Clarke and Emerson 1981 does: regions, and arcs with
// their guards and assignments.
func (sk *Skeletons) Diagram() *diagram.Graph {
	g := &diagram.Graph{}
	for i, p := range sk.Processes {
		g.Groups = append(g.Groups, p.Name)
		first := len(g.Nodes)
		for n, r := range p.Regions {
			g.Nodes = append(g.Nodes, diagram.Node{Group: i, Text: r.Name, Bold: n == 0})
		}
		for _, a := range p.Arcs {
			g.Edges = append(g.Edges, diagram.Edge{From: first + a.From, To: first + a.To, Text: a.text()})
		}
	}
	return g
}

// text writes the guard of an arc, unless it is true, and its assignments to shared variables.
func (a *Arc) text() string {
	var lines []string
	if guard := GuardText(a.Guard); guard != "true" {
		lines = append(lines, guard)
	}
	for _, l := range a.Set {
		lines = append(lines, fmt.Sprintf("%s := %d", l.Variable, l.Value))
	}
	return strings.Join(lines, "\n")
}
