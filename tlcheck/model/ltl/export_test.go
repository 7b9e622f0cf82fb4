package ltl

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// SearchSize returns the number of states that Sat reaches, without the one before the first
// letter.
func SearchSize(ctx context.Context, f *temporal.Formula) (int, error) {
	s := &search{ctx: ctx, formula: newFormula(f)}
	_, _, err := s.run()
	return len(s.states) - 1, err
}
