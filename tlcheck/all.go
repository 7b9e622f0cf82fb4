package tlcheck

import (
	"context"
	"errors"
	"maps"
	"math/big"
	stdslices "slices"
	"time"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Number is a number that is known, or of which bounds are.
type Number struct{ Min, Max *big.Int } // Max is nil if no upper bound is known

// Exact reports whether the number is known.
func (n Number) Exact() bool { return n.Max != nil && n.Min.Cmp(n.Max) == 0 }

// Violations are all pairs of a slice and a TIVA in which a property is false.
type Violations struct {
	Number  Number
	Grouped bool    // Groups has them all, and Further: they come of All, not of Count
	Groups  []Group // the first MaxGroups by their witnesses
	Further int     // groups that are not among these

	// Exchangeable are the TIVs that the property says the same of, in classes of two and more.
	// Violations that differ by which task plays which of a class are in one group; each counts.
	Exchangeable [][]string

	// Stopped is what ended the search before all were found, and Covered says how far it was; else
	// nil and empty. The groups are then perhaps not all, their numbers lower bounds, and their
	// witnesses perhaps not the first.
	Stopped error
	Covered string
}

// Group are violations that are probably one bug: the tasks of the TIVs stand at the same
// places, up to which TIV is which among those that are exchangeable.
type Group struct {
	Places  []Place // of the tasks in Witness.TIVA
	Number  Number
	Witness *Witness // the first of the group
}

// MaxGroups is how many groups All returns.
const MaxGroups = 100

// All finds all violations, grouped by the places at which the tasks of the TIVs stand. It fails
// where Check fails, and with ErrSparse on a sparse trace, which has other slices than a full one.
// The options mean what they mean there.
func All(ctx context.Context, net *san.Net, prop *spec.Property, opt Options) (*Violations, error) {
	return violations(ctx, net, prop, opt, true)
}

// Count is All without the groups.
func Count(ctx context.Context, net *san.Net, prop *spec.Property, opt Options) (*Violations, error) {
	return violations(ctx, net, prop, opt, false)
}

// ErrSparse says that violations cannot be counted on a sparse trace (event.Header.Sparse).
var ErrSparse = errors.New("violations cannot be counted on a trace that lacks goroutines")

func violations(
	ctx context.Context, net *san.Net, prop *spec.Property, opt Options, grouped bool,
) (*Violations, error) {
	prop, err := admit(net, prop, opt)
	if err != nil {
		return nil, err
	}
	if net.Header().Sparse {
		return nil, ErrSparse
	}
	ctx, cancel := opt.limit(ctx)
	defer cancel()
	counting, cancel := opt.counting(ctx)
	defer cancel()
	c, err := newCheck(ctx, net, formula.Compile(prop, opt.Logic), opt)
	t := newViolationCounter(counting, c)
	if err == nil && grouped {
		err = t.group()
	}
	if err == nil {
		err = t.run()
	}
	if why := c.atoms.log.GaveUp(); why != "" {
		return nil, errors.New("the violations cannot be counted: " + why)
	}
	return t.result(err), nil
}

// tivsOf returns the names of TIVs that are given by their place among the free ones.
func tivsOf(f *formula.Formula, class []int) []string {
	var names []string
	for _, tiv := range class {
		names = append(names, f.TIVs[tiv])
	}
	return names
}

// counting returns a context for exact numbers of slices, which can take any time: half of what
// there is.
func (o Options) counting(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.Time <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, o.Time/2)
}

// explainAll is the time for the explanations of all groups.
const explainAll = 10 * time.Second

// result turns what was counted, before something may have stopped that, into what is known.
func (t *violationCounter) result(stopped error) *Violations {
	s := &t.search
	v := &Violations{Number: t.number, Grouped: t.groups != nil}
	if stopped != nil {
		v.Stopped, v.Covered = stopped, t.coverage(stopped)
		v.Number.Max = nil
	}
	for _, class := range t.alike {
		v.Exchangeable = append(v.Exchangeable, tivsOf(s.formula, class))
	}
	groups := stdslices.SortedFunc(maps.Values(t.groups), func(g, h *group) int { return s.compare(g.first, h.first) })
	v.Further = max(0, len(groups)-MaxGroups)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.budget.Context), explainAll)
	defer cancel()
	for _, g := range groups[:len(groups)-v.Further] {
		if stopped != nil {
			g.number.Max = nil
		}
		shown := Group{Number: g.number, Witness: t.witness(ctx, g.first)}
		for _, p := range g.places {
			shown.Places = append(shown.Places, t.places.places[p])
		}
		v.Groups = append(v.Groups, shown)
	}
	return v
}
