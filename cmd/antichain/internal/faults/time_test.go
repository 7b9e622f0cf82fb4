//go:build unix

package faults

import (
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/antichain-go/antichain/internal/kafkatest"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// TestFaultsOfTime lets a record be missing, and a run be silent, for longer than monitors wait,
// while nobody listens: what is sent meanwhile is in time.
func TestFaultsOfTime(t *testing.T) {
	long(t)
	const patience, longer = 3 * time.Second, 4500 * time.Millisecond
	for name, away := range map[string]func(tr *trial, k *faultKafka, p *monitorProcess, meanwhile func()){
		"no monitor": func(tr *trial, _ *faultKafka, p *monitorProcess, meanwhile func()) {
			p.kill()
			time.Sleep(longer)
			meanwhile()
			tr.start()
		},
		"stopped": func(tr *trial, _ *faultKafka, p *monitorProcess, meanwhile func()) {
			p.pause(true)
			time.Sleep(longer)
			meanwhile()
			p.pause(false)
		},
		"no broker": func(tr *trial, k *faultKafka, p *monitorProcess, meanwhile func()) {
			k.kill(tr.T, 1)
			time.Sleep(longer)
			k.restart(tr.T, 1)
			meanwhile()
		},
	} {
		t.Run(name, func(t *testing.T) {
			kafkatest.Parallel(t)
			k := newFaultKafka(t, 1)
			if len(k.brokers) > 1 && name == "no broker" {
				t.Skip("the other brokers go on")
			}
			random := rand.New(rand.NewSource(1))
			tr := newTrial(t, random, k.brokers, 1, append(swift, "--late", patience.String(), "--idle", patience.String())...)
			tr.sent.byID = map[string]*sentRun{}
			var now, later []*record.Record
			for _, id := range []string{"missing", "silent", "plain"} {
				kind := wholeRun
				if id == "plain" {
					kind = plainRun
				}
				r := newSentRun(t, random, id, kind)
				for len(r.records) < 4 {
					r = newSentRun(t, random, id, kind)
				}
				tr.sent.runs = append(tr.sent.runs, r)
				tr.sent.byID[id] = r
				rest := 1
				if now = append(now, r.records[0]); id == "missing" {
					now = append(now, r.records[2])
					later = append(later, r.records[1])
					rest = 3
				}
				later = append(later, r.records[rest:]...)
			}
			tr.sent.events = readable(t, tr.sent.runs)
			tr.produce(now)
			p := tr.start()
			tr.awaitSaved()
			away(tr, k, p, func() { tr.produce(later) })
			tr.verify(tr.checked())
		})
	}
}

// awaitSaved waits until the group goes on behind all records that were sent.
func (tr *trial) awaitSaved() {
	tr.Helper()
	for ctx := tr.bounded(); ; tr.seen.poll(tr.T, 20*time.Millisecond) {
		committed, err := tr.admin.FetchOffsets(ctx, tr.names.group)
		left := tr.size(tr.names.runs)
		committed.Each(func(o kadm.OffsetResponse) { left -= o.At })
		if err == nil && left == 0 {
			return
		}
		if ctx.Err() != nil {
			tr.Fatalf("%d records are not saved: %v, %v", left, committed, err)
		}
	}
}

// TestFaultsOfZombies stops a monitor until others have its partitions. When it wakes up it is
// refused.
func TestFaultsOfZombies(t *testing.T) {
	long(t)
	rounds(t, func(t *testing.T, random *rand.Rand) {
		tr := newTrial(t, random, newFaultKafka(t, 1).brokers, 2, swift...)
		tr.generate(20)
		all := tr.mixed()
		half := len(all) / 2
		zombie := tr.start()
		tr.produce(all[:half/2])
		tr.awaitSaved()
		tr.produce(all[half/2 : half])
		zombie.pause(true)
		tr.produce(all[half:])
		tr.start()
		expected := tr.checked()
		tr.await(expected)
		zombie.pause(false)
		for ctx := tr.bounded(); !strings.Contains(zombie.errs(), `"message":"lost: `); time.Sleep(20 * time.Millisecond) {
			if ctx.Err() != nil {
				t.Fatalf("the zombie has not noticed:\n%s", zombie.errs())
			}
		}
		refused := strings.Count(zombie.errs(), "not saved: the partition has another owner")
		tr.verify(expected)
		t.Logf("%d commits refused", refused)
	})
}
