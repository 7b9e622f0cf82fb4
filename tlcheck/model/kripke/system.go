package kripke

// State is a state of a system: its number in the order in which the system met it.
type State int32

// Nobody is the process of what belongs to none: variables that are shared, and the moves that Stutter adds.
const Nobody = -1

// Move is a step of one process to a next state.
type Move struct {
	To      State
	Process int32 // in System.Processes, or Nobody where Stutter has added the move
	// Action tells what the process does, in numbers of the system's own; Label says it in words. Moves of one state
	// differ in their processes, actions or states.
	Action int32
}

// Atom is a proposition: a number that the system gives it.
type Atom int32

// Field is a part of a state that a person looks at: where a process stands, or what a variable is.
type Field struct {
	Process int    // in System.Processes, or Nobody for what all share
	Name    string // At, or that of a variable
	Value   string
}

// At is the name of the field that says where its process stands.
const At = "at"

// System is a transition system. Only states that it has returned may be handed to it. It is for one goroutine.
type System interface {
	// Processes returns the names of the processes.
	Processes() []string

	// Initial returns the states in which the system may start, at least one, without repetitions.
	Initial() []State

	// Moves appends the moves from s to dst, always in the same order. An error is one of the system, as of a variable
	// that leaves its range; the moves before it have been appended.
	Moves(dst []Move, s State) ([]Move, error)

	// States returns how many states have been numbered. Once every one of them has been asked for its moves, all are known.
	States() int

	// Atom returns the proposition of that name. An error says what there is instead, and has no position: who
	// has read the name knows where it stands. A system that forgets the past must be asked before its first move.
	Atom(name string) (Atom, error)

	// Holds reports whether the proposition is true in s.
	Holds(a Atom, s State) bool

	// Describe returns what there is to see in s: the same fields in the same order in all states of a system, unless
	// its processes come and go.
	Describe(s State) []Field

	// Label says what the process does in a move from s.
	Label(s State, m Move) string
}

// Changed returns the fields of state to that were different in from, or were not there.
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
