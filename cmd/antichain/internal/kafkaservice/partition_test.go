package kafkaservice

import (
	"github.com/antichain-go/antichain/onthefly/builtins"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// recordCounter counts records.
type recordCounter struct {
	input.Runs
	records int64
}

func (c *recordCounter) Take(*record.Record, time.Time) { c.records++ }
func (c *recordCounter) Stats() runs.Stats {
	return runs.Stats{Counts: runs.Counts{Records: c.records}}
}

// brokenRuns has a state that makes no sense.
type brokenRuns struct{ input.Runs }

func (brokenRuns) Snapshot(*snapshot.Codec) error { panic("index out of range") }

func TestSnapshotThatMakesNoSense(t *testing.T) {
	w := snapshot.NewWriter()
	h, at := stateHeader{}, int64(0)
	w.String(&h.Format)
	w.String(&h.Spec)
	snapshot.Int(w, &at)
	_, err := newPartition(brokenRuns{}, h, new(partitionReporter), w.Bytes())
	if err == nil || !strings.Contains(err.Error(), "the snapshot cannot be read: it contradicts itself (index out of range); let the program") {
		t.Error(err)
	}
}

func TestSnapshotOfAnotherFormat(t *testing.T) {
	w := snapshot.NewWriter()
	h := stateHeader{Format: "antichain runs 4"}
	w.String(&h.Format)
	here := newStateHeader(nil, builtins.Config{}, 0, "")
	_, err := newPartition(brokenRuns{}, here, new(partitionReporter), w.Bytes())
	if err == nil || !strings.Contains(err.Error(), `the snapshot has the format "antichain runs 4", but this program reads`) {
		t.Error(err)
	}
}

// Others see the numbers of a partition that has so much to read that no time passes.
func TestNumbersOfBusyPartition(t *testing.T) {
	p, err := newPartition(&recordCounter{}, stateHeader{}, new(partitionReporter), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		p.Take(nil, time.Unix(1000, 0).Add(time.Duration(i)*time.Second/10))
	}
	if n := p.stats.Load().Records; n != 21 {
		t.Errorf("%d records were seen of 30, of which the last came in the third second", n)
	}
}

// emptyRuns has a state without content.
type emptyRuns struct{ recordCounter }

func (*emptyRuns) Snapshot(*snapshot.Codec) error { return nil }

// The next owner of a partition goes on counting verdicts where the state has been saved.
func TestVerdictsOfPartition(t *testing.T) {
	to := &partitionReporter{said: map[string]int64{"violated": 3, "holds": 40}}
	p, err := newPartition(&emptyRuns{}, stateHeader{}, to, nil)
	if err != nil {
		t.Fatal(err)
	}
	state, err := p.State()
	if err != nil {
		t.Fatal(err)
	}
	to.said["violated"]++ // after the state was saved: the next owner repeats it
	next, err := newPartition(&emptyRuns{}, stateHeader{}, new(partitionReporter), state)
	if err != nil {
		t.Fatal(err)
	}
	if said := *next.verdicts.Load(); said["violated"] != 3 || said["holds"] != 40 {
		t.Errorf("%v", said)
	}
}
