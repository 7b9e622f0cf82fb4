package steps

import (
	"context"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Holds reports whether a sequence of states satisfies a formula. An error is for an atom, or the
// cause of the end of the context.
func Holds(ctx context.Context, sys kripke.System, f *temporal.Formula, states []kripke.State) (bool, error) {
	word := make(ltl.Word, len(states))
	for _, a := range f.Atoms() {
		atom, err := sys.Atom(a.Text)
		if err != nil {
			return false, err
		}
		for i, s := range states {
			if sys.Holds(atom, s) {
				word[i] = append(word[i], a.Text)
			}
		}
	}
	return ltl.Holds(ctx, f, word)
}
