package skeleton

// Skeletons are processes that a model was taken apart into.
type Skeletons struct {
	Variables []Variable
	Processes []Process
}

// Variable is an atom, with the values 0 and 1, or auxiliary.
type Variable struct {
	Name    string
	Process int // that alone changes it; Shared for others
	Low     int
	High    int
	Initial int
}

// Shared is the process of variables that belong to none.
const Shared = -1

// Process is a skeleton.
type Process struct {
	Name    string
	Regions []Region // the first one is where it begins
	Arcs    []Arc
}

// Region is a place of a process, named by the atoms that are true there.
type Region struct {
	Name  string
	Atoms []string
}

// Arc leads from one region to another one, or to the same.
type Arc struct {
	From, To int // in Regions
	Guard    []Condition
	Set      []Literal // other variables than atoms of the process
}

// Condition is a conjunction; a guard is true if one of its conditions is. The empty one is true.
type Condition []Literal

// Literal says that a variable has a value, or gets it.
type Literal struct {
	Variable string
	Value    int
}
