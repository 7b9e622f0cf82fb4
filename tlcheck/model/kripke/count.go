package kripke

import "context"

// Size is the number of states and moves of a system.
type Size struct {
	States, Moves int
	DeadEnds      int   // number of states without a move
	DeadEnd       State // the first one, if there is one
}

// Count explores all states of a system as Explore does, without storing their moves. If the
// context ends first, the error is a *StoppedError.
func Count(ctx context.Context, sys System) (*Size, error) {
	size := &Size{}
	err := visit(ctx, sys, func(s State, moves []Move) {
		size.States++
		size.Moves += len(moves)
		if len(moves) > 0 {
			return
		}
		if size.DeadEnds == 0 {
			size.DeadEnd = s
		}
		size.DeadEnds++
	})
	if err != nil {
		return nil, err
	}
	return size, nil
}

// visit calls each for all states, with their moves, which are valid until each returns.
func visit(ctx context.Context, sys System, each func(s State, moves []Move)) error {
	var moves []Move
	var err error
	// total counts the moves. looked is the number of states and moves when the context was last
	// polled.
	total, looked := 0, -exploredBetween
	for s := 0; s < sys.States(); s++ {
		if s+total >= looked+exploredBetween {
			looked = s + total
			if ctx.Err() != nil {
				return &StoppedError{sys.States(), total, context.Cause(ctx)}
			}
		}
		if moves, err = sys.Moves(moves[:0], State(s)); err != nil {
			return err
		}
		each(State(s), moves)
		total += len(moves)
	}
	return nil
}
