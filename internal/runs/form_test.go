package runs_test

import (
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// TestSnapshotForm has snapshots be what those of earlier versions are: monitors of a group are
// replaced one by one, and read what others have written. Where this cannot be kept, kafkaservice
// names another format and reads both.
func TestSnapshotForm(t *testing.T) {
	c := config(t, false, "t0:(1/x >= 0)", "t3:(1/x >= 0)", "not t14999:(in.g)")
	rs := runs.New(c, table{})
	whole, _ := workload(t, 7, false)
	for _, r := range whole[:len(whole)/2] {
		rs.Take(r, time.Time{})
	}
	for _, r := range crowd(t) {
		rs.Take(r, time.Time{})
	}
	w := snapshot.NewWriter()
	if err := rs.Snapshot(w); err != nil {
		t.Fatal(err)
	}
	const want = "7b80f2760e8992b87658c67001073c9848c5d2b30531940373258e0c1e314ab3"
	if got := fmt.Sprintf("%x", sha256.Sum256(w.Bytes())); got != want {
		t.Errorf("a snapshot of %d bytes is %s, not %s", len(w.Bytes()), got, want)
	}
}

// crowd is a run so long that its beginning is forgotten. Its tasks are many, and short.
func crowd(t *testing.T) (all []*record.Record) {
	h := &event.Header{Tasks: []string{"main"}}
	w, err := record.NewWriter("crowd", "s", h, record.Options{Events: 1000}, func(r *record.Record) error {
		r.At = fmt.Sprint("topic/0@", len(all))
		all = append(all, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 15_000 {
		task := fmt.Sprint("t", i)
		events := []*event.Event{
			{Task: "main", Spawn: task},
			{Task: task, Enter: "f", Set: []event.Binding{{Name: "x", Value: event.IntValue(int64(i % 3))}}},
			{Task: task, Exit: "f"},
			{Task: task, Op: event.OpEnd},
			{Task: "main", After: []event.Ref{{Task: task, K: 3}}},
		}
		for _, e := range events {
			if err := w.Write(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}
