package ctl_test

import (
	"context"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// largeSystem is a system of many states with three moves each, two of them to states that are
// anywhere.
type largeSystem struct{ n int }

func (m largeSystem) Processes() []string     { return []string{"1", "2"} }
func (m largeSystem) Initial() []kripke.State { return []kripke.State{0} }
func (m largeSystem) States() int             { return m.n }

func (m largeSystem) Moves(dst []kripke.Move, s kripke.State) ([]kripke.Move, error) {
	h := mixed(s)
	for i, to := range []uint64{uint64(s) + 1, h, h >> 32} {
		dst = append(dst, kripke.Move{To: kripke.State(to % uint64(m.n)), Process: int32(i % 2)})
	}
	return dst, nil
}

// mixed is a number in which the bits of s are mixed.
func mixed(s kripke.State) uint64 {
	h := uint64(s)*0x9e3779b97f4a7c15 + 1
	h ^= h >> 29
	return h * 0xbf58476d1ce4e5b9
}

func (m largeSystem) Atom(name string) (kripke.Atom, error)    { return kripke.Atom(name[0] - 'a'), nil }
func (m largeSystem) Holds(a kripke.Atom, s kripke.State) bool { return mixed(s)>>(20+8*a)&255 < 3 }
func (m largeSystem) Describe(kripke.State) []kripke.Field     { return nil }
func (m largeSystem) Label(kripke.State, kripke.Move) string   { return "" }

// BenchmarkCheck checks a formula with 20 subformulas in a million states.
func BenchmarkCheck(b *testing.B) {
	f := parse(b, "AG (a -> AF b) & A[!b W EX_1 c] & EGF (a | EX b) & !E[!a R AX (c -> EG !a)]")
	for _, fairness := range []kripke.Fairness{kripke.Unfair, kripke.Strong} {
		b.Run(fairness.String(), func(b *testing.B) {
			g, err := kripke.Explore(context.Background(), largeSystem{1e6})
			if err != nil {
				b.Fatal(err)
			}
			g.Predecessors(0)
			b.ReportAllocs()
			for b.Loop() {
				c, err := ctl.New(g, fairness)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := c.Check(context.Background(), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
