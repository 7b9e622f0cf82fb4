package tlcheck_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// TestCountByRoles compares the number of violations of formulas over three TIVs with enumeration,
// of slices and TIVAs.
func TestCountByRoles(t *testing.T) {
	words := words
	words.TIVs, words.Present = []string{"t1", "t2", "t3"}, true
	tried, counted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		net := santest.Generate(santest.Rapid(t), santest.Config{Steps: 10, Tasks: 4}).MustBuild()
		for range 5 {
			prop := &spec.Property{Formula: spectest.Formula(words).Draw(t, "formula")}
			opt := tlcheck.Options{Logic: rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")}
			n, ok, err := tlcheck.CountByRoles(t.Context(), net, prop, opt)
			if err != nil {
				t.Fatal(err)
			}
			if tried++; !ok {
				continue
			}
			counted++
			want := int64(0)
			for _, r := range table(t, net, prop.Formula, opt.Logic) {
				if r.value == lsl.False {
					want++
				}
			}
			if n.Int64() != want {
				t.Fatalf("%v violations of %s, want %d", n, spec.Format(prop.Formula), want)
			}
		}
	})
	if counted < tried/5 {
		t.Errorf("%d of %d formulas were counted", counted, tried)
	}
}

// Numbers of slices are beyond enumeration, and TIVAs are many: 25 even states of each of three
// tasks, the others are anywhere.
func TestCountThree(t *testing.T) {
	const tasks, events, even = 100, 50, 25
	net := santest.Read(t, wide(tasks, events))
	slices := func(factor, different int64) *big.Int {
		n := big.NewInt(factor)
		n.Mul(n, new(big.Int).Exp(big.NewInt(even), big.NewInt(different), nil))
		return n.Mul(n, new(big.Int).Exp(big.NewInt(events+1), big.NewInt(tasks-different), nil))
	}
	different := slices(tasks*(tasks-1)*(tasks-2), 3)
	all := new(big.Int).Add(slices(3*tasks*(tasks-1), 2), slices(tasks, 1))
	all.Add(all, different)
	for text, want := range map[string]*big.Int{
		"not (t1:(even) and t2:(even) and t3:(even)) if t1 != t2 and t2 != t3 and t1 != t3": different,
		"not (t1:(even) and t2:(even) and t3:(even))":                                       all,
		"t1:(even) -> (t2:(not even) or t3:(not even))":                                     all,
	} {
		v, err := tlcheck.Count(t.Context(), net, property(t, text), tlcheck.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !v.Number.Exact() || v.Number.Min.Cmp(want) != 0 {
			t.Errorf("%v violations of %s, want %s", v.Number, text, want)
		}
	}
}
