package unfolding

import (
	"fmt"
	"testing"
)

// BenchmarkLock explores n goroutines that take one lock: n! orders.
func BenchmarkLock(b *testing.B) {
	for _, n := range []int{4, 5, 6} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			t := &toy{saw: map[string]bool{}}
			for range n {
				t.threads = append(t.threads, []line{{op: lock}, {op: unlock}})
				t.started = append(t.started, true)
			}
			orders := 0
			for b.Loop() {
				x := New(t, t.initial(), func(Order) error { return nil })
				if err := x.Explore(); err != nil {
					b.Fatal(err)
				}
				orders = x.Counts.Orders
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(orders), "µs/order")
			b.ReportMetric(float64(orders), "orders")
		})
	}
}
