package kripke

import (
	"fmt"
	"strings"
)

// State is the number of a state in the order in which the system met it.
type State int32

// NoProcess is the process of shared variables, and of the moves that Stutter adds.
const NoProcess = -1

// Move is a step of one process to a next state.
type Move struct {
	To      State
	Process int32 // in System.Processes, or NoProcess for moves that Stutter added
	// Action is a number that the system chooses. Label describes it. Moves of one state differ in
	// process, action or target.
	Action int32
}

// Atom is a proposition, a number that the system chooses.
type Atom int32

// Field is a visible part of a state: the location of a process, or the value of a variable.
type Field struct {
	Process int    // in System.Processes, or NoProcess for shared variables
	Name    string // At, or the name of a variable
	Value   string
}

// At is the name of the field with the location of its process.
const At = "at"

// System is a transition system. Its methods accept only states that it has returned. Only one
// goroutine may use it.
type System interface {
	// Processes returns the names of the processes.
	Processes() []string

	// Initial returns the initial states, at least one, without repetitions.
	Initial() []State

	// Moves appends the moves of s to dst, always in the same order. An error is one of the system,
	// such as a variable that leaves its range; the moves before it are appended.
	Moves(dst []Move, s State) ([]Move, error)

	// States returns the number of numbered states. After Moves was called for each of them, the
	// system has no others.
	States() int

	// Atom returns the proposition with this name. An error suggests other names. It has no
	// position, which only the parser of the formula knows. If the system discards the past, Atom
	// must be called before the first move.
	Atom(name string) (Atom, error)

	// Holds reports whether the proposition is true in s.
	Holds(a Atom, s State) bool

	// Describe returns the visible fields of s. All states have the same fields in the same order,
	// unless processes of the system come and go.
	Describe(s State) []Field

	// Label describes a move from s.
	Label(s State, m Move) string
}

// Changed returns the fields of state to that differ in from, or are absent there.
func Changed(sys System, from, to State) []Field {
	type key struct {
		process int
		name    string
	}
	before := map[key]string{}
	for _, f := range sys.Describe(from) {
		before[key{f.Process, f.Name}] = f.Value
	}
	var changed []Field
	for _, f := range sys.Describe(to) {
		if value, ok := before[key{f.Process, f.Name}]; !ok || value != f.Value {
			changed = append(changed, f)
		}
	}
	return changed
}

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

// Text writes a state in a line, as "state 3: P0.at=m2 P1.at=n1 turn=0".
func Text(sys System, s State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "state %d", s)
	sep := ": "
	for _, f := range sys.Describe(s) {
		b.WriteString(sep + FieldText(sys, f))
		sep = " "
	}
	return b.String()
}

// FieldText writes a field: "P0.at=m2" or "turn=0". Variables need no process, as their names are
// unique.
func FieldText(sys System, f Field) string {
	if f.Process == NoProcess || f.Name != At {
		return f.Name + "=" + f.Value
	}
	return sys.Processes()[f.Process] + "." + f.Name + "=" + f.Value
}
