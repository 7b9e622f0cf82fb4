//go:build linux && (amd64 || arm64)

package goroot

import (
	"bytes"
	"os/exec"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// holding is a run of testdata/hold, whose two goroutines have the numbers a and b.
type holding struct {
	*ring.Ring
	cmd    *exec.Cmd
	exited chan struct{}
	out    bytes.Buffer

	a, b  uint64         // 0 until they are known
	locks map[uint64]int // by goroutine
	ended map[uint64]bool
}

func startHolding(t *testing.T, procs string, opt ring.Options) *holding {
	t.Helper()
	opt.InStep, opt.Exact = true, true
	r, err := ring.Create(t.TempDir(), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	h := &holding{
		Ring: r, cmd: exec.Command(program(t, "hold")), exited: make(chan struct{}),
		locks: map[uint64]int{}, ended: map[uint64]bool{},
	}
	h.cmd.Env = append(h.cmd.Environ(), r.Env(), "GOMAXPROCS="+procs)
	h.cmd.Stdout, h.cmd.Stderr = &h.out, &h.out
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lastResort(h.cmd)() })
	go func() { h.cmd.Wait(); close(h.exited) }()
	return h
}

// note takes a record.
func (h *holding) note(rec *ring.Record) {
	switch {
	case rec.Kind == ring.KindGo && rec.Ctx == 1:
		h.a, h.b = h.b, rec.Addr
	case rec.Kind == ring.KindEnd:
		h.ended[rec.Ctx] = true
	case rec.Op() == ring.OpLock:
		h.locks[rec.Ctx]++
	}
}

// follow calls judge behind each record, and once more when the program has ended.
func (h *holding) follow(t *testing.T, judge func()) {
	t.Helper()
	yield := func(rec *ring.Record) bool {
		h.note(rec)
		judge()
		return true
	}
	if _, err := h.FollowInStep(h.exited, yield, func(bool) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if err := h.Drain(yield); err != nil {
		t.Fatal(err)
	}
	if h.out.String() != "both\n" || h.Stats().Missing() > 0 {
		t.Errorf("output %q, %+v", h.out.String(), h.Stats())
	}
}

// A goroutine that is held behind a record makes no other one until it is let go; the other one
// does all it wants.
func TestHold(t *testing.T) {
	for _, procs := range []string{"1", "2"} {
		h := startHolding(t, procs, ring.Options{})
		held, released := 0, false // held: after how many locks
		h.follow(t, func() {
			switch {
			case held == 0 && h.a != 0 && h.locks[h.a] >= 5:
				// more if it was known late which one it is
				held = h.locks[h.a]
				if err := h.Hold(false, h.a); err != nil {
					t.Fatal(err)
				}
			case held > 0 && !released && h.ended[h.b]:
				if h.locks[h.a] != held || h.locks[h.b] != 100 {
					t.Errorf("GOMAXPROCS=%s: %v locks, of %d it is held at %d", procs, h.locks, h.a, held)
				}
				released = true
				if err := h.Hold(false); err != nil {
					t.Fatal(err)
				}
			}
		})
		if !released || h.locks[h.a] != 100 {
			t.Errorf("GOMAXPROCS=%s: %v", procs, h.locks)
		}
	}
}

// All but one are held; who that is changes again and again.
func TestHoldOthers(t *testing.T) {
	h := startHolding(t, "2", ring.Options{})
	var alone uint64 // who is not held
	begun := [2]int{}
	h.follow(t, func() {
		if h.a == 0 || h.locks[h.a] == 0 || h.locks[h.b] == 0 || h.ended[h.a] || h.ended[h.b] {
			if alone != 0 {
				alone = 0
				if err := h.Hold(false); err != nil {
					t.Fatal(err)
				}
			}
			return
		}
		now := [2]int{h.locks[h.a], h.locks[h.b]}
		switch {
		case alone == h.a && now[1] > begun[1]+1, alone == h.b && now[0] > begun[0]+1:
			// One lock more may have been on its way to the reader.
			t.Errorf("goroutine %d went on, though %d was alone: %v, then %v", h.a+h.b-alone, alone, begun, now)
		case alone != 0 && now[0]+now[1] < begun[0]+begun[1]+5:
			return
		}
		if alone == 0 || alone == h.b {
			alone = h.a
		} else {
			alone = h.b
		}
		begun = now
		if err := h.Hold(true, alone); err != nil {
			t.Fatal(err)
		}
	})
	if h.locks[h.a] != 100 || h.locks[h.b] != 100 {
		t.Errorf("%v", h.locks)
	}
}

// With Exact no goroutine runs ahead of what is judged: where it holds something of the runtime it
// waits a little later.
func TestExact(t *testing.T) {
	h := startHolding(t, "2", ring.Options{})
	since, most, seen := map[uint64]int{}, 0, map[ring.Kind]int{}
	yield := func(rec *ring.Record) bool {
		h.note(rec)
		op := rec.Op()
		if rec.Ctx > 1 && (op == ring.OpLock || op == ring.OpUnlock || rec.Kind == ring.KindSend ||
			rec.Kind == ring.KindRecv) {
			seen[rec.Kind]++
			since[rec.Ctx]++
			most = max(most, since[rec.Ctx])
		}
		return true
	}
	judge := func(bool) bool { clear(since); return true }
	if _, err := h.FollowInStep(h.exited, yield, judge); err != nil {
		t.Fatal(err)
	}
	if most != 1 || seen[ring.KindSend] < 200 || seen[ring.KindRecv] < 200 || h.locks[h.a] != 100 {
		t.Errorf("a goroutine ran ahead by %d records; of %v, %v", most, h.locks, seen)
	}
}

// A held goroutine is released when the consumer closes the ring, and when its heartbeat has
// stopped.
func TestHolderGoesAway(t *testing.T) {
	for _, closes := range []bool{true, false} {
		h := startHolding(t, "2", ring.Options{Busy: 100 * time.Millisecond})
		yield := func(rec *ring.Record) bool { h.note(rec); return h.locks[h.a] < 5 || h.a == 0 }
		if more, err := h.FollowInStep(h.exited, yield, func(bool) bool { return true }); more || err != nil {
			t.Fatal(more, err)
		}
		if err := h.Hold(false, h.a); err != nil {
			t.Fatal(err)
		}
		if closes {
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
		}
		<-h.exited
		if want := "both\n"; closes && h.out.String() != want || !bytes.HasSuffix(h.out.Bytes(), []byte(want)) {
			t.Errorf("closes=%v: output %q", closes, h.out.String())
		}
	}
}
