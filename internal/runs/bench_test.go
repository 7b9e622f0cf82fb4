package runs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// workload is 100 runs whose records are mixed: calls of a function in four tasks that pass a token
// around. A call is three events: a task is in the function until what it does behind it.
func workload(b testing.TB, events int, text bool) (all []*record.Record, total int) {
	const runs, calls = 100, 134
	queues := make([][]*record.Record, runs)
	for n := range queues {
		h := &event.Header{Tasks: []string{"a", "b", "c", "d"}}
		w, err := record.NewWriter(fmt.Sprint("run", n), "s", h, record.Options{Events: events, Text: text},
			func(r *record.Record) error {
				r.At = "topic/0@1"
				queues[n] = append(queues[n], r)
				return nil
			})
		if err != nil {
			b.Fatal(err)
		}
		for i := range 3 * calls {
			call := i / 3
			e := &event.Event{Task: h.Tasks[call%4]}
			switch i % 3 {
			case 0:
				e.Enter, e.At = "critical", "main.go:7"
				if call > 0 {
					e.After = []event.Ref{{Task: h.Tasks[(call+3)%4], K: 3 * ((call-1)/4 + 1)}}
				}
			case 1:
				e.Exit, e.At = "critical", "main.go:9"
			case 2:
				e.At = "main.go:10"
			}
			if err := w.Write(e); err != nil {
				b.Fatal(err)
			}
			total++
		}
		if err := w.End(record.EndRun); err != nil {
			b.Fatal(err)
		}
	}
	for i := 0; ; i++ {
		more := false
		for _, q := range queues {
			if i < len(q) {
				all, more = append(all, q[i]), true
			}
		}
		if !more {
			return all, total
		}
	}
}

// BenchmarkTake is what a monitor does with the records of a partition, and how much of that is
// decoding.
func BenchmarkTake(b *testing.B) {
	for _, events := range []int{1, 100} {
		for _, form := range []string{"text", "block"} {
			all, total := workload(b, events, form == "text")
			perEvent := func(b *testing.B) {
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(total), "ns/event")
			}
			b.Run(fmt.Sprintf("decode/%s/%d", form, events), func(b *testing.B) {
				r := event.NewPartReader(event.Limits{})
				var e event.Event
				for b.Loop() {
					for _, rec := range all {
						if _, err := r.Open(rec.Value, rec.At); err != nil {
							b.Fatal(err)
						}
						for r.Next(&e) == nil {
						}
					}
				}
				perEvent(b)
			})
			b.Run(fmt.Sprintf("check/%s/%d", form, events), func(b *testing.B) {
				c := config(b, false, "not (t1:(in.critical) and t2:(in.critical)) if t1 != t2")
				for b.Loop() {
					t := table{}
					rs := runs.New(c, t)
					for _, rec := range all {
						again := *rec
						rs.Take(&again, time.Time{})
					}
					for _, verdict := range t {
						if len(t) != 100 || verdict != "holds " {
							b.Fatal(t)
						}
					}
				}
				perEvent(b)
			})
		}
	}
}

// BenchmarkSnapshot saves, and reads, runs that go on.
func BenchmarkSnapshot(b *testing.B) {
	all, _ := workload(b, 100, false)
	c := config(b, false, "not (t1:(in.critical) and t2:(in.critical)) if t1 != t2")
	rs := runs.New(c, table{})
	for _, rec := range all {
		if rec.End == 0 {
			rs.Take(rec, time.Time{})
		}
	}
	w := snapshot.NewWriter()
	if err := rs.Snapshot(w); err != nil {
		b.Fatal(err)
	}
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if err := rs.Snapshot(snapshot.NewWriter()); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(w.Bytes())), "bytes")
		b.ReportMetric(float64(rs.Stats().Bytes), "live-bytes")
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if err := runs.New(c, table{}).Snapshot(snapshot.NewReader(w.Bytes())); err != nil {
				b.Fatal(err)
			}
		}
	})
}
