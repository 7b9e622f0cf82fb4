package kripke

// reversedGraph is a system all of whose states are known, with its moves turned around.
type reversedGraph struct{ *Graph }

// Backward returns the system with the states of a graph, whose moves lead to where moves come from.
func Backward(g *Graph) System { return reversedGraph{g} }

// Moves implements System.
func (b reversedGraph) Moves(dst []Move, s State) ([]Move, error) {
	last := State(-1)
	for _, from := range b.Predecessors(s) {
		if from == last {
			continue // several moves from there: told at the first
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

// Label implements System: what the process has done.
func (b reversedGraph) Label(s State, m Move) string {
	return b.System.Label(m.To, Move{To: s, Process: m.Process, Action: m.Action})
}
