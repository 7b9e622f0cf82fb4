//go:build unix

package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// verify ends the monitors, and compares what they have said and applied with what they should
// have. The verdicts of a fault that monitors cannot meet everywhere are left out by keep.
func (tr *trial) verify(expected map[subject]string) {
	tr.Helper()
	tr.await(expected)
	applied := tr.applied()
	// On a busy machine a monitor may need most of the time to join. So the next one gets more.
	wait := stall
	for ctx := tr.bounded(); applied.Live > 0; applied = tr.applied() {
		if ctx.Err() != nil {
			tr.Fatalf("%d runs are not over", applied.Live)
		}
		tr.Logf("another monitor, since those that gave the verdicts on %d runs were killed before they saved that they were over", applied.Live)
		tr.start()
		for until := time.Now().Add(wait); time.Now().Before(until); {
			tr.seen.poll(tr.T, 100*time.Millisecond)
		}
		wait *= 2
	}
	got := upserted(tr.T, tr.seen.lines)
	verdicts := map[subject]string{}
	extra := 0 // violations of runs that break later
	for at, s := range got {
		if r := tr.sent.byID[at.run]; r == nil || !r.kind.checked() && at.property != "" {
			extra++
			continue
		}
		verdicts[at] = s.Verdict
	}
	if diff := cmp.Diff(expected, verdicts); diff != "" {
		tr.Errorf("antichain check, monitors:\n%s", diff)
	}
	tr.compareAlone(got)
	if applied.Events != int64(tr.sent.events) {
		tr.Errorf("%d events applied, not %d", applied.Events, tr.sent.events)
	}
	tr.Logf("%d runs; %d records produced (%d of them again), %d taken; %d events produced, %d applied; %d verdicts expected, %d seen, in %d lines; %d before an error; %d monitors",
		len(tr.sent.runs), tr.sent.records, applied.Repeated, applied.Records, tr.sent.events, applied.Events, len(expected), len(verdicts), len(tr.seen.lines), extra, len(tr.processes))
	if applied.Records != int64(tr.sent.records) {
		tr.Errorf("%d records taken, not %d", applied.Records, tr.sent.records)
	}
}

// compareAlone compares the verdicts with those of one monitor that reads the topic in peace, their
// ids included. It does not wait for records that are missing.
func (tr *trial) compareAlone(got map[subject]said) {
	tr.Helper()
	args := append([]string{"monitor", "--until-eof", "--json", "--keep-going", "--spec", tr.spec}, tr.options...)
	out, err := exec.Command(tr.antichain, append(args, tr.address())...).Output()
	if code, err := exit.CodeOf(err); err != nil || code > 3 {
		tr.Fatalf("%d, %v", code, err)
	}
	var lines []said
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var s said
		if err := d.Decode(&s); err != nil {
			tr.Fatal(err)
		}
		lines = append(lines, s)
	}
	ids := func(all map[subject]said) map[subject]string {
		ids := map[subject]string{}
		for at, s := range all {
			if r := tr.sent.byID[at.run]; r != nil && r.kind != lostRun {
				ids[at] = s.ID + " " + s.Verdict
			}
		}
		return ids
	}
	if diff := cmp.Diff(ids(upserted(tr.T, lines)), ids(got)); diff != "" {
		tr.Errorf("alone, in the group:\n%s", diff)
	}
}

// applied lets the monitors save what they have and ends them. It then joins the group itself, and
// returns the sums of what is in the states of the partitions.
func (tr *trial) applied() runs.Stats {
	tr.Helper()
	tr.awaitSaved()
	tr.endAll()
	tr.rest()
	a := &audit{config: faultConfig(tr.T), stats: map[int32]runs.Stats{}}
	ctx, cancel := context.WithCancel(tr.bounded())
	defer cancel()
	address := kafka.Address{Brokers: tr.brokers, Topic: tr.names.runs}
	topics, err := tr.admin.ListTopics(ctx, tr.names.runs)
	if err != nil {
		tr.Fatal(err)
	}
	a.left, a.done = len(topics[tr.names.runs].Partitions), cancel
	g, err := kafka.Join(ctx, kafka.GroupConfig{
		Address: address, Group: tr.names.group, Snapshots: address.Topic + "-" + tr.names.group + "-snapshots",
		Session: 6 * time.Second, Log: zerolog.Nop(), New: a.partition,
	})
	if err != nil {
		tr.Fatal(err)
	}
	if err := g.Run(); err != nil {
		tr.Fatal(err)
	}
	if a.left > 0 {
		tr.Errorf("%d partitions have not been seen", a.left)
	}
	if a.taken > 0 {
		tr.Errorf("%d records are in no snapshot", a.taken)
	}
	var sum runs.Stats
	for s := range maps.Values(a.stats) {
		sum.Records += s.Records
		sum.Events += s.Events
		sum.Repeated += s.Repeated
		sum.Live += s.Live
	}
	return sum
}

// audit looks at the states of partitions, and does nothing else.
type audit struct {
	config runs.Config

	mu    sync.Mutex
	stats map[int32]runs.Stats
	left  int // partitions that have not been seen
	taken int
	done  func()
}

func (a *audit) partition(number int32, state []byte) (kafka.Processor, error) {
	rs := runs.New(a.config, discardReporter{})
	if state != nil {
		r := snapshot.NewReader(state)
		r.String(new(string))       // format
		r.String(new(string))       // specification
		snapshot.Int(r, new(int64)) // clock
		said := map[string]int64{}  // verdicts
		snapshot.Map(r, &said, strings.Compare, r.String, func(n *int64) { snapshot.Int(r, n) })
		if err := rs.Snapshot(r); err != nil {
			return nil, err
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stats[number] = rs.Stats()
	if a.left--; a.left == 0 {
		time.AfterFunc(time.Second, a.done) // later than records that nobody has taken
	}
	return &auditor{a, state}, nil
}

// auditor holds the state of a partition.
type auditor struct {
	audit *audit
	state []byte
}

func (a *auditor) Take(*record.Record, time.Time) {
	a.audit.mu.Lock()
	defer a.audit.mu.Unlock()
	a.audit.taken++
}
func (a *auditor) Tick(time.Time) bool         { return false }
func (a *auditor) Flush(context.Context) error { return context.Canceled } // so that nothing is saved
func (a *auditor) State() ([]byte, error)      { return a.state, nil }
func (a *auditor) Drop()                       {}
