package linearizability

// states numbers the states of a share, and remembers steps.
type states struct {
	share  *share
	all    []State
	number map[State]int32
	steps  map[uint64]int32 // by state and class: the state after it, or refused
}

// refused stands for the state after an operation that cannot have its result.
const refused int32 = -1

func newStates(s *share) *states {
	t := &states{share: s, number: map[State]int32{}, steps: map[uint64]int32{}}
	t.of(s.model.Init())
	return t
}

// of returns the number of a state. That of the first one is 0.
func (t *states) of(s State) int32 {
	n, ok := t.number[s]
	if !ok {
		n = int32(len(t.all))
		t.number[s] = n
		t.all = append(t.all, s)
	}
	return n
}

// step returns the state after an operation, or refused.
func (t *states) step(state, op int32) int32 {
	key := uint64(state)<<32 | uint64(t.share.class[op])
	after, ok := t.steps[key]
	if ok {
		return after
	}
	after = refused
	if s, possible := t.share.model.Step(t.all[state], t.share.ops[op]); possible {
		after = t.of(s)
	}
	t.steps[key] = after
	return after
}
