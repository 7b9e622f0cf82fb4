package kripke

// Path is an infinite path of a system, which repeats the steps from Loop on.
type Path struct {
	Start State
	Steps []Step
	Loop  int
}

// Step is a move of a path.
type Step struct {
	Process int32 // in System.Processes, or NoProcess
	To      State
}

// States returns the states of the path in two parts. The second one repeats.
func (p *Path) States() (stem, loop []State) {
	states := []State{p.Start}
	for _, s := range p.Steps {
		states = append(states, s.To)
	}
	return states[:p.Loop], states[p.Loop : len(states)-1]
}
