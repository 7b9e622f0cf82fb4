package ltl

import (
	"context"
	"fmt"
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
	var lines []string
	for x := range a.states[s].todo.All() {
		lines = append(lines, a.formula.text(term(x)).String())
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

// letters writes the letters of an edge.
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

// ops are the operators of terms, except those that text writes otherwise.
var ops = map[kind]temporal.Op{
	kindFalse: temporal.False, kindTrue: temporal.True, kindAnd: temporal.And, kindOr: temporal.Or,
	kindNext:     temporal.Next,
	kindWeakNext: temporal.WeakNext, kindRelease: temporal.Release, kindUntil: temporal.Until,
}

// text returns a term as a formula.
func (f *formula) text(x term) *temporal.Formula {
	n := f.nodes[x]
	args := make([]*temporal.Formula, len(n.Args))
	for i, y := range n.Args {
		args[i] = f.text(y)
	}
	switch {
	case n.Kind == kindAtom || n.Kind == kindNegated:
		atom := &temporal.Formula{Op: temporal.Atomic, Atom: &temporal.Atom{Text: f.atoms[n.Atom]}}
		if n.Kind == kindNegated {
			return &temporal.Formula{Op: temporal.Not, X: atom}
		}
		return atom
	case n.Kind == kindAtTheLast: // F (N false & x)
		end := &temporal.Formula{Op: temporal.WeakNext, X: &temporal.Formula{Op: temporal.False}}
		return &temporal.Formula{Op: temporal.Eventually, X: &temporal.Formula{Op: temporal.And, X: end, Y: args[0]}}
	case n.Kind == kindUntil && n.Args[0] == terms.True:
		return &temporal.Formula{Op: temporal.Eventually, X: args[1]}
	case n.Kind == kindRelease && n.Args[0] == terms.False:
		return &temporal.Formula{Op: temporal.Always, X: args[1]}
	case len(args) == 0:
		return &temporal.Formula{Op: ops[n.Kind]}
	case len(args) == 1:
		return &temporal.Formula{Op: ops[n.Kind], X: args[0]}
	}
	all := args[0]
	for _, y := range args[1:] {
		all = &temporal.Formula{Op: ops[n.Kind], X: all, Y: y}
	}
	return all
}
