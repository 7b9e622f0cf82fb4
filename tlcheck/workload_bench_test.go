package tlcheck_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/event"
)

// BenchmarkWorkload has the rows of "go -C cmd/measure run . checking" at a size at which they are
// quick; the net is built outside of what is measured.
func BenchmarkWorkload(b *testing.B) {
	for _, p := range workload.Patterns() {
		for _, v := range []workload.Variant{workload.Holds, workload.Violated} {
			c := workload.Config{Pattern: p, Variant: v, Tasks: 8, Events: 40, Buffer: true, Seed: 1}
			net, err := c.Net()
			if err != nil {
				b.Fatal(err)
			}
			for _, f := range workload.Formulas() {
				text, ok := f.Text(c)
				if !ok {
					continue
				}
				b.Run(fmt.Sprintf("%v/%v/%s", p, v, f.Name), func(b *testing.B) {
					prop := property(b, text)
					for b.Loop() {
						r, err := tlcheck.Check(b.Context(), net, prop, tlcheck.Options{})
						if err != nil || r.Verdict.String() != v.String() {
							b.Fatal(r, err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkPairs decides mutual exclusion of two predicates in runs of many tasks.
func BenchmarkPairs(b *testing.B) {
	for _, tasks := range []int{64, 2000} {
		for _, p := range workload.Patterns() {
			for _, v := range []workload.Variant{workload.Holds, workload.Violated} {
				c := workload.Config{Pattern: p, Variant: v, Tasks: tasks, Events: 20_000 / tasks, Seed: 1}
				net, err := c.Net()
				if err != nil {
					b.Fatal(err)
				}
				b.Run(fmt.Sprintf("%v", c), func(b *testing.B) {
					for b.Loop() {
						checkPair(b, c, net)
					}
				})
			}
		}
	}
}

func checkPair(tb testing.TB, c workload.Config, net *san.Net) {
	tb.Helper()
	text, _ := workload.Formulas()[0].Text(c)
	r, err := tlcheck.Check(tb.Context(), net, property(tb, text), tlcheck.Options{})
	if err != nil || r.Verdict.String() != c.Variant.String() {
		tb.Fatal(c, r, err)
	}
}

// BenchmarkAll groups the violations of a property over two TIVs in runs whose events come from
// several places.
func BenchmarkAll(b *testing.B) {
	prop := property(b, "not (t1:(a) and t2:(b))")
	for _, places := range []int{2, 8, 20} {
		for _, p := range workload.Patterns() {
			net := placedNet(b, workload.Config{Pattern: p, Variant: workload.Violated, Tasks: 20, Events: 50, Seed: 1},
				places)
			b.Run(fmt.Sprintf("%v/places=%d", p, places), func(b *testing.B) {
				for b.Loop() {
					all, err := tlcheck.All(b.Context(), net, prop, tlcheck.Options{})
					if err != nil || !all.Number.Exact() || len(all.Groups) < 2 {
						b.Fatal(all, err)
					}
				}
			})
		}
	}
}

// placedNet builds the net of a run whose events are spread over so many places.
func placedNet(tb testing.TB, c workload.Config, places int) *san.Net {
	builder, err := san.NewBuilder(c.Header())
	if err != nil {
		tb.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	err = c.Each(func(e *event.Event) error {
		e.At = fmt.Sprintf("main.go:%d", rnd.IntN(places))
		return builder.Add(e, "")
	})
	if err != nil {
		tb.Fatal(err)
	}
	net, err := builder.Finish()
	if err != nil {
		tb.Fatal(err)
	}
	return net
}
