package steps

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// BenchmarkDekker goes through all steps of one formula, from the initial state of Dekker's
// algorithm.
func BenchmarkDekker(b *testing.B) {
	text, err := os.ReadFile("../../../examples/programs/dekker.gcl")
	if err != nil {
		b.Fatal(err)
	}
	file, err := gcl.Parse("dekker.gcl", string(text))
	if err != nil {
		b.Fatal(err)
	}
	f := parse(b, "F (P0.at.m2 & P1.at.n2) & F P0.at.m8")
	for _, opt := range []Options{
		{Mode: Shortest}, {Mode: Minimal}, {Mode: Maximal}, {Mode: LiteralMin},
		{Mode: Minimal, AllPaths: true, Limit: 14}, {Mode: Minimal, Memoryless: true, Limit: 14},
	} {
		if opt.Limit == 0 {
			opt.Limit = 1000
		}
		b.Run(fmt.Sprintf("%s/all=%v/memoryless=%v", opt.Mode, opt.AllPaths, opt.Memoryless), func(b *testing.B) {
			found := 0
			for b.Loop() {
				sys, err := gcl.New(file, nil)
				if err != nil {
					b.Fatal(err)
				}
				found += count(b, sys, f, opt)
			}
			b.ReportMetric(float64(found)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}

// count returns how many steps there are.
func count(b *testing.B, sys kripke.System, f *temporal.Formula, opt Options) (n int) {
	s, err := New(sys, f, sys.Initial()[0], opt)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for {
		step, err := s.Next(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		if step == nil {
			return n
		}
		n++
	}
}

// BenchmarkLongMaximal finds a maximal step of 100,000 states.
func BenchmarkLongMaximal(b *testing.B) {
	const n = 100_000
	x := &structure{States: n, Labels: make([][]string, n), Succ: make([][]int, n)}
	for i := range n {
		x.Labels[i], x.Succ[i] = []string{"a"}, []int{i + 1}
	}
	x.Succ[n-1] = []int{}
	sys := x.system(b)
	f := parse(b, "G a")
	b.ReportAllocs()
	for b.Loop() {
		s, err := New(sys, f, 0, Options{Mode: Maximal, Limit: n})
		if err != nil {
			b.Fatal(err)
		}
		step, err := s.Next(context.Background())
		if err != nil || step == nil || len(step.States) != n {
			b.Fatal(step, err)
		}
		s.Close()
	}
}
