package linearizability

// State is a state of an object: any comparable value. Equal states behave alike.
type State = any

// Model is a sequential model of an object, which says what operations do that never overlap.
type Model interface {
	// Init returns the state before all operations.
	Init() State

	// Step returns the state after an operation, and whether the operation can have its result in
	// the state before. It depends on the method, the arguments and the result alone. If the result
	// is Unknown, any will do.
	Step(before State, o *Operation) (after State, ok bool)
}

// Partitioned is a model of objects with independent parts, such as the keys of a map. The states
// of the model are the states of a part.
type Partitioned interface {
	Part(o *Operation) string // which the operation is about
}

// Observing is a model that knows which operations only look. They are placed with less search.
type Observing interface {
	// Observes reports whether an operation, with its result, leaves each state as it is.
	Observes(o *Operation) bool
}

// Describing is a model that knows how to show its states.
type Describing interface{ Describe(s State) string }

// Validating is a model that knows its operations.
type Validating interface {
	// Validate returns an error if the model has no such method, or not with such arguments.
	Validate(o *Operation) error
}
