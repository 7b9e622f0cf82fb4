package kripke

// Path is an infinite path of a system: steps, of which those from Loop on are repeated for ever.
type Path struct {
	Start State
	Steps []Step
	Loop  int
}

// Step is a move of a path.
type Step struct {
	Process int32 // in System.Processes, or Nobody
	To      State
}

// States returns the states of the path in two parts, the second one to be repeated for ever.
func (p *Path) States() (stem, loop []State) {
	states := []State{p.Start}
	for _, s := range p.Steps {
		states = append(states, s.To)
	}
	return states[:p.Loop], states[p.Loop : len(states)-1]
}
