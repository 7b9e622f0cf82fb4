//go:build unix

package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// stateRow is a state of the runs of a partition.
type stateRow struct {
	runs, calls int // that each has had
}

var stateRows = []stateRow{{100, 100}, {1000, 100}, {10_000, 100}, {100, 1000}, {1000, 1000}}

var stateHead = table{"runs", "events of each", "events kept", "live, MiB", "snapshot, MiB", "compressed, MiB", "writing, ms", "reading, ms"}

// snapshotTable prints how large snapshots are, and how long it takes to write and to read them.
func (s *streamBench) snapshotTable() error {
	fmt.Printf("\nSnapshots of one partition: what is kept of runs that go on, compressed as it goes to the topic.\n\n")
	t := stateHead.start()
	flush(t)
	for _, r := range stateRows {
		if s.short {
			r.runs, r.calls = max(1, r.runs/100), min(r.calls, 100)
		}
		cells, err := r.measure(s.count)
		if err != nil {
			return fmt.Errorf("%d runs: %w", r.runs, err)
		}
		t.add(cells...)
		flush(t)
	}
	return nil
}

func (r stateRow) measure(count int) ([]string, error) {
	c, err := stateConfig()
	if err != nil {
		return nil, err
	}
	live, kept := runs.New(c, &keeper{}), &keeper{}
	if err := r.feed(live); err != nil {
		return nil, err
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	var writing, reading []float64
	var raw, packed []byte
	for range count {
		runtime.GC()
		begin := time.Now()
		w := snapshot.NewWriter()
		if err := live.Snapshot(w); err != nil {
			return nil, err
		}
		raw = w.Bytes()
		packed = z.EncodeAll(raw, nil)
		writing = append(writing, time.Since(begin).Seconds()*1000)
		runtime.GC()
		begin = time.Now()
		restored := runs.New(c, kept)
		if err := restore(restored, packed); err != nil {
			return nil, err
		}
		reading = append(reading, time.Since(begin).Seconds()*1000)
		kept.events = 0
		restored.Close("cut off")
	}
	const mib = 1 << 20
	return []string{
		fmt.Sprint(r.runs), fmt.Sprint(r.calls * callEvents), fmt.Sprint(kept.events), number(float64(live.Stats().Bytes) / mib),
		number(float64(len(raw)) / mib), number(float64(len(packed)) / mib), number(median(writing)), number(median(reading)),
	}, nil
}

func restore(rs *runs.Runs, packed []byte) error {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer z.Close()
	raw, err := z.DecodeAll(packed, nil)
	if err != nil {
		return err
	}
	return rs.Snapshot(snapshot.NewReader(raw))
}

// stateConfig checks one property.
func stateConfig() (runs.Config, error) {
	p, err := spec.ParseFormula(streamProperty)
	all := []*spec.Property{p}
	return runs.Config{Properties: all, Logic: lsl.L3, Split: func(*event.Header) (open, late []*spec.Property, refused []*tlcheck.Result) {
		return all, nil, nil
	}}, err
}

// feed brings runs to where they have had their events, and go on.
func (r stateRow) feed(to *runs.Runs) error {
	for i := range r.runs {
		records, err := relay{calls: r.calls, seed: uint64(i)}.records(form{events: 100})
		if err != nil {
			return err
		}
		for _, rec := range records[:len(records)-1] { // without its end
			again := *rec
			again.Run = fmt.Sprint("run-", i)
			to.Take(&again, time.Time{})
		}
	}
	if live := to.Stats().Live; live != r.runs {
		return fmt.Errorf("%d runs go on, not %d", live, r.runs)
	}
	return nil
}

// keeper counts the events of nets that were still kept when their runs ended.
type keeper struct{ events int }

func (k *keeper) Result(*runs.Run, *tlcheck.Result) {}
func (k *keeper) Failed(*runs.Run, error)           {}
func (k *keeper) Rejected(*record.Record, error)    {}

func (k *keeper) Over(_ *runs.Run, net *san.Net, _ []*spec.Property, _ tlcheck.Truncation) {
	k.events += net.Events()
}
