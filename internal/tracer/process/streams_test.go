//go:build linux && (amd64 || arm64)

package process_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/causality"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// buildStreams builds testdata/streams.
var buildStreams = sync.OnceValues(func() (string, error) {
	dir, err := filepath.Abs("testdata/streams")
	if err != nil {
		return "", err
	}
	out, err := os.MkdirTemp("", "streams-test")
	if err != nil {
		return "", err
	}
	build, err := instrument.Prepare(context.Background(), instrument.Config{
		Verb: instrument.Executable, Dir: dir, CacheDir: filepath.Join(out, "cache"),
		Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off"),
	})
	if err != nil {
		return "", err
	}
	if len(build.Lacks) > 0 {
		return "", fmt.Errorf("not recorded: %v", build.Lacks)
	}
	bin := filepath.Join(out, "streams")
	return bin, build.CompileAgain(context.Background(), bin)
})

// streamRun is what a run of testdata/streams says, and what its records show.
type streamRun struct {
	marks []int         // in the order of the actors
	after map[int][]int // what each mark comes after, but for earlier ones of its actor
	seen  map[int]op.Op // the operations that are the marks
	ring.Stats
	unknown, streams int // records of connections that are not identified, and all
}

// marksOf is as in the program.
const marksOf = 10_000

func runStreams(t *testing.T, args ...string) *streamRun {
	bin, err := buildStreams()
	if err != nil {
		t.Fatal(err)
	}
	r, err := ring.Create(t.TempDir(), ring.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	run := &streamRun{after: map[int][]int{}, seen: map[int]op.Op{}}
	order := causality.New(causality.Options{Sparse: true, Keep: func(*event.Event) error { return nil },
		Watch: watcherFunc(func(o *op.Op) {
			if o.Kind == op.MakeChan && o.Arg >= marksOf {
				run.seen[int(o.Arg)] = *o
			}
		})})
	var out bytes.Buffer
	cmd := exec.Command(bin, args...)
	cmd.Env = append(os.Environ(), r.Env(), "TMPDIR="+t.TempDir())
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan struct{})
	var failed error
	go func() { failed = cmd.Wait(); close(exited) }()
	err = r.Consume(exited, func(record *ring.Record) bool {
		if does := record.Op(); does == ring.OpStream || does == ring.OpStreamEnd {
			run.streams++
			if record.Aux == 0 {
				run.unknown++
			}
		}
		return order.Feed(record) == nil
	})
	<-exited
	run.Stats = r.Stats()
	if err != nil || failed != nil || run.Missing() > 0 || order.Stats().Corrupt > 0 {
		t.Fatal(err, failed, run.Stats, order.Stats())
	}
	for line := range strings.Lines(out.String()) {
		fields := strings.Fields(line)
		numbers := make([]int, len(fields)-1)
		for i := range numbers {
			if numbers[i], err = strconv.Atoi(fields[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		switch fields[0] {
		case "mark":
			run.marks = append(run.marks, numbers[0])
		case "after":
			run.after[numbers[0]] = append(run.after[numbers[0]], numbers[1])
		}
	}
	if len(run.marks) == 0 {
		t.Fatal("no marks")
	}
	return run
}

type watcherFunc func(*op.Op)

func (f watcherFunc) Op(o *op.Op) { f(o) }

// comesAfter reports whether a mark comes after another one.
func (run *streamRun) comesAfter(b, a int) bool {
	from, to := run.seen[a], run.seen[b]
	return from.Task == to.Task && from.K < to.K || to.Full.At(int32(from.Task)) >= from.K
}

// A goroutine that has read comes after the one that has written, in each way to write and
// to read: through TCP, Unix sockets and pipes, also where a client has closed its end before it is
// accepted, and where a port is used again.
func TestStreamsOrder(t *testing.T) {
	t.Parallel()
	for _, scenario := range []string{"messages", "short", "reused", "keepalive", "relay", "shared"} {
		t.Run(scenario, func(t *testing.T) {
			run := runStreams(t, scenario, "1")
			pairs := 0
			for b, after := range run.after {
				for _, a := range after {
					pairs++
					if !run.comesAfter(b, a) {
						t.Errorf("mark %d does not come after %d", b, a)
					}
				}
			}
			if pairs == 0 {
				t.Error("no pairs")
			}
			t.Logf("%d pairs; %d of %d records without identity", pairs, run.unknown, run.streams)
		})
	}
}

// Goroutines that send messages to each other are ordered by these alone: as vector clocks in the
// messages would say.
func TestStreamsOrderNoMore(t *testing.T) {
	t.Parallel()
	for seed := range 5 {
		run := runStreams(t, "messages", strconv.Itoa(seed))
		if run.unknown > 0 {
			t.Skip("the kernel does not say which sockets belong together")
		}
		clocks := map[int]map[int]int{} // for each mark the last one that it comes after, by actor
		for left := run.marks; len(left) > 0; {
			var later []int
			for _, b := range left {
				clock := map[int]int{b / marksOf: b}
				ready := true
				for _, a := range append(run.after[b], b-1) {
					if a%marksOf == marksOf-1 || a == b-1 && b%marksOf == 0 {
						continue
					}
					if clocks[a] == nil {
						ready = false
						break
					}
					for actor, last := range clocks[a] {
						clock[actor] = max(clock[actor], last)
					}
				}
				if ready {
					clocks[b] = clock
				} else {
					later = append(later, b)
				}
			}
			if len(later) == len(left) {
				t.Fatalf("seed %d: a cycle among %d marks", seed, len(left))
			}
			left = later
		}
		ordered, unordered := 0, 0
		for _, b := range run.marks {
			for _, a := range run.marks {
				want := a != b && clocks[b][a/marksOf] >= a
				if got := run.comesAfter(b, a); got != want && a != b {
					t.Fatalf("seed %d: mark %d comes after %d: %v, want %v", seed, b, a, got, want)
				}
				if want {
					ordered++
				} else {
					unordered++
				}
			}
		}
		t.Logf("seed %d: %d pairs in order, %d not", seed, ordered, unordered)
	}
}
