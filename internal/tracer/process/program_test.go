//go:build linux && (amd64 || arm64)

package process_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/internal/tracer/process/exe"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// recording is a run of testdata/program, to be looked at in many ways.
type recording struct {
	records []ring.Record
	table   *site.Table
	symbols *exe.File
}

func TestMain(m *testing.M) {
	code := m.Run()
	if tmp != "" {
		os.RemoveAll(tmp)
	}
	os.Exit(code)
}

var tmp string // of the recording

var record = sync.OnceValues(func() (*recording, error) {
	var err error
	if tmp, err = os.MkdirTemp("", "process-test"); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs("testdata/program")
	if err != nil {
		return nil, err
	}
	name := func(text string) []rewrite.Name { return []rewrite.Name{{Text: text}} }
	build, err := instrument.Prepare(context.Background(), instrument.Config{
		Verb: instrument.Executable, Dir: dir, CacheDir: filepath.Join(tmp, "cache"),
		Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off"),
		Specs: []rewrite.Spec{{Package: "example.com/program", Request: rewrite.Request{
			Functions: append(name("first"), name("second")...), Variables: name("block"),
		}}},
	})
	if err != nil {
		return nil, err
	}
	if len(build.Lacks) > 0 {
		return nil, fmt.Errorf("not recorded: %v", build.Lacks)
	}
	bin := filepath.Join(tmp, "program")
	if err := build.CompileAgain(context.Background(), bin); err != nil {
		return nil, err
	}
	rec := &recording{table: build.Tables[0]}
	if rec.symbols, err = exe.Open(bin, exe.Options{Root: dir}); err != nil {
		return nil, err
	}
	return rec, rec.run(bin)
})

