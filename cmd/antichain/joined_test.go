package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/stream"
)

// TestJoinedRuns compares the verdicts on a run whose tasks are sent over several connections, some
// of which break off, with the check of the net of all that was sent. What has a verdict has it
// however the run goes on, as when nothing breaks off.
func TestJoinedRuns(t *testing.T) {
	// Violations of it rest on what a task does next.
	soon, err := spec.ParseFormula("t:(start.f or start.g) -> next t:(in.f or in.g)")
	if err != nil {
		t.Fatal(err)
	}
	soon.Name = "soon"
	dir := t.TempDir()
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		config := santest.Config{Tasks: 4, Frames: 60, Steps: 25, Causes: 50, Shared: []string{"unused"}}
		trace := santest.Generate(santest.Rapid(t), config).Shuffle(santest.Rapid(t))
		senders := split(t, trace)
		logic := rapid.SampledFrom([]lsl.Logic{lsl.L3, lsl.Frey96}).Draw(t, "logic")
		props := []*spec.Property{soon}
		for i := range 2 {
			props = append(props, &spec.Property{Name: fmt.Sprint("p", i), Formula: spectest.Formula(words).Draw(t, "formula")})
		}
		verdicts := monitorAll(t, filepath.Join(dir, fmt.Sprint(runs)), senders, props, logic)
		came, stuck := joined(t, trace, senders)
		cut := slices.ContainsFunc(senders, func(s *sender) bool { return s.cut })
		whole, _ := joined(t, trace, uncut(senders))
		for _, p := range props {
			got, want, later := verdicts[p.Name], verdictOn(t, came, p, logic), verdictOn(t, whole, p, logic)
			switch {
			case got != "unknown" && (got != want || got != later), got == "unknown" && !stuck && !cut:
				t.Fatalf("%v %s: monitor %q; check of what was sent %s, of all %s\n%v%v", logic, spec.Format(p.Formula), got, want, later, trace, senders)
			}
		}
	})
}

var words = spectest.Words{TIVs: []string{"t1", "t2"}, Functions: []string{"f", "g"}, Variables: [][]string{{"x"}, {"y"}, {"r", "x"}}, Depth: 3}

func verdictOn(t *rapid.T, net *san.Net, p *spec.Property, logic lsl.Logic) string {
	r, err := tlcheck.Check(t.Context(), net, p, tlcheck.Options{Logic: logic})
	if err != nil {
		t.Fatal(err)
	}
	return r.Verdict.String()
}

// sender sends some of the tasks of a run.
type sender struct {
	header *event.Header
	events []*event.Event
	bytes  []byte // of its trace, up to where it breaks off
	start  int    // where the header ends
	count  int    // events that are there completely
	cut    bool   // it is not closed in order

	conn net.Conn
	sent int
}

func (s *sender) String() string {
	return fmt.Sprintf("%v: %d of %d events, cut off: %v\n", s.header.Tasks, s.count, len(s.events), s.cut)
}

// split distributes the tasks of a trace.
func split(t *rapid.T, trace santest.Trace) []*sender {
	var senders []*sender
	of := map[string]*sender{}
	for i, task := range trace.Header.Tasks {
		if n := rapid.IntRange(0, i).Draw(t, "sender"); n < len(senders) {
			of[task] = senders[n]
		} else {
			h := *trace.Header
			h.Tasks, h.Run = nil, "R"
			of[task] = &sender{header: &h}
			senders = append(senders, of[task])
		}
		of[task].header.Tasks = append(of[task].header.Tasks, task)
	}
	for _, e := range trace.Events {
		if of[e.Task] == nil {
			of[e.Task] = rapid.SampledFrom(senders).Draw(t, "sender")
		}
		of[e.Task].events = append(of[e.Task].events, e)
	}
	for _, s := range senders {
		whole := s.write(t)
		s.bytes = whole
		if rapid.IntRange(0, 3).Draw(t, "breaks off") == 0 {
			s.bytes = whole[:rapid.IntRange(s.start, len(whole)).Draw(t, "bytes")]
		}
		for s.read(t); s.count < len(s.events) && !s.cut; s.read(t) { // between two lines, which looks like the end
			s.bytes = whole[:len(s.bytes)+1]
		}
	}
	return rapid.Permutation(senders).Draw(t, "senders")
}

// uncut returns the senders as if none had broken off.
func uncut(senders []*sender) []*sender {
	var all []*sender
	for _, s := range senders {
		whole := *s
		whole.count = len(s.events)
		all = append(all, &whole)
	}
	return all
}

