//go:build unix

package faults

import (
	"context"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// swift are options of monitors that save, and take over, as soon as they can.
var swift = []string{"--snapshot-every", "150ms", "--session", "1s", "--grace", "1s", "--late", "2s"}

const maxMembers = 3

// harass produces the runs, piece by piece, and does something of what can go wrong after each.
func (tr *trial) harass(pieces int, wrongs ...func()) {
	all := tr.mixed()
	for n := range pieces {
		tr.produce(all[len(all)*n/pieces : len(all)*(n+1)/pieces])
		wrongs[tr.random.Intn(len(wrongs))]()
		tr.pass()
	}
	for _, p := range tr.live() {
		if p.stopped {
			p.pause(false)
		}
	}
	if len(tr.live()) == 0 {
		tr.start()
	}
}

// pass lets some time pass.
func (tr *trial) pass() { tr.seen.poll(tr.T, time.Duration(1+tr.random.Intn(400))*time.Millisecond) }

// any returns a monitor that lives, and starts one if there is none.
func (tr *trial) any() *monitorProcess {
	live := tr.live()
	if len(live) == 0 {
		return tr.start()
	}
	return live[tr.random.Intn(len(live))]
}

func (tr *trial) join() {
	if len(tr.live()) < maxMembers {
		tr.start()
	}
}

func (tr *trial) kill()  { tr.any().kill() }
func (tr *trial) leave() { tr.end(tr.any()) }

// pause stops a process until later, or lets one go on that was stopped.
func (tr *trial) pause() {
	p := tr.any()
	p.pause(!p.stopped)
}

// storm lets members come and go.
func (tr *trial) storm() {
	for range 3 {
		tr.join()
		tr.seen.poll(tr.T, 100*time.Millisecond)
		if tr.random.Intn(2) == 0 {
			tr.kill()
		} else {
			tr.leave()
		}
	}
}

// TestFaultsOfMonitors kills monitors, stops them for a while, and lets them come and go.
func TestFaultsOfMonitors(t *testing.T) {
	rounds(t, func(t *testing.T, random *rand.Rand) {
		tr := newTrial(t, random, newFaultKafka(t, 1).brokers, 4, swift...)
		tr.generate(60)
		tr.harass(8, tr.join, tr.join, tr.kill, tr.kill, tr.leave, tr.pause, tr.pause, tr.storm)
		tr.verify(tr.checked())
	})
}

// TestFaultsOfCommits kills monitors between the snapshot and the commit, and behind a commit whose
// answer is lost, and lets brokers fail and delay what monitors ask for.
func TestFaultsOfCommits(t *testing.T) {
	rounds(t, func(t *testing.T, random *rand.Rand) {
		k := newFake(t, 1)
		c := k.fake
		tr := newTrial(t, random, k.brokers, 4, swift...)
		tr.generate(60)
		hits := 0
		// at kills a monitor that is about to do something, or has done it and does not know.
		at := func(key kmsg.Key, err *kerr.Error) func() {
			return func() {
				tr.any()
				h := c.Fault(kfake.Fault{Keys: []kmsg.Key{key}, Err: err, Group: map[bool]string{true: tr.names.group}[key == kmsg.OffsetCommit], Count: 1})
				ctx, cancel := context.WithTimeout(tr.bounded(), time.Second)
				defer cancel()
				if h.Wait(ctx, 1) == nil {
					hits++
					tr.kill()
				}
				h.Remove()
			}
		}
		fail := func(key kmsg.Key, errs ...*kerr.Error) func() {
			return func() {
				c.Fault(kfake.Fault{Keys: []kmsg.Key{key}, Err: errs[random.Intn(len(errs))], Count: 1 + random.Intn(3)})
			}
		}
		tr.harass(10, tr.join, tr.join,
			at(kmsg.OffsetCommit, kerr.RequestTimedOut), // done
			at(kmsg.OffsetCommit, kerr.CoordinatorNotAvailable),
			fail(kmsg.OffsetCommit, kerr.CoordinatorNotAvailable, kerr.NotCoordinator, kerr.RequestTimedOut, kerr.RebalanceInProgress),
			fail(kmsg.Heartbeat, kerr.UnknownMemberID, kerr.NotCoordinator, kerr.RebalanceInProgress),
			fail(kmsg.Produce, kerr.NotLeaderForPartition, kerr.RequestTimedOut, kerr.NotEnoughReplicasAfterAppend),
			fail(kmsg.Fetch, kerr.NotLeaderForPartition, kerr.KafkaStorageError),
			fail(kmsg.OffsetFetch, kerr.NotCoordinator, kerr.CoordinatorLoadInProgress),
		)
		tr.verify(tr.checked())
		t.Logf("%d monitors killed at a commit", hits)
	})
}

// TestFaultsOfBrokers kills brokers, which come back with what they have stored.
func TestFaultsOfBrokers(t *testing.T) {
	rounds(t, func(t *testing.T, random *rand.Rand) {
		k := newFaultKafka(t, 1)
		options := swift
		if k.real != nil { // it takes its time to come back, and nothing is sent before that
			options = append(slices.Clone(swift), "--late", "30s")
		}
		tr := newTrial(t, random, k.brokers, 4, options...)
		tr.generate(60)
		away := func() {
			n := 1 + random.Intn(len(k.brokers))
			start := time.Now()
			k.kill(t, n)
			time.Sleep(time.Duration(random.Intn(1500)) * time.Millisecond)
			k.restart(t, n)
			tr.absence = max(tr.absence, time.Since(start))
		}
		tr.start()
		tr.harass(5, tr.join, tr.kill, away, away)
		tr.verify(tr.checked())
	})
}

// TestFaultsOfLeaders lets partitions, and the group, go from broker to broker.
func TestFaultsOfLeaders(t *testing.T) {
	long(t)
	rounds(t, func(t *testing.T, random *rand.Rand) {
		k := newFake(t, 3)
		c := k.fake
		tr := newTrial(t, random, k.brokers, 4, swift...)
		tr.generate(60)
		tr.start()
		tr.harass(8, tr.join, tr.kill, c.ShufflePartitionLeaders, c.ShufflePartitionLeaders, c.RehashCoordinators)
		tr.verify(tr.checked())
	})
}
