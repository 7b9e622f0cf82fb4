//go:build unix

package faults

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/kafkatest"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// head is a header of a run, for the first of its records.
const head = `{"antichain":1,"tasks":["main"]}` + "\n"

// TestFaultsOfRecords sends records that are too large, or unfold to too much, or say nonsense, and
// a run that takes more memory than it may. The other runs go on, and monitors that are killed are
// relieved.
func TestFaultsOfRecords(t *testing.T) {
	rounds(t, func(t *testing.T, random *rand.Rand) {
		const memory = 16 << 20
		tr := newTrial(t, random, newFaultKafka(t, 1).brokers, 4, append(swift, "--run-memory", fmt.Sprint(memory))...)
		tr.generate(30)
		large := tr.add("large", wholeRun, strings.Repeat("x", 1000), 3000, 10000) // more than is fetched at a time
		if n := len(large.records[0].Value); n < 2<<20 {
			t.Fatalf("a large record has %d bytes", n)
		}
		tr.add("poison", brokenRun, strings.Repeat("y", 10_000), 2*memory/10_000, 10)
		tr.nonsense()
		tr.sent.events = readable(t, tr.sent.runs[:30]) + 3000
		tr.start()
		tr.harass(6, tr.join, tr.kill, tr.pass)
		tr.verifyVerdicts(tr.checked())
		if n := tr.size(tr.names.dead); n == 0 {
			t.Error("no dead letters")
		}
	})
}

// add adds a run of two tasks, of which the first has many events with large values, that differ.
func (tr *trial) add(id string, kind runKind, value string, events, each int) *sentRun {
	r := &sentRun{id: id, kind: kind}
	h := &event.Header{Version: 1, Tasks: []string{"a", "b"}}
	var text bytes.Buffer
	written := event.NewTextWriter(&text, h)
	w, err := record.NewWriter(id, "only", h, record.Options{Text: true, Events: each, Bytes: 64 << 20}, func(rec *record.Record) error {
		r.records = append(r.records, rec)
		return nil
	})
	if err != nil {
		tr.Fatal(err)
	}
	for i := range events {
		e := &event.Event{Task: "a", Set: []event.Binding{{Name: "v", Value: event.StringValue(fmt.Sprint(i, value))}}}
		if err := w.Write(e); err != nil {
			tr.Fatal(err)
		}
		if err := written.Write(e); err != nil {
			tr.Fatal(err)
		}
	}
	if err := w.End(record.EndRun); err != nil {
		tr.Fatal(err)
	}
	if err := written.Close(); err != nil {
		tr.Fatal(err)
	}
	r.text = text.Bytes()
	tr.sent.runs = append(tr.sent.runs, r)
	tr.sent.byID[id] = r
	return r
}

// nonsense adds runs whose second record cannot be read.
func (tr *trial) nonsense() {
	for id, value := range map[string][]byte{
		"long-line":  []byte(`{"t":"a","set":{"x":"` + strings.Repeat("z", 17<<20) + `"}}` + "\n"),
		"bomb":       block(1000, 2000, bytes.Repeat([]byte{0}, 200<<20)),
		"large-size": block(1000, 1<<40, []byte{0}),
		"no-events":  block(0, 1, []byte{0}),
		"zeros":      make([]byte, 2<<20),
		"empty":      {'B'},
	} {
		tr.strange(id, &record.Record{Run: id, Source: "only", Seq: 2, Value: value})
	}
	tr.strange("many-headers", &record.Record{Run: "many-headers", Source: "only", Seq: 2, Value: []byte(head)})
	tr.strange("long-source", &record.Record{Run: "long-source", Source: strings.Repeat("s", 2<<20), Seq: 1, Value: []byte(head)})
	long := strings.Repeat("k", 2<<20) // of which nothing is said but in a dead letter
	tr.produce([]*record.Record{{Run: long, Source: "only", Seq: 1, Value: []byte(head)}, {Value: []byte("without a key")}})
}

func (tr *trial) strange(id string, rec *record.Record) {
	r := &sentRun{id: id, kind: brokenRun, records: []*record.Record{{Run: id, Source: "only", Seq: 1, Value: []byte(head)}, rec}}
	tr.sent.runs = append(tr.sent.runs, r)
	tr.sent.byID[id] = r
}

// block is a binary block that says it has so many events and bytes, whatever it unfolds to.
func block(events, size uint64, content []byte) []byte {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err) // it can be made
	}
	packed := z.EncodeAll(content, nil)
	b := binary.AppendUvarint([]byte{'B'}, events)
	b = binary.AppendUvarint(b, size)
	b = binary.AppendUvarint(b, uint64(len(packed)))
	return append(b, packed...)
}

// verifyVerdicts is verify without the counts of records and events: how many of those behind a
// mistake are taken is not said.
func (tr *trial) verifyVerdicts(expected map[subject]string) {
	tr.Helper()
	tr.await(expected)
	tr.endAll()
	tr.rest()
	got := upserted(tr.T, tr.seen.lines)
	wrong := 0
	for at, verdict := range expected {
		if got[at].Verdict != verdict {
			wrong++
			tr.Errorf("%v: %+v, not %s", at, got[at], verdict)
		}
	}
	for at := range got {
		if _, ok := expected[at]; !ok && tr.sent.byID[at.run] != nil && tr.sent.byID[at.run].kind.checked() {
			tr.Errorf("unexpected: %+v", got[at])
		}
	}
	tr.Logf("%d runs; %d records produced; %d verdicts expected, %d seen, in %d lines; %d dead letters; %d monitors",
		len(tr.sent.runs), tr.sent.records, len(expected), len(expected)-wrong, len(tr.seen.lines), tr.size(tr.names.dead), len(tr.processes))
}