// run runs the program and keeps its records.
func (rec *recording) run(bin string) error {
	r, err := ring.Create(tmp, ring.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	cmd := exec.Command(bin)
	cmd.Env = append(os.Environ(), r.Env())
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	exited := make(chan struct{})
	var failed error
	go func() { failed = cmd.Wait(); close(exited) }()
	err = r.Consume(exited, func(record *ring.Record) bool {
		kept := *record
		kept.Payload = slices.Clone(record.Payload)
		rec.records = append(rec.records, kept)
		return true
	})
	<-exited
	if err == nil {
		err = failed
	}
	if s := r.Stats(); err == nil && (s.Missing() > 0 || s.Records == 0) {
		err = fmt.Errorf("records: %+v", s)
	}
	rec.symbols.Rebase(r.Identity().Text)
	return err
}

// read makes events and a net of the recording.
func (rec *recording) read(t *testing.T, opt process.Options) (*san.Net, []event.Event, process.Stats) {
	t.Helper()
	opt.Env = rec.symbols.HasUnstarted()
	p, err := process.New(rec.table, rec.symbols, opt)
	if err != nil {
		t.Fatal(err)
	}
	var events []event.Event
	var b *san.Builder
	emit := func(e *event.Event) error {
		if b == nil {
			if b, err = san.NewBuilder(p.Header()); err != nil {
				return err
			}
			b.RequireMutual()
		}
		events = append(events, *e.Clone())
		return b.Add(e, fmt.Sprintf("event %d (%s %s %s)", len(events), e.Task, e.Op, e.Obj))
	}
	for i := range rec.records {
		if err := p.Feed(&rec.records[i], emit); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Finish(emit); err != nil {
		t.Fatal(err)
	}
	net, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return net, events, p.Stats()
}

// unordered returns the blocks in which a first does not precede a second.
func unordered(t *testing.T, net *san.Net, events []event.Event) []string {
	t.Helper()
	type calls struct{ first, second []san.Action }
	blocks := map[string]*calls{}
	count := map[string]int32{}
	for _, e := range events {
		count[e.Task]++
		if e.Enter == "" {
			continue
		}
		task, ok := net.Lookup(e.Task)
		if !ok || len(e.Set) != 1 {
			t.Fatalf("enter without its parameter, or in no task: %+v", e)
		}
		name := e.Set[0].Value.Str()
		if blocks[name] == nil {
			blocks[name] = new(calls)
		}
		a := san.Action{Task: task, K: count[e.Task]}
		if e.Enter == "first" {
			blocks[name].first = append(blocks[name].first, a)
		} else {
			blocks[name].second = append(blocks[name].second, a)
		}
	}
	if len(blocks) != 30 {
		t.Errorf("%d blocks", len(blocks))
	}
	var bad []string
	for name, c := range blocks {
		if len(c.first) == 0 || len(c.second) == 0 {
			t.Errorf("%s: %d first, %d second", name, len(c.first), len(c.second))
		}
		ok := true
		for _, a := range c.first {
			for _, b := range c.second {
				ok = ok && net.Precedes(a, b)
			}
		}
		if !ok {
			bad = append(bad, name)
		}
	}
	slices.Sort(bad)
	return bad
}

// A program that uses everything, traced: the traces are valid, and the order that
// each kind of synchronisation gives is there.
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	rec, err := record()
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []process.Options{{}, {Full: true}, {Sparse: true}} {
		full := opt.Full
		net, events, stats := rec.read(t, opt)
		if stats.Corrupt != 0 {
			t.Errorf("full=%v sparse=%v: corrupt %d, first %s", full, opt.Sparse, stats.Corrupt, stats.First)
		}
		if bad := unordered(t, net, events); len(bad) > 0 {
			t.Errorf("full=%v sparse=%v: no order in %s", full, opt.Sparse, bad)
		}
		for _, e := range events {
			userSpawn := e.Spawn != "" && strings.HasPrefix(e.Obj, "main.")
			if (userSpawn || full && e.Op == "lock") && e.At == "" {
				t.Errorf("full=%v: no position: %+v", full, e)
			}
			if userSpawn && e.Task != "env" && !strings.HasPrefix(e.At, "main.go:") &&
				!strings.Contains(e.Obj, "context") {
				t.Logf("spawned outside of main.go: %+v", e)
			}
		}
	}
}

// Without one kind of record the order of some blocks is lost: each is needed.
func TestProgramNeedsEveryKind(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	rec, err := record()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		kind   ring.Kind
		blocks []string // among those that lose their order
	}{
		{ring.KindSend, []string{"buffered", "select", "reflect-select"}},
		{ring.KindRecv, []string{"semaphore"}},
		{ring.KindHandoff, []string{"unbuffered", "unbuffered-back", "select-handoff"}},
		{ring.KindClose, []string{"close", "context"}},
		{ring.KindRecvClosed, []string{"close", "context"}},
		{ring.KindAcquire, []string{"mutex", "rwmutex-read", "rwmutex-write", "once", "cond", "broadcast",
			"waitgroup"}},
		{ring.KindRelease, []string{"mutex", "rwmutex-read", "once"}},
		{ring.KindReleaseMerge, []string{"waitgroup", "waitgroup-go", "end", "rwmutex-write"}},
		{ring.KindAtomicLoad, []string{"atomic", "atomic-overwritten", "atomic-function"}},
		{ring.KindAtomicStore, []string{"atomic", "atomic-overwritten", "atomic-function"}},
		{ring.KindAtomicRMW, []string{"atomic-add"}},
		{ring.KindFinGo, []string{"finalizer"}},
	} {
		t.Run(tt.kind.String(), func(t *testing.T) {
			for _, sparse := range []bool{false, true} {
				opt := process.Options{Sparse: sparse}
				opt.Drop(tt.kind)
				net, events, _ := rec.read(t, opt)
				bad := unordered(t, net, events)
				for _, block := range tt.blocks {
					if !slices.Contains(bad, block) {
						t.Errorf("sparse=%v: %s is still ordered (not ordered: %s)", sparse, block, bad)
					}
				}
			}
		})
	}
}
