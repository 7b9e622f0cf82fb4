package ltl

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Diagram draws the whole automaton of f. A state has a line for each obligation on the rest of the
// word; an edge has the letters that lead along it. The initial state is bold, and accepting states
// have a double frame. The error is for more than most states.
func Diagram(ctx context.Context, f *temporal.Formula, most int) (*diagram.Graph, error) {
	a := New(f)
	g := &diagram.Graph{Groups: []string{""}}
	for s := 0; s < a.States(); s++ { // the loop adds states
		edges, err := a.Edges(ctx, s)
		if err != nil {
			return nil, err
		}
		if a.States() > most {
			return nil, fmt.Errorf("the automaton has more than %d states, too many for a picture", most)
		}
		g.Nodes = append(g.Nodes, a.node(s))
		for _, e := range edges {
			g.Edges = append(g.Edges, diagram.Edge{From: s, To: e.To, Text: a.letters(e)})
		}
	}
	return g, nil
}

func (a *LazyAutomaton) node(s int) diagram.Node {
	n := diagram.Node{Bold: s == a.Initial(), Shape: diagram.Double}
	w := terms.Writer{Nodes: a.nodes, Atoms: a.atoms, Left: math.MaxInt}
	var lines []string
	for x := range a.states[s].todo.All() {
		lines = append(lines, w.Formula(term(x)).String())
	}
	if !a.Accepting(s) {
		n.Shape = diagram.Box
	}
	if len(lines) == 0 {
		lines = []string{"true"}
	}
	n.Text = strings.Join(lines, "\n")
	return n
}

func (a *LazyAutomaton) letters(e Edge) string {
	var literals []string
	for _, i := range e.True {
		literals = append(literals, a.atoms[i])
	}
	for _, i := range e.False {
		literals = append(literals, "!"+a.atoms[i])
	}
	if len(literals) == 0 {
		return "true"
	}
	return strings.Join(literals, " & ")
}
