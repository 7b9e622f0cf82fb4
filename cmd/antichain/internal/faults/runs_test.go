//go:build unix

package faults

import (
	"bytes"
	"fmt"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// runKind says what is wrong with a run.
type runKind int

const (
	wholeRun   runKind = iota
	plainRun           // its records have no numbers
	cutRun             // its source says that it was cut off
	brokenRun          // one of its records is damaged
	versionRun         // of an unknown version
	lostRun            // one of its records is missing
	kinds
)

// checked reports whether all properties of the run have a verdict.
func (k runKind) checked() bool { return k <= cutRun }

// sentRun is a run that is sent, or will be.
type sentRun struct {
	id      string
	kind    runKind
	text    []byte // its trace
	tasks   int    // that have no end in it
	records []*record.Record
}

// trialRuns are the runs of a trial.
type trialRuns struct {
	runs    []*sentRun
	byID    map[string]*sentRun
	records int
	events  int // that can be read
}

// generate makes runs of all kinds, most of them without a fault.
func (tr *trial) generate(count int) {
	tr.sent.byID = map[string]*sentRun{}
	for i := range count {
		kind := wholeRun
		switch n := tr.random.Intn(20); {
		case n < 4:
			kind = plainRun
		case n < 10 && n%2 == 0:
			kind = cutRun
		case n < 10:
			kind = brokenRun + runKind(tr.random.Intn(int(kinds-brokenRun)))
		}
		r := newSentRun(tr.T, tr.random, fmt.Sprintf("run%d", i), kind)
		tr.sent.runs = append(tr.sent.runs, r)
		tr.sent.byID[r.id] = r
	}
	tr.sent.events = readable(tr.T, tr.sent.runs)
}

func newSentRun(t *testing.T, random *rand.Rand, id string, kind runKind) *sentRun {
	trace := santest.Generate(random, santest.Config{Steps: 40, Tasks: 3, Spawns: 5, Joints: 5})
	r := &sentRun{id: id, kind: kind}
	var text bytes.Buffer
	written := event.NewTextWriter(&text, trace.Header)
	opt := record.Options{Events: 1 + random.Intn(9), Text: random.Intn(2) == 0}
	w, err := record.NewWriter(id, "only", trace.Header, opt, func(rec *record.Record) error {
		rec.At = fmt.Sprintf("%s#%d", id, rec.Seq)
		r.records = append(r.records, rec)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// behind which event, if behind one, it says that it is alone
	end, says := record.EndRun, random.Intn(2*len(trace.Events)+1)
	r.tasks = len(trace.Header.Tasks)
	for i, e := range trace.Events {
		if e.Spawn != "" {
			r.tasks++
		}
		if e.Op == event.OpEnd {
			r.tasks--
		}
		if i == says {
			end = record.EndSource // which is enough then
			if err := w.SetSources(1); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
		if err := written.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if kind == cutRun {
		end |= record.EndCut
	}
	if err := w.End(end); err != nil {
		t.Fatal(err)
	}
	if err := written.Close(); err != nil {
		t.Fatal(err)
	}
	r.text = text.Bytes()
	r.harm(random)
	return r
}

// harm makes the run what its kind says.
func (r *sentRun) harm(random *rand.Rand) {
	switch r.kind {
	case plainRun:
		for _, rec := range r.records {
			rec.Source, rec.Seq = "", 0
		}
	case brokenRun:
		rec := r.records[random.Intn(len(r.records)-1)]
		rec.Value = rec.Value[:random.Intn(len(rec.Value))]
		if end := bytes.TrimSpace(rec.Value); len(end) == 0 || end[len(end)-1] == '}' { // whole lines are no mistake
			rec.Value = []byte(`{"t":`)
		}
	case versionRun:
		r.records[0].Value = bytes.Replace(r.records[0].Value, []byte(`"antichain":1`), []byte(`"antichain":3`), 1)
	case lostRun:
		i := random.Intn(len(r.records) - 1)
		r.records = slices.Delete(r.records, i, i+1)
	}
}

// mixed returns the records of all runs in one order, in which some come twice, and later than
// others. Those without numbers come once, in their order.
func (tr *trial) mixed() (all []*record.Record) {
	var queues [][]*record.Record
	for _, r := range tr.sent.runs {
		queues = append(queues, r.records)
	}
	for len(queues) > 0 {
		i := tr.random.Intn(min(len(queues), 10))
		if len(queues[i]) == 0 {
			queues = slices.Delete(queues, i, i+1)
			continue
		}
		all = append(all, queues[i][0])
		queues[i] = queues[i][1:]
		switch n := len(all) - 1; tr.random.Intn(5) {
		case 0:
			if old := all[n-tr.random.Intn(min(n+1, 50))]; old.Seq > 0 {
				all = append(all, old)
			}
		case 1:
			if i := n - tr.random.Intn(min(n+1, 4)); all[i].Seq > 0 && all[n].Seq > 0 {
				all[n], all[i] = all[i], all[n]
			}
		}
	}
	return all
}

// produce sends records in their order, and waits until brokers have them. It returns what they
// have.
func (tr *trial) produce(records []*record.Record) (messages []*kgo.Record) {
	tr.Helper()
	for _, r := range records {
		messages = append(messages, message(r))
	}
	tr.sent.records += len(records)
	if err := tr.client.ProduceSync(tr.bounded(), messages...).FirstErr(); err != nil {
		tr.Fatal(err)
	}
	return messages
}

func message(r *record.Record) *kgo.Record {
	m := &kgo.Record{Key: []byte(r.Run), Value: r.Value}
	for _, h := range r.Headers() {
		m.Headers = append(m.Headers, kgo.RecordHeader{Key: h.Key, Value: h.Value})
	}
	if r.Seq == 0 && r.End != 0 {
		m.Headers = append(m.Headers, kgo.RecordHeader{Key: record.EndHeader, Value: []byte(r.End.String())})
	}
	return m
}

// readable returns how many events of runs can be read before something is wrong with them.
func readable(t *testing.T, all []*sentRun) int {
	rs := runs.New(faultConfig(t), discardReporter{})
	for _, r := range all {
		for _, rec := range r.records {
			rs.Take(rec, time.Time{})
		}
	}
	return int(rs.Stats().Events)
}

// faultConfig is that of the monitors.
func faultConfig(t *testing.T) runs.Config {
	file, err := spec.Parse("spec.tl", faultSpec)
	if err != nil {
		t.Fatal(err)
	}
	all := file.Properties
	return runs.Config{Properties: all, Split: func(*event.Header) (open, late []*spec.Property, refused []*tlcheck.Result) {
		return all, nil, nil
	}}
}

// discardReporter is not interested in what is found.
type discardReporter struct{}

func (discardReporter) Result(*runs.Run, *tlcheck.Result)                              {}
func (discardReporter) Over(*runs.Run, *san.Net, []*spec.Property, tlcheck.Truncation) {}
func (discardReporter) Failed(*runs.Run, error)                                        {}
func (discardReporter) Rejected(*record.Record, error)                                 {}
