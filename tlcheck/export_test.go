package tlcheck

import (
	"context"
	"math/big"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Sets returns where a formula is true and where it is false for every TIVA, computed
// with slice sets, for comparison with other evaluations.
func Sets(ctx context.Context, net *san.Net, f spec.Formula, logic lsl.Logic,
	yield func(tiva []Binding, isTrue, isFalse slices.Set)) error {
	set := formula.CompileSet([]*spec.Property{{Formula: &spec.Not{X: f}}, {Formula: f}}, logic)
	var checks []*check // where it is true, where it is false
	for _, f := range set.Formulas {
		c, err := newCheck(ctx, net, f, Options{Logic: logic})
		if err != nil {
			return err
		}
		// Representatives stand for the others only where all TIVs range over them.
		c.search.tasks = nil
		for task := range san.Task(net.Tasks()) {
			c.search.tasks = append(c.search.tasks, task)
		}
		checks = append(checks, c)
	}
	tivs := set.Formulas[0].TIVs
	bs := make([]Binding, len(tivs))
	for i, tiv := range tivs {
		bs[i].TIV = tiv
	}
	env := make([]san.Task, len(set.Names))
	for ok := true; ok; ok = nextTIVA(bs, net.Tasks()) {
		for i, b := range bs {
			env[set.Formulas[0].Free[i]] = b.Task
		}
		var sets [2]slices.Set
		for i, c := range checks {
			var err error
			if sets[i], err = c.search.set(c.search.formula.Violated, env); err != nil {
				return err
			}
		}
		yield(bs, sets[0], sets[1])
	}
	return nil
}

// RoughCount counts violations as when there is no time for exact numbers.
func RoughCount(ctx context.Context, net *san.Net, prop *spec.Property, opt Options) (Number, error) {
	c, err := newCheck(ctx, net, formula.Compile(prop, opt.Logic), opt)
	if err != nil {
		return Number{}, err
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	t := newViolationCounter(ended, c)
	return t.number, t.run()
}

// CountByRoles counts violations without going through the TIVAs; false if it cannot.
func CountByRoles(ctx context.Context, net *san.Net, prop *spec.Property, opt Options) (*big.Int, bool, error) {
	c, err := newCheck(ctx, net, formula.Compile(prop, opt.Logic), opt)
	if err != nil {
		return nil, false, err
	}
	t := newViolationCounter(ctx, c)
	branches, err := t.prepare()
	if err != nil {
		return nil, false, err
	}
	n, ok := t.byRoles(branches)
	return n, ok, nil
}

// GroupsByRoles is All without going through the TIVAs, however many combinations of places there
// are; false if it cannot. With fails it goes through them in the end, as if it could not.
func GroupsByRoles(
	ctx context.Context, net *san.Net, prop *spec.Property, opt Options, fails bool,
) (*Violations, bool, error) {
	c, err := newCheck(ctx, net, formula.Compile(prop, opt.Logic), opt)
	if err != nil {
		return nil, false, err
	}
	t := newViolationCounter(ctx, c)
	if err := t.enableGrouping(); err != nil {
		return nil, false, err
	}
	branches, err := t.prepare()
	if err != nil {
		return nil, false, err
	}
	castings, ok := t.castings(branches)
	if ok {
		var g *grouping
		if g, ok = t.newGrouping(ctx, branches, castings); ok && !g.tryPlaces(g.castings, nil, 1) {
			ok = false
			t.reset()
		}
	}
	if fails {
		t.reset()
		err = t.assign(0, branches, 1)
	}
	return t.result(nil), ok, err
}

// CheckIn is Check in a context that is looked at itself, not through one derived from it.
func CheckIn(ctx context.Context, net *san.Net, prop *spec.Property) (*Result, error) {
	c, err := newCheck(ctx, net, formula.Compile(prop, lsl.L3), Options{})
	if err == nil {
		err = c.search.run()
	}
	return c.result(prop, err), nil
}

// Classifier finds out, again and again, whether formulas are stable.
type Classifier struct{ classifier }

func NewClassifier(prop *spec.Property, logic lsl.Logic) *Classifier {
	return &Classifier{newClassifier(prop, logic)}
}

// Unstable says why a formula is not stable; nil if it is.
func (c *Classifier) Unstable(f spec.Formula) *UnsupportedError { return c.checkStable(f, true) }

// Exchangeable returns the classes of TIVs that play the same part in a formula.
func Exchangeable(ctx context.Context, source spec.Formula, logic lsl.Logic) [][]string {
	f := formula.Compile(&spec.Property{Formula: source}, logic)
	classes, err := exchangeableTIVs(slices.Budget{Context: ctx}, f)
	if err != nil {
		panic(err)
	}
	var names [][]string
	for _, class := range classes {
		names = append(names, tivsOf(f, class))
	}
	return names
}
