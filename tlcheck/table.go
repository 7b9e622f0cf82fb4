package tlcheck

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/internal/explicit"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// TableLimit is the largest number of slices that Table lists.
const TableLimit = 20_000

// Table yields the value of a formula in every slice and TIVA of a net: TIVA by TIVA, in the order
// of tasks, and for each the slices, every one before its successors. It enumerates slices, and
// returns an *explicit.LimitError for a net with more than TableLimit. An error of yield ends it.
func Table(ctx context.Context, net *san.Net, f spec.Formula, logic lsl.Logic,
	yield func(slice slices.Ideal, tiva []Binding, value lsl.Truth) error) error {
	e, err := explicit.New(ctx, net, logic, TableLimit)
	if err != nil {
		return err
	}
	ideals := idealsOf(slices.NewLattice(net), e)
	tivs := spec.TIVs(f)
	bindings := make([]Binding, len(tivs))
	for i, tiv := range tivs {
		bindings[i].TIV = tiv
	}
	for ok := true; ok; ok = nextTIVA(bindings, net.Tasks()) {
		tiva := explicit.TIVA{}
		for _, b := range bindings {
			tiva[b.TIV] = b.Task
		}
		values, err := e.Values(ctx, f, tiva)
		if err != nil {
			return err
		}
		if why := e.Log().GaveUp(); why != "" {
			return fmt.Errorf("the table cannot be made: %s", why)
		}
		for i, v := range values {
			if err := yield(ideals[i], bindings, v); err != nil {
				return err
			}
		}
	}
	return nil
}

func idealsOf(lat *slices.Lattice, e *explicit.Evaluator) []slices.Ideal {
	ideals := make([]slices.Ideal, e.Len())
	counts := make([]int, lat.Net().Tasks())
	for i := range ideals {
		for t, n := range e.Slice(i) {
			counts[t] = int(n)
		}
		ideal, ok := lat.Ideal(counts)
		if !ok {
			panic(fmt.Sprintf("tlcheck: slice %v is not causally closed", counts))
		}
		ideals[i] = ideal
	}
	return ideals
}

// nextTIVA advances to the next TIVA, the last TIV fastest; false after the last.
func nextTIVA(bs []Binding, tasks int) bool {
	for i := len(bs) - 1; i >= 0; i-- {
		bs[i].Task++
		if int(bs[i].Task) < tasks {
			return true
		}
		bs[i].Task = 0
	}
	return false
}
