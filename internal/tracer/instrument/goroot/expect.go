package goroot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// expectations are the records that each part of the self-test program must cause, and their
// minimum numbers, by the capability that writes them: the kind, and the operation if it has one.
var expectations = map[string]map[string]int{
	goroutines.name: {"started": 1, "go": 1, "end": 1},
	channels.name: {
		"makechan": 3, "send": 3, "recv": 2, "send select": 1, "recv select": 1, "close": 1, "recvclosed": 2,
		"recvclosed select": 1, "recvclosed send": 2, "misuse": 4,
		"try send": 2, "try recv": 3,
	},
	jointTransfers.name: {"handoff": 2},
	channelWaits.name:   {"select": 6, "block select": 2, "block send": 1, "block recv": 1},
	atomics.name:        {"atomicload": 2, "atomicstore": 2, "atomicrmw": 3},
	mutexes.name: {"acquire lock": 2, "acquire lock tried": 1, "release unlock": 3, "block lock": 1,
		"try lock": 1},
	rwMutexes.name: {
		"acquire rlock": 2, "acquire rlock tried": 1, "acquire lock": 1, "acquire lock tried": 1, "release unlock": 2,
		"releasemerge runlock": 3,
		"block lock":           1, "block rlock": 1, "try lock": 1, "try rlock": 1, "try announce": 1,
	},
	waitGroups.name: {"mark add": 2, "releasemerge done": 2, "acquire wait": 2, "block wait": 1, "misuse": 1},
	onces.name:      {"acquire once": 3, "release once": 1, "acquire lock": 2, "release unlock": 2, "block lock": 1},
	conditions.name: {"release signal": 1, "release": 1, "releasemerge broadcast": 1, "acquire wait": 2,
		"block condwait": 2, "mark signal": 1},
	pools.name: {"acquire get": 19, "releasemerge put": 20},
	timers.name: {"timerarm": 1, "ctxstart": 2, "release timer": 4, "acquire timer": 2, "mark stop": 1,
		"mark timer": 1, "try stop": 1, "try timer": 1},
	coroutines.name:   {"go": 1, "end": 1},
	reuse.name:        {"free": 1},
	signals.name:      {"outside": 2},
	memory.name:       {},
	innerOrder.name:   {},
	cleanups.name:     {},
	bubbles.name:      {"ctxstart": 2, "acquire": 2},
	reachability.name: {"go": 5, "cutoff": 2, "cutoff globals": 1, "checked": 1},
	descriptors.name:  {},
	connections.name:  {},
	tests.name:        {"test": 2},
}

// checks are further conditions on the records of a part.
var checks = map[string]func(records []seenRecord, memory bool) error{
	innerOrder.name: func(records []seenRecord, _ bool) error {
		for _, r := range records {
			if r.what == "acquire" || r.what == "releasemerge" {
				return fmt.Errorf("a system call has a record %s", r.what)
			}
		}
		return nil
	},
	cleanups.name: func(records []seenRecord, _ bool) error {
		if slices.ContainsFunc(records, func(r seenRecord) bool { return r.what == "ctxstart" }) {
			return fmt.Errorf("a cleanup has a context of its own")
		}
		return nil
	},
	descriptors.name:  hasPair(ring.OpNone),
	connections.name:  hasPair(ring.OpStream),
	reachability.name: cutsOff,
	memory.name: func(records []seenRecord, memory bool) error {
		if memory && !slices.ContainsFunc(records, func(r seenRecord) bool { return r.what == "write" }) {
			return fmt.Errorf("records of kind write did not arrive")
		}
		return nil
	},
}

// cutsOff returns an error unless the first two goroutines that are started are cut off, and the
// fourth one is but for a package variable.
func cutsOff(records []seenRecord, _ bool) error {
	found := map[uint64]string{}
	var started []uint64
	for _, r := range records {
		switch {
		case strings.HasPrefix(r.what, "cutoff"):
			found[r.addr] = r.what
		case r.what == "go":
			started = append(started, r.addr)
		}
	}
	for i, want := range []string{"cutoff", "cutoff", "", "cutoff globals", ""} {
		if got := found[started[i]]; got != want {
			return fmt.Errorf("goroutine %d of 5: %q, not %q", i+1, got, want)
		}
	}
	return nil
}

// hasPair returns a check for a release that is followed by an acquisition of the same object, both
// of an operation.
func hasPair(does ring.Op) func(records []seenRecord, _ bool) error {
	return func(records []seenRecord, _ bool) error {
		released, acquired := seen(ring.KindReleaseMerge, does), seen(ring.KindAcquire, does)
		given := map[uint64]bool{}
		for _, r := range records {
			switch {
			case r.what == released:
				given[r.addr] = true
			case r.what == acquired && given[r.addr]:
				return nil
			}
		}
		return fmt.Errorf("records of kind %s after %s did not arrive", acquired, released)
	}
}

// seenRecord is a record of the self test program.
type seenRecord struct {
	what string // its kind and operation
	addr uint64
}

// seen is what a record of a kind and an operation is.
func seen(k ring.Kind, op ring.Op) string {
	if op == ring.OpNone {
		return k.String()
	}
	return k.String() + " " + op.String()
}

func seenRecordOf(r *ring.Record) seenRecord {
	what := r.Kind.String()
	if op := r.Op(); hasOperation(r.Kind) {
		what = seen(r.Kind, op)
		if (op == ring.OpLock || op == ring.OpRLock) && r.Arg&ring.OpTried != 0 && r.Kind == ring.KindAcquire {
			what += " tried"
		}
	}
	if r.Kind == ring.KindCutOff && r.Arg == ring.CutOffByGlobals {
		what += " globals"
	}
	return seenRecord{what, r.Addr}
}

// hasOperation reports whether records of a kind say which operation they belong to.
func hasOperation(k ring.Kind) bool {
	switch k {
	case ring.KindAcquire, ring.KindRelease, ring.KindReleaseMerge, ring.KindReleaseAcquire, ring.KindMark,
		ring.KindSend,
		ring.KindRecv, ring.KindRecvClosed, ring.KindBlock, ring.KindTry:
		return true
	}
	return false
}

// failedCapabilities returns the capabilities that the records of the program show to be broken,
// and why.
func failedCapabilities(parts map[string][]seenRecord, memory bool) map[string]error {
	broken := make(map[string]error)
	for name, want := range expectations {
		got := make(map[string]int)
		for _, r := range parts[name] {
			got[r.what]++
		}
		for what, n := range want {
			if got[what] < n && broken[name] == nil {
				broken[name] = fmt.Errorf("self test: %d records %q arrived, not %d", got[what], what, n)
			}
		}
		if check := checks[name]; check != nil && broken[name] == nil {
			if err := check(parts[name], memory); err != nil {
				broken[name] = fmt.Errorf("self test: %w", err)
			}
		}
	}
	return broken
}
