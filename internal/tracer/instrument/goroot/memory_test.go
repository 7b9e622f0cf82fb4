//go:build linux && (amd64 || arm64)

package goroot

import (
	"encoding/binary"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// conflictChecker checks the conflicts that a program reports with the clocks of the plain checker,
// which knows the time of every record.
type conflictChecker struct {
	*checker
	times map[uint64][]uint64 // of each context, after so many of its records
	racy  map[uint64]bool     // addresses
}

func (c *conflictChecker) add(r *ring.Record) {
	if r.Kind != ring.KindRead && r.Kind != ring.KindWrite {
		c.checker.add(r)
		switch r.Kind {
		case ring.KindFree, ring.KindCtxStart, ring.KindThreadStart:
			return
		case ring.KindHandoff:
			c.count(r.Aux)
		}
		c.count(r.Ctx)
		return
	}
	if r.Arg&ring.AccessOverwrites != 0 {
		return // what it conflicts with was dropped
	}
	moment := binary.LittleEndian.Uint64(r.Payload)
	other, n := moment>>ring.MomentShift, moment&(1<<ring.MomentShift-1)
	if c.time(other, n) > c.of(r.Ctx)[other] {
		for i := range r.Aux {
			c.racy[r.Addr+i] = true
		}
	}
}

func (c *conflictChecker) count(ctx uint64) {
	if len(c.times[ctx]) == 0 {
		c.times[ctx] = []uint64{1}
	}
	c.times[ctx] = append(c.times[ctx], c.of(ctx)[ctx])
}

func (c *conflictChecker) time(ctx, n uint64) uint64 {
	if n >= uint64(len(c.times[ctx])) {
		return 1
	}
	return c.times[ctx][n]
}

// TestConflicts compares the conflicts that a program reports, from the latest accesses alone, with
// all accesses that it made.
func TestConflicts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	exe := withMemory(t, "accesses", "-gcflags="+InstrumentMemory)
	races, missed, without := 0, 0, 0
	for seed := range 30 {
		c := &conflictChecker{newChecker(), map[uint64][]uint64{}, map[uint64]bool{}}
		trace(t, ring.Options{Accesses: true}, c.add, exec.Command(exe, strconv.Itoa(seed))).ok(t)
		all := map[string]bool{}
		for _, r := range c.races {
			addr, _, _ := strings.Cut(r, ":")
			all[addr] = true
		}
		for addr := range c.last {
			racy, alone := all[fmt.Sprintf("%x", addr)], addr%8 == 0 && !neighbours(c.last, addr)
			switch {
			case c.racy[addr] && !racy:
				t.Errorf("seed %d: races at %x are told, where there are none", seed, addr)
			case racy && !c.racy[addr] && alone:
				t.Errorf("seed %d: races at %x are not told", seed, addr)
			case racy && !c.racy[addr]:
				missed++
			case racy:
				races++
			default:
				without++
			}
		}
	}
	// Eight neighbours share the room that there is for one word, as with the race detector.
	if races == 0 || without == 0 || missed > races/4 {
		t.Errorf("%d variables with races, %d of them missed, %d without", races+missed, missed, without)
	}
}

// Package sync can report its accesses as well, which also checks its pointers.
func TestInstrumentedSync(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	t.Parallel()
	exe := withMemory(t, "noraces", "-gcflags=sync=-race")
	trace(t, ring.Options{Accesses: true}, func(*ring.Record) {}, exec.Command(exe)).ok(t)
}

// neighbours reports whether other bytes of the word at addr were accessed.
func neighbours(last map[uint64][]access, addr uint64) bool {
	for i := range uint64(7) {
		if last[addr+1+i] != nil {
			return true
		}
	}
	return false
}
