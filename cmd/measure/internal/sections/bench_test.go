package sections_test

import (
	"fmt"
	"testing"

	"github.com/antichain-go/antichain/cmd/measure/internal/sections"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// BenchmarkCheck compares checks in the order of the run's sections with those without it: of
// what a lock keeps apart, and of what none does; with halves, no lock alone does, and every pair
// of tasks is tried.
func BenchmarkCheck(b *testing.B) {
	for _, c := range []sections.Workload{
		{Tasks: 16, Events: 15_625, Locks: 1},
		{Tasks: 16, Events: 15_625, Locks: 1000},
		{Tasks: 64, Events: 15_625, Locks: 1},
		{Tasks: 64, Events: 15_625, Locks: 64},
		{Tasks: 64, Events: 15_625, Locks: 1000},
		{Tasks: 20, Events: 500, Locks: 2, Halves: true},
		{Tasks: 20, Events: 500, Locks: 64, Halves: true},
	} {
		run, free, err := c.Nets()
		if err != nil {
			b.Fatal(err)
		}
		for _, f := range c.Formulas() {
			p, err := spec.ParseFormula(f.Text)
			if err != nil {
				b.Fatal(err)
			}
			for name, check := range map[string]func() (*tlcheck.Result, error){
				"run": func() (*tlcheck.Result, error) { return tlcheck.Check(b.Context(), run, p, tlcheck.Options{}) },
				"locks": func() (*tlcheck.Result, error) {
					return tlcheck.Check(b.Context(), free, p, tlcheck.Options{Sections: true})
				},
			} {
				b.Run(fmt.Sprintf("%v/%s/%s", c, f.Name, name), func(b *testing.B) {
					for b.Loop() {
						if r, err := check(); err != nil || (r.Verdict == tlcheck.Violated) != f.Violated {
							b.Fatal(r, err)
						}
					}
				})
			}
		}
	}
}
