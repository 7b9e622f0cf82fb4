package kripke

import (
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/diagram"
)

// Diagram draws states and the moves between them. For moves to other states it draws their number.
func Diagram(sys System, states []State) (*diagram.Graph, error) {
	g := &diagram.Graph{Groups: []string{""}}
	index := make(map[State]int, len(states))
	for i, s := range states {
		index[s] = i
		g.Nodes = append(g.Nodes, diagram.Node{Text: lines(sys, s)})
	}
	for _, s := range sys.Initial() {
		if i, ok := index[s]; ok {
			g.Nodes[i].Bold = true
		}
	}
	for i, s := range states {
		moves, err := sys.Moves(nil, s)
		if err != nil {
			return nil, err
		}
		others := 0
		for _, m := range moves {
			to, ok := index[m.To]
			if !ok {
				others++
				continue
			}
			g.Edges = append(g.Edges, diagram.Edge{From: i, To: to, Text: moveText(sys, s, m)})
		}
		if others > 0 {
			g.Edges = append(g.Edges, diagram.Edge{From: i, To: len(g.Nodes), Dashed: true})
			g.Nodes = append(g.Nodes, diagram.Node{Text: fmt.Sprintf("%d more", others), Shape: diagram.Plain})
		}
	}
	return g, nil
}

// LassoDiagram draws an infinite path. moves has the text of the move from each state. The last
// move leads to the state with the index loop.
func LassoDiagram(sys System, states []State, moves []string, loop int) *diagram.Graph {
	g := &diagram.Graph{Groups: []string{""}}
	for i, s := range states {
		g.Nodes = append(g.Nodes, diagram.Node{Text: lines(sys, s), Bold: i == 0})
		to := i + 1
		if to == len(states) {
			to = loop
		}
		g.Edges = append(g.Edges, diagram.Edge{From: i, To: to, Text: moves[i]})
	}
	return g
}

// lines writes a state in up to three lines: its number, the locations of the processes, the
// variables.
func lines(sys System, s State) string {
	var places, variables []string
	for _, f := range sys.Describe(s) {
		if text := FieldText(sys, f); f.Name == At && f.Process != NoProcess {
			places = append(places, text)
		} else {
			variables = append(variables, text)
		}
	}
	text := fmt.Sprint(s)
	for _, line := range [][]string{places, variables} {
		if len(line) > 0 {
			text += "\n" + strings.Join(line, " ")
		}
	}
	return text
}

// moveText writes the process of a move and its label.
func moveText(sys System, s State, m Move) string {
	if m.Process == NoProcess {
		return sys.Label(s, m)
	}
	return sys.Processes()[m.Process] + ": " + sys.Label(s, m)
}
