//go:build linux && (amd64 || arm64)

package goroot

import (
	"bytes"
	"os/exec"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// stepping is a run of testdata/load, whose goroutines write records one after the other and wait
// for each of them to be judged. They are few enough records for that.
type stepping struct {
	*ring.Ring
	exited chan struct{}
	out    bytes.Buffer
}

const stepped = "200\n" // what it prints

func startStepping(t *testing.T, procs string, opt ring.Options) *stepping {
	t.Helper()
	opt.InStep = true
	r, err := ring.Create(t.TempDir(), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	s := &stepping{Ring: r, exited: make(chan struct{})}
	cmd := exec.Command(program(t, "load"), "4", "50")
	cmd.Env = append(cmd.Environ(), r.Env(), "GOMAXPROCS="+procs)
	cmd.Stdout, cmd.Stderr = &s.out, &s.out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lastResort(cmd)() })
	go func() { cmd.Wait(); close(s.exited) }()
	return s
}

// No goroutine runs ahead of what is judged, and that all of them wait for it is no deadlock.
func TestStep(t *testing.T) {
	for _, procs := range []string{"1", "2"} {
		s := startStepping(t, procs, ring.Options{})
		records, since := 0, map[uint64]int{}
		yield := func(rec *ring.Record) bool {
			if rec.Kind == ring.KindStmt {
				records++
				if since[rec.Ctx]++; since[rec.Ctx] > 1 {
					t.Errorf("GOMAXPROCS=%s: goroutine %d goes on before its record is judged", procs, rec.Ctx)
				}
			}
			return true
		}
		if _, err := s.FollowInStep(s.exited, yield, func(bool) bool { clear(since); return true }); err != nil {
			t.Fatal(err)
		}
		if err := s.Drain(yield); err != nil || records != 200 || s.out.String() != stepped {
			t.Errorf("GOMAXPROCS=%s: %v, %d records, output %q", procs, err, records, &s.out)
		}
	}
}

// Goroutines that wait go on when the consumer closes the ring, and when nothing is heard of it any
// more.
func TestStepsAlone(t *testing.T) {
	for _, closes := range []bool{true, false} {
		s := startStepping(t, "2", ring.Options{Busy: 100 * time.Millisecond})
		records := 0
		yield := func(rec *ring.Record) bool {
			if rec.Kind == ring.KindStmt {
				records++
			}
			return records < 20
		}
		if more, err := s.FollowInStep(s.exited, yield, func(bool) bool { return true }); more || err != nil {
			t.Fatal(more, err)
		}
		if closes {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		<-s.exited
		if closes && s.out.String() != stepped || !bytes.HasSuffix(s.out.Bytes(), []byte(stepped)) {
			t.Errorf("closes=%v: output %q", closes, &s.out)
		}
	}
}