// write returns the trace, in either form.
func (s *sender) write(t *rapid.T) []byte {
	var b bytes.Buffer
	var w event.Writer = event.NewTextWriter(&b, s.header)
	if rapid.Bool().Draw(t, "binary") {
		b.Reset()
		w = event.NewBinaryWriter(&b, s.header)
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(w.Flush())
	s.start = b.Len()
	for _, e := range s.events {
		must(w.Write(e))
		if rapid.Bool().Draw(t, "flush") {
			must(w.Flush())
		}
	}
	must(w.Close())
	return b.Bytes()
}

// read finds out what of the trace is there.
func (s *sender) read(t *rapid.T) {
	r, err := event.Open(bytes.NewReader(s.bytes), "trace")
	if err != nil {
		t.Fatal(err)
	}
	s.count = 0
	var e event.Event
	for err = r.Next(&e); err == nil; err = r.Next(&e) {
		s.count++
	}
	s.cut = err != io.EOF
}

// send sends some more.
func (s *sender) send(t *rapid.T, n int) {
	if _, err := s.conn.Write(s.bytes[s.sent : s.sent+n]); err != nil {
		t.Fatal(err)
	}
	s.sent += n
}

// monitorAll lets antichain listen, sends everything in some order, and returns the verdicts. All
// have sent their headers before the first one ends.
func monitorAll(t *rapid.T, path string, senders []*sender, props []*spec.Property, logic lsl.Logic) map[string]string {
	var out bytes.Buffer
	m := joinMonitor{joined: make(chan string, 100), Monitor: &monitor.Monitor{
		Checker: check.Checker{Settings: check.Settings{JSON: true, Options: tlcheck.Options{Logic: logic}}, Stdout: &out, Stderr: io.Discard, Properties: props},
		Reading: t.Context(), Checking: t.Context(), KeepGoing: true, Postpone: true,
	}}
	listening := make(chan bool, 1)
	source, err := stream.Parse("unix:"+path, stream.Options{UntilEOF: true, Listening: func(string) { listening <- true }})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- stream.Serve(t.Context(), []stream.Source{source}, m) }()
	<-listening
	var open []*sender
	for later := senders; len(later)+len(open) > 0; {
		if i := rapid.IntRange(0, len(open)).Draw(t, "turn"); i < len(open) {
			s, last := open[i], 0
			if len(later) > 0 {
				last = 1
			}
			if left := len(s.bytes) - s.sent - last; left > 0 {
				s.send(t, rapid.IntRange(1, left).Draw(t, "bytes"))
			} else if last == 0 {
				s.conn.Close()
				open = slices.Delete(open, i, i+1)
			}
		} else if len(later) > 0 {
			s := later[0]
			if s.conn, err = net.Dial("unix", path); err != nil {
				t.Fatal(err)
			}
			s.send(t, s.start)
			for range s.header.Tasks {
				<-m.joined
			}
			open, later = append(open, s), later[1:]
		}
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var o struct{ Property, Verdict string }
		if err := json.Unmarshal([]byte(line), &o); err != nil || verdicts[o.Property] != "" {
			t.Fatalf("%v: %s", err, out.String())
		}
		verdicts[o.Property] = o.Verdict
	}
	return verdicts
}

// joinMonitor is a monitor that tells which tasks of headers have become part of its only run.
type joinMonitor struct {
	*monitor.Monitor
	joined chan string
}

func (j joinMonitor) Begin(name string, h *event.Header) (stream.Sink, error) {
	sink, err := j.Monitor.Begin(name, h)
	for _, task := range h.Tasks[:len(h.Tasks)-1] { // the last one is env
		j.joined <- task
	}
	return joiningSink{sink, j.joined}, err
}

type joiningSink struct {
	stream.Sink
	joined chan string
}

func (s joiningSink) Add(e *event.Event, pos string) error {
	err := s.Sink.Add(e, pos)
	if e.Task == event.EnvTask {
		s.joined <- e.Spawn
	}
	return err
}

// joined returns the net of what the senders have sent, and whether events wait for others that did
// not come.
func joined(t *rapid.T, trace santest.Trace, senders []*sender) (net *san.Net, stuck bool) {
	first := *senders[0].header
	first.Tasks = append(slices.Clone(first.Tasks), event.EnvTask)
	b, err := san.NewBuilder(&first)
	if err != nil {
		t.Fatal(err)
	}
	add := func(e *event.Event) {
		if err := b.Add(e, ""); err != nil {
			t.Fatal(err)
		}
	}
	there := map[*event.Event]bool{}
	for i, s := range senders {
		for _, task := range s.header.Tasks {
			if i > 0 {
				add(&event.Event{Task: event.EnvTask, Spawn: task})
			}
		}
		for _, e := range s.events[:s.count] {
			there[e] = true
		}
	}
	for _, e := range trace.Events {
		if there[e] {
			add(e)
		}
	}
	stuck = b.PendingError() != nil
	return b.Partial(), stuck
}
