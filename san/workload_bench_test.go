package san_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// BenchmarkRead builds the nets of runs that checks are measured on, from binary traces: with
// few tasks, and with many. A barrier is what clocks of many tasks find hardest.
func BenchmarkRead(b *testing.B) {
	for name, size := range map[string][2]int{"64 tasks": {64, 1000}, "2000 tasks": {2000, 20},
		"10000 tasks": {10_000, 10}} {
		for _, p := range workload.Patterns() {
			c := workload.Config{Pattern: p, Tasks: size[0], Events: size[1], Seed: 1}
			b.Run(p.String()+"/"+name, func(b *testing.B) {
				var trace bytes.Buffer
				if err := c.WriteTrace(&trace); err != nil {
					b.Fatal(err)
				}
				n := 0
				for b.Loop() {
					net, err := readTrace(trace.Bytes())
					if err != nil {
						b.Fatal(err)
					}
					n += net.Events()
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}

func readTrace(trace []byte) (*san.Net, error) {
	r, err := event.Open(bytes.NewReader(trace), "trace")
	if err != nil {
		return nil, err
	}
	h, err := r.Header()
	if err != nil {
		return nil, err
	}
	builder, err := san.NewBuilder(h)
	if err != nil {
		return nil, err
	}
	var e event.Event
	for err = r.Next(&e); err == nil; err = r.Next(&e) {
		if err := builder.Add(&e, ""); err != nil {
			return nil, err
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return builder.Finish()
}
