package skeleton

// Skeletons are the processes into which a model was divided.
type Skeletons struct {
	Variables []Variable
	Processes []Process
}

// Variable is an atom, with the values 0 and 1, or the auxiliary variable.
type Variable struct {
	Name    string
	Process int // the only one that changes it; Shared for others
	Low     int
	High    int
	Initial int
}

// Shared is the Process of variables that several processes change.
const Shared = -1

// Process is a skeleton.
type Process struct {
	Name    string
	Regions []Region // the process begins in the first one
	Arcs    []Arc
}

// Region is a control location of a process, named by the atoms that are true there.
type Region struct {
	Name  string
	Atoms []string
}

// Arc leads from one region to another one, or back to the same.
type Arc struct {
	From, To int // indices of Regions
	Guard    []Condition
	Set      []Literal // assignments to variables other than the atoms of the process
}

// Condition is a conjunction. A guard is true if one of its conditions is. The empty condition is
// true.
type Condition []Literal

// Literal states that a variable has a value, or assigns it.
type Literal struct {
	Variable string
	Value    int
}
