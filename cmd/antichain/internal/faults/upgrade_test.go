//go:build unix

package faults

import (
	"math/rand"
	"os"
	"testing"
	"time"
)

// TestFaultsOfUpgrades replaces the monitors of a group, all of a previous version, by those of
// this one, one after the other while runs come. Some are told to leave, some are killed. It needs
// the previous version: .ci/long upgrade.
func TestFaultsOfUpgrades(t *testing.T) {
	previous := os.Getenv("ANTICHAIN_PREVIOUS")
	if previous == "" {
		t.Skip("needs another version of antichain: ANTICHAIN_PREVIOUS=FILE")
	}
	rounds(t, func(t *testing.T, random *rand.Rand) {
		tr := newTrial(t, random, newFaultKafka(t, 1).brokers, 6, swift...)
		tr.generate(60)
		var old []*monitorProcess
		for range maxMembers {
			old = append(old, tr.startBy(previous))
		}
		all := tr.mixed()
		const pieces = 8
		for n := range pieces {
			tr.produce(all[len(all)*n/pieces : len(all)*(n+1)/pieces])
			if n == 1 {
				tr.anything() // all have a share, and have begun to save it
			}
			if n > 1 && len(old) > 0 {
				tr.replace(old[0])
				old = old[1:]
			}
			tr.pass()
		}
		tr.verify(tr.checked())
	})
}

// replace lets a monitor of this version take the place of another one.
func (tr *trial) replace(old *monitorProcess) {
	if tr.random.Intn(2) == 0 {
		old.kill()
	} else if code := tr.end(old); code > 1 {
		tr.Errorf("exit code %d:\n%s", code, old.errs())
	}
	tr.start()
}

// anything waits until there is a verdict.
func (tr *trial) anything() {
	tr.Helper()
	for ctx := tr.bounded(); len(tr.seen.lines) == 0; tr.seen.poll(tr.T, 100*time.Millisecond) {
		if ctx.Err() != nil {
			tr.Fatal("no verdict")
		}
	}
}
