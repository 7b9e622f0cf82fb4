//go:build linux && (amd64 || arm64)

package goroot

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// A consumer that is slower than the program slows the program down and loses nothing.
func TestBackPressure(t *testing.T) {
	exe := program(t, "load")
	for _, procs := range []string{"1", "4"} {
		counts := make([]int, 4)
		cmd := exec.Command(exe, "4", "3000")
		cmd.Env = append(os.Environ(), "GOMAXPROCS="+procs)
		dir, read := t.TempDir(), 0
		traceIn(t, dir, ring.Options{Slots: 512, Memory: 1, SpillMax: 1}, func(rec *ring.Record) {
			if rec.Kind != ring.KindStmt {
				return
			}
			if n := int(rec.Payload[0]) | int(rec.Payload[1])<<8; n != counts[rec.Addr]&0xffff {
				t.Fatalf("worker %d: record %d instead of %d", rec.Addr, n, counts[rec.Addr])
			}
			counts[rec.Addr]++
			// The rest does not fit into ring and queue: the program comes to wait.
			if read++; read%100 == 0 && read < 2000 {
				for !full(t, dir, 512) {
					time.Sleep(time.Millisecond)
				}
			}
		}, cmd).ok(t)
		for w, n := range counts {
			if n != 3000 {
				t.Errorf("GOMAXPROCS=%s: worker %d: %d records, want 3000", procs, w, n)
			}
		}
	}
}

// A goroutine that is about to write a record is not preempted: the others would wait for it on all
// processors, for room in a ring that is full up to that record.
func TestPreemption(t *testing.T) {
	exe := program(t, "crowd")
	cmd := exec.Command(exe, "8", "50000", "preempted")
	cmd.Env = append(os.Environ(), "GOMAXPROCS=2")
	blocked := 0
	traceIn(t, t.TempDir(), ring.Options{Slots: 512, Memory: 1, SpillMax: 1, Operations: true}, func(rec *ring.Record) {
		if rec.Kind == ring.KindBlock {
			blocked++
		}
		// longer than a record takes: the ring is full
		for since := time.Now(); time.Since(since) < 2*time.Microsecond; {
		}
	}, cmd).ok(t)
	if blocked < 100 {
		t.Errorf("goroutines waited %d times", blocked)
	}
}

// full reports whether the program waits for room in the only ring in dir.
func full(t *testing.T, dir string, slots uint64) bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	f, err := os.Open(names[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	head := make([]byte, ring.HeaderSize)
	if _, err := f.ReadAt(head, 0); err != nil {
		t.Fatal(err)
	}
	word := func(off int) uint64 { return binary.LittleEndian.Uint64(head[off:]) }
	return word(ring.OffProd) > word(ring.OffCons)+slots
}

// A consumer that is gone does not keep the program from ending.
func TestDeadConsumer(t *testing.T) {
	exe := program(t, "load")
	r, err := ring.Create(t.TempDir(), ring.Options{Slots: 512, Busy: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command(exe, "4", "100000")
	cmd.Env = append(os.Environ(), r.Env())
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer lastResort(cmd)()
	if err := cmd.Wait(); err != nil || out.String() != "400000\n" {
		t.Fatalf("%v\n%s%s", err, &out, &errs)
	}
	// Four threads wait in vain; one of them says so.
	const gone = "antichain: the antichain process is gone or does not respond; the program continues untraced\n"
	if errs.String() != gone {
		t.Errorf("standard error %q, want %q", &errs, gone)
	}
	if s := r.Stats(); s.Lost < 300000 {
		t.Errorf("stats %+v, want most of 800000 records lost", s)
	}
	n := 0
	if err := r.Drain(func(*ring.Record) bool { n++; return true }); err != nil || n == 0 {
		t.Errorf("%d records after all, %v", n, err)
	}
}

// A consumer that closes the ring lets the program run on.
func TestConsumerCloses(t *testing.T) {
	exe := program(t, "load")
	r, err := ring.Create(t.TempDir(), ring.Options{Slots: 512})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "4", "100000")
	cmd.Env = append(os.Environ(), r.Env())
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < 1000; {
		more, err := r.Poll(0, func(*ring.Record) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		n += more
	}
	defer lastResort(cmd)()
	r.Close()
	if err := cmd.Wait(); err != nil || out.String() != "400000\n" {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if s := r.Stats(); s.Lost != 0 {
		t.Errorf("stats %+v", s)
	}
}
