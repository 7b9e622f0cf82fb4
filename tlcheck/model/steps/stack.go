package steps

import (
	"context"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Stack is the temporal stack (Gunter and Peled 2002, §4): steps, each from the end of the
// one before. Each step keeps its search, so an alternative can be found even after later steps
// were taken and removed.
type Stack struct {
	sys   kripke.System
	start kripke.State
	taken []*StackEntry
}

// StackEntry is a step on the stack.
type StackEntry struct {
	Formula *temporal.Formula // nil for a single move
	Options Options
	*Step
	search *Search
}

// NewStack returns an empty stack at a state.
func NewStack(sys kripke.System, start kripke.State) *Stack { return &Stack{sys: sys, start: start} }

// Here returns the state in which the last step ends.
func (s *Stack) Here() kripke.State {
	if len(s.taken) == 0 {
		return s.start
	}
	states := s.taken[len(s.taken)-1].States
	return states[len(states)-1]
}

// Taken returns the steps in order. The caller must not change them.
func (s *Stack) Taken() []*StackEntry { return s.taken }

// Path returns the states from the beginning to the present one.
func (s *Stack) Path() []kripke.State {
	path := []kripke.State{s.start}
	for _, t := range s.taken {
		path = append(path, t.States[1:]...)
	}
	return path
}

// Take searches for a step from here and pushes it. It returns nil if there is none. An error is
// one of New or Next.
func (s *Stack) Take(ctx context.Context, f *temporal.Formula, opt Options) (*StackEntry, error) {
	t, err := s.find(ctx, s.Here(), f, opt)
	if t != nil {
		s.taken = append(s.taken, t)
	}
	return t, err
}

func (s *Stack) find(ctx context.Context, from kripke.State, f *temporal.Formula, opt Options) (*StackEntry, error) {
	search, err := New(s.sys, f, from, opt)
	if err != nil {
		return nil, err
	}
	step, err := search.Next(ctx)
	if step == nil || err != nil {
		search.Close()
		return nil, err
	}
	return &StackEntry{f, opt, step, search}, nil
}

// Move pushes a single move from here.
func (s *Stack) Move(m kripke.Move) *StackEntry {
	t := &StackEntry{Step: &Step{[]kripke.State{s.Here(), m.To}, -1}}
	s.taken = append(s.taken, t)
	return t
}

// Alternative replaces the last step by the next step that its search finds. The step must have a
// formula. If there is no other step, Alternative removes the last one and returns nil. After an
// error the step is still there.
func (s *Stack) Alternative(ctx context.Context) (*StackEntry, error) {
	last := s.taken[len(s.taken)-1]
	step, err := last.search.Next(ctx)
	switch {
	case err != nil:
		return nil, err
	case step == nil:
		s.Remove()
		return nil, nil
	}
	last.Step = step
	return last, nil
}

// Remove removes the last step. The stack must not be empty.
func (s *Stack) Remove() {
	last := len(s.taken) - 1
	if t := s.taken[last]; t.search != nil {
		t.search.Close()
	}
	s.taken = slices.Delete(s.taken, last, last+1)
}

// Replace removes the last step, and takes another one from where it began. The stack must not be
// empty. If there is no other step, it changes nothing and returns nil.
func (s *Stack) Replace(ctx context.Context, f *temporal.Formula, opt Options) (*StackEntry, error) {
	t, err := s.find(ctx, s.taken[len(s.taken)-1].States[0], f, opt)
	if t != nil {
		s.Remove()
		s.taken = append(s.taken, t)
	}
	return t, err
}

// Close ends the searches.
func (s *Stack) Close() {
	for len(s.taken) > 0 {
		s.Remove()
	}
}
