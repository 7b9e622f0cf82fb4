//go:build linux && (amd64 || arm64)

package control

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkHalt measures the time from setting the word that halts the program to knowing
// that it stands still, over programs that are busy in different ways:
//
//	go test -run - -bench Halt -benchtime 500x ./internal/tracer/control
func BenchmarkHalt(b *testing.B) {
	for _, work := range []string{"many", "locked", "churn", "pipe", "tick", "allocate", "spin"} {
		for _, env := range []string{"", "GOMAXPROCS=1"} {
			b.Run(strings.TrimSuffix(work+"/"+env, "/"), func(b *testing.B) {
				var extra []string
				if env != "" {
					extra = []string{env}
				}
				s := start(b, extra, work).dial(b)
				var took []time.Duration
				for b.Loop() {
					begun := time.Now()
					if err := s.Halt(); err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(begun))
					if err := s.Resume(); err != nil {
						b.Fatal(err)
					}
					time.Sleep(time.Millisecond) // the program gets going again
				}
				slices.Sort(took)
				at := func(quantile float64) float64 {
					return float64(took[int(quantile*float64(len(took)-1))]) / float64(time.Microsecond)
				}
				b.ReportMetric(0, "ns/op") // it would include the pause
				b.ReportMetric(at(0.5), "p50-µs")
				b.ReportMetric(at(0.9), "p90-µs")
				b.ReportMetric(at(1), "max-µs")
			})
		}
	}
}