// Monitors that do not know what others have written say so, and end.
func TestFaultsOfVersions(t *testing.T) {
	kafkatest.Parallel(t)
	for _, test := range []struct{ metadata, want string }{
		{`{"offset":7}`, `does not point to a snapshot: the group belongs to another program; use another one`},
		{"antichain 2 0 0", "the group's last commit is of version 2, and this program reads version 1"},
		{"antichain 1 0 12345 1 100 00000000 -", "12345"}, // and there is nothing
	} {
		t.Run(test.metadata, func(t *testing.T) {
			tr := newTrial(t, rand.New(rand.NewSource(1)), newFaultKafka(t, 1).brokers, 1, swift...)
			tr.generate(1)
			tr.produce(tr.mixed())
			tr.commit(test.metadata)
			p := tr.start()
			if code := tr.wait(p); code != exit.Error || !strings.Contains(p.errs(), test.want) {
				t.Errorf("exit code %d, want %q:\n%s", code, test.want, p.errs())
			}
		})
	}
}

// A topic that is deleted ends its monitors.
func TestFaultsTopicDeleted(t *testing.T) {
	kafkatest.Parallel(t)
	tr := newTrial(t, rand.New(rand.NewSource(1)), newFaultKafka(t, 1).brokers, 2, swift...)
	tr.generate(5)
	tr.produce(tr.mixed())
	all := []*monitorProcess{tr.start(), tr.start()}
	tr.await(tr.checked())
	if _, err := tr.admin.DeleteTopic(tr.bounded(), tr.names.runs); err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if code := tr.wait(p); code != exit.Error || !strings.Contains(p.errs(), "is gone") {
			t.Errorf("exit code %d:\n%s", code, p.errs())
		}
	}
}

// Runs that begin when partitions have been added are checked as all others, and those that have
// begun before are not taken for whole if their records go to other partitions from then on.
func TestFaultsPartitionsAdded(t *testing.T) {
	long(t)
	rounds(t, func(t *testing.T, random *rand.Rand) {
		tr := newTrial(t, random, newFaultKafka(t, 1).brokers, 2, swift...)
		tr.generate(30)
		tr.start()
		tr.start()
		var begun []*record.Record // of runs that are in the midst
		for i := range 20 {
			r := newSentRun(t, random, fmt.Sprint("begun", i), wholeRun)
			tr.produce(r.records[:1])
			begun = append(begun, r.records[1:]...)
		}
		tr.pass()
		if _, err := tr.admin.CreatePartitions(tr.bounded(), 3, tr.names.runs); err != nil {
			t.Fatal(err)
		}
		for ctx := tr.bounded(); ; { // each broker has to hear of it
			if topics, err := tr.admin.ListTopics(ctx, tr.names.runs); err != nil || len(topics[tr.names.runs].Partitions) == 5 || ctx.Err() != nil {
				break
			}
		}
		tr.client.PurgeTopicsFromClient(tr.names.runs) // so that it looks how many there are
		partitions := map[int32]bool{}
		for _, m := range tr.produce(append(tr.mixed(), begun...)) {
			partitions[m.Partition] = true
		}
		if len(partitions) != 5 {
			t.Fatalf("records in partitions %v", partitions)
		}
		expected := tr.checked()
		tr.await(expected)
		for i := range 20 { // all of them have an end, somewhere
			tr.awaitAny(fmt.Sprint("begun", i))
		}
		tr.endAll()
		tr.rest()
		got := upserted(t, slices.DeleteFunc(slices.Clone(tr.seen.lines), func(s said) bool { return strings.HasPrefix(s.Run, "begun") }))
		for at, verdict := range expected {
			if got[at].Verdict != verdict {
				t.Errorf("%v: %+v, not %s", at, got[at], verdict)
			}
		}
		torn := 0
		for _, s := range tr.seen.lines {
			if strings.HasPrefix(s.Run, "begun") && s.Verdict == "error" {
				torn++
			}
		}
		t.Logf("%d runs, 20 begun before: %d verdicts expected and seen; %d times a part of a run has an error", len(tr.sent.runs), len(expected), torn)
	})
}

// commit makes the group go on with the first record, with some metadata.
func (tr *trial) commit(metadata string) {
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: tr.names.runs, At: 1, LeaderEpoch: -1, Metadata: metadata})
	if _, err := tr.admin.CommitOffsets(tr.bounded(), tr.names.group, offsets); err != nil {
		tr.Fatal(err)
	}
}

// awaitAny waits for a verdict on a run.
func (tr *trial) awaitAny(run string) {
	for ctx := tr.bounded(); !slices.ContainsFunc(tr.seen.lines, func(s said) bool { return s.Run == run }); {
		if ctx.Err() != nil {
			tr.Fatalf("no verdict on run %s", run)
		}
		tr.seen.poll(tr.T, 100*time.Millisecond)
	}
}
