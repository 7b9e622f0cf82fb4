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

// Number is a number that is known exactly or within bounds.
type Number struct{ Min, Max *big.Int } // Max is nil if no upper bound is known

// Exact reports whether the number is known exactly.
func (n Number) Exact() bool { return n.Max != nil && n.Min.Cmp(n.Max) == 0 }

// Violations has all pairs of a slice and a TIVA in which a property is false.
type Violations struct {
	Number  Number
	Grouped bool    // Groups and Further are set: the result is of All, not of Count
	Groups  []Group // the first MaxGroups by their witnesses
	Further int     // number of groups beyond these

	// Exchangeable are the TIVs that play the same part in the property, in classes of two or more.
	// Violations that differ by which task plays which TIV of a class are in one group; each
	// counts.
	Exchangeable [][]string

	// Stopped is the error that ended the search early, and Covered describes how far it came; else
	// they are nil and empty. If the search ended early, groups may be missing, numbers are lower
	// bounds, and witnesses need not be the first.
	Stopped error
	Covered string
}

// Group has violations that are probably one bug: the tasks of the TIVs stand at the same places,
// up to permutations of exchangeable TIVs.
type Group struct {
	Places  []Place // the places of the tasks in Witness.TIVA
	Number  Number
	Witness *Witness // the first violation of the group
}

// MaxGroups bounds the groups that All returns.
const MaxGroups = 100

// All finds all violations, grouped by the places of the TIVs' tasks. It fails where Check fails,
// and with ErrSparse on a sparse trace, whose slices differ from those of a full one. The options
// are those of Check.
func All(ctx context.Context, net *san.Net, prop *spec.Property, opt Options) (*Violations, error) {
	return violations(ctx, net, prop, opt, true)
}

// Count is All without the groups.
func Count(ctx context.Context, net *san.Net, prop *spec.Property, opt Options) (*Violations, error) {
	return violations(ctx, net, prop, opt, false)
}

// ErrSparse reports that violations cannot be counted on a sparse trace (event.Header.Sparse).
var ErrSparse = errors.New("violations cannot be counted on a trace that lacks goroutines")

func violations(
	ctx context.Context, net *san.Net, prop *spec.Property, opt Options, grouped bool,
) (*Violations, error) {
	prop, err := admit(net, prop, opt)
	if err == nil {
		err = isAboutStates(prop, "counted")
	}
	if err != nil {
		return nil, err
	}
	if net.Header().Sparse {
		return nil, ErrSparse
	}
	ctx, cancel := opt.limitContext(ctx)
	defer cancel()
	counting, cancel := opt.countContext(ctx)
	defer cancel()
	c, err := newCheck(ctx, net, formula.Compile(prop, opt.Logic), opt)
	t := newViolationCounter(counting, c)
	if err == nil && grouped {
		err = t.enableGrouping()
	}
	if err == nil {
		err = t.run()
	}
	if why := c.atoms.log.GaveUp(); why != "" {
		return nil, errors.New("the violations cannot be counted: " + why)
	}
	return t.result(err), nil
}

// tivsOf returns the names of TIVs, given by their index among the free ones.
func tivsOf(f *formula.Formula, class []int) []string {
	var names []string
	for _, tiv := range class {
		names = append(names, f.TIVs[tiv])
	}
	return names
}

// countContext returns a context for exact counts of slices, which can take any time: it has half
// of the remaining time.
func (o Options) countContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.Time <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, o.Time/2)
}

// explainAll bounds the time for the explanations of all groups.
const explainAll = 10 * time.Second

// result returns the violations counted so far; stopped is the error that ended the search, if any.
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
