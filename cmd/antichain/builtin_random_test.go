package main

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/internal/recordtest"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// recordSymbols names each address after itself, but for the functions of package recordtest.
type recordSymbols struct{}

func (recordSymbols) Function(entry uint64) string {
	switch entry {
	case recordtest.Worker:
		return "main.worker"
	case recordtest.Helper:
		return "main.helper"
	}
	return fmt.Sprintf("main.f%d", entry)
}

func (s recordSymbols) Position(pcs [ring.PCs]uint64) (at string, library bool) {
	return s.Location(pcs[:]).At, false
}

func (s recordSymbols) Location(pcs []uint64) op.Location { return op.LocationOf(s.Calls(pcs)) }

func (s recordSymbols) Calls(pcs []uint64) iter.Seq[op.Call] {
	return func(yield func(op.Call) bool) {
		for _, pc := range pcs {
			if pc != 0 && !yield(op.Call{Function: s.Function(pc), At: fmt.Sprintf("main.go:%d", pc)}) {
				return
			}
		}
	}
}

// TestRandomOperations makes up what programs do, and compares what is reported on that while it
// comes in, as run does, with what is reported on its trace. -rapid.checks says how often, and it
// goes on until each property has been violated that can be.
func TestRandomOperations(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "leak.tl")
	if err := os.WriteFile(file, []byte("must_finish worker\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	source := specfile.Source{Files: []string{file}}
	s, err := source.Parse()
	if err != nil {
		t.Fatal(err)
	}
	streams, found := 0, map[string]int{}
	compare := func(t *rapid.T) {
		path := filepath.Join(dir, rapid.SampledFrom([]string{"trace.bin", "trace.jsonl"}).Draw(t, "file"))
		told := reportsOnRecords(t, recordtest.Draw(t), path, &s)
		for _, r := range reportsIn(t, told) {
			if name, ok := strings.CutSuffix(r, " violated"); ok {
				found[name]++
			}
		}
		streams++
		compareReports(t, told, path, findings.Flag(findings.Known), &s)
	}
	enough := func() bool { return testing.Short() || len(found) >= 7 }
	rapidtest.CheckUntil(t, enough, compare)
	t.Logf("%d streams; violated: %v", streams, found)
	if !enough() {
		t.Errorf("too few properties are violated: %v", found)
	}
}

// reportsOnRecords returns what is reported of a run with these records, which is recorded into a
// trace.
func reportsOnRecords(t *rapid.T, records []ring.Record, path string, s *specfile.Specification) string {
	watch := findings.NewWatch(t.Context(), findings.Known, specfile.FunctionsOf(s.Parsed), nil)
	p, err := process.New(nil, recordSymbols{}, process.Options{Watch: watch, Accesses: true, Record: true})
	if err != nil {
		t.Fatal(err)
	}
	var events []*event.Event
	keep := func(e *event.Event) error {
		events = append(events, e.Clone())
		return nil
	}
	for i := range records {
		if err := p.Feed(&records[i], keep); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Finish(keep); err != nil {
		t.Fatal(err)
	}
	if stats := p.Stats(); stats.Corrupt > 0 {
		t.Fatalf("no program records this: %s", stats.First)
	}
	writeTrace(t, path, p.Header(), events)
	var out bytes.Buffer
	c := &check.Checker{Settings: check.Settings{JSON: true}, Stdout: &out, Stderr: &out}
	ended := &launch.Result{Complete: true, Program: ring.Identity{Operations: true, Accesses: true}}
	_, results := watch.Judge(t.Context(), c, p, p.Header(), ended)
	if err := findings.Write(c, path, results); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func writeTrace(t rapid.TB, path string, h *event.Header, events []*event.Event) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var w event.Writer
	if strings.HasSuffix(path, ".jsonl") {
		w = event.NewTextWriter(file, h)
	} else {
		w = event.NewBinaryWriter(file, h)
	}
	for _, e := range events {
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
