package sliced_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/sliced"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tlcheck/model/tracemodel"
)

// sections is a run of tasks that do not wait for each other, and go through a section c, in 5
// events each time.
func sections(t testing.TB, tasks, rounds int) *san.Net {
	var names []string
	for task := range tasks {
		names = append(names, fmt.Sprintf(`"t%d"`, task))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"antichain":1,"tasks":[%s]}`+"\n", strings.Join(names, ","))
	for range rounds {
		for _, event := range []string{`"enter":"c"`, `"op":"work"`, `"exit":"c"`, `"op":"rest"`, `"op":"rest"`} {
			for _, task := range names {
				fmt.Fprintf(&b, `{"t":%s,%s}`+"\n", task, event)
			}
		}
	}
	return santest.Read(t, b.String())
}

// BenchmarkCheck has what grows with the tasks, and with their events. The number of states, 51^20
// of the run of 20 tasks and 10 rounds, does not matter.
func BenchmarkCheck(b *testing.B) {
	formulas := []struct{ name, text string }{
		{"exclusion", "AG !(t0:(in.c) & t1:(in.c))"},
		{"response", "AG (t0:(in.c) -> AF t1:(in.c))"},
		{"avoidance", "EG !(t0:(in.c) & t1:(in.c))"},
		{"avoidance3", "EG !(t0:(in.c) & t1:(in.c) | t1:(in.c) & t2:(in.c) | t2:(in.c) & t0:(in.c))"},
	}
	for _, f := range formulas {
		for _, size := range []struct{ tasks, rounds int }{{5, 10}, {20, 10}, {80, 10}, {20, 2}, {20, 20}} {
			b.Run(fmt.Sprintf("%s/%dx%d", f.name, size.tasks, 5*size.rounds), func(b *testing.B) {
				net := sections(b, size.tasks, size.rounds)
				formula, err := temporal.Parse("benchmark", f.text, temporal.CTL)
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					space, err := sliced.New(tracemodel.New(net), kripke.Unfair, 1<<15)
					if err != nil {
						b.Fatal(err)
					}
					r, err := ctl.NewOnSpace(space).Check(b.Context(), formula)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := r.Evidence(b.Context(), r.Witness); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
