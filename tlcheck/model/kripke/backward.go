package kripke

// reversedGraph is a graph with its moves turned around.
type reversedGraph struct{ *Graph }

// Backward returns the system with the states of a graph and its moves reversed.
func Backward(g *Graph) System { return reversedGraph{g} }

// Moves implements System.
func (b reversedGraph) Moves(dst []Move, s State) ([]Move, error) {
	last := State(-1)
	for _, from := range b.Predecessors(s) {
		if from == last {
			continue // one move stands for all from there
		}
		last = from
		moves, err := b.System.Moves(nil, from)
		if err != nil {
			return dst, err
		}
		for _, m := range moves {
			if m.To == s {
				dst = append(dst, Move{To: from, Process: m.Process, Action: m.Action})
			}
		}
	}
	return dst, nil
}

// Label implements System: the label of the original move.
func (b reversedGraph) Label(s State, m Move) string {
	return b.System.Label(m.To, Move{To: s, Process: m.Process, Action: m.Action})
}
