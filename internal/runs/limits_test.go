package runs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// take gives runs a record of a source, as text: the lines of the first one stand behind a header
// with a task that is called like the source.
func take(rs *runs.Runs, source string, seq uint64, now time.Time, lines ...string) {
	if seq == 1 {
		lines = append([]string{fmt.Sprintf(`{"antichain":1,"tasks":[%q]}`, source)}, lines...)
	}
	rs.Take(&record.Record{Run: "r", Source: source, Seq: seq, At: fmt.Sprint(source, seq),
		Value: []byte(strings.Join(lines, "\n"))}, now)
}

// state is all that is known of runs.
func state(t *testing.T, rs *runs.Runs) []byte {
	w := snapshot.NewWriter()
	if err := rs.Snapshot(w); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

var start = time.Unix(1000, 0)

// TestNothingIsKeptOfBrokenRun lets a source go on after one of its records has got lost.
func TestNothingIsKeptOfBrokenRun(t *testing.T) {
	got := table{}
	rs := runs.New(config(t, false, specs...), got)
	take(rs, "a", 1, start)
	take(rs, "a", 3, start, `{"t":"a"}`)
	rs.Tick(start.Add(11 * time.Second))
	if !strings.Contains(got["r failed"], "record 2") {
		t.Fatal(got)
	}
	before := len(state(t, rs))
	for seq := range uint64(100) {
		take(rs, "a", 4+seq, start, `{"t":"a","op":"`+strings.Repeat("x", 1000)+`"}`)
	}
	if after := len(state(t, rs)); after > before+10 {
		t.Errorf("%d bytes have become %d", before, after)
	}
	if s := rs.Stats(); s.Ignored != 100 {
		t.Errorf("%+v", s)
	}
}

// TestEndWithGap ends runs while records wait for one that has not come: with all runs, or since
// nothing has come for a while, which is less than what records may be late. All that there is of a
// run may wait.
func TestEndWithGap(t *testing.T) {
	for name, end := range map[string]func(*runs.Runs){
		"all":  func(rs *runs.Runs) { rs.Close("cut off") },
		"idle": func(rs *runs.Runs) { rs.Tick(start.Add(6 * time.Second)) },
	} {
		for missing, there := range map[string][]uint64{"record 1 ": {2}, "record 2 ": {1, 3}} {
			got := table{}
			c := config(t, false, specs...)
			c.Limits.Idle = 5 * time.Second
			rs := runs.New(c, got)
			for _, seq := range there {
				take(rs, "a", seq, start, `{"t":"a"}`)
			}
			end(rs)
			if !strings.Contains(got["r failed"], missing) || rs.Stats().Failed != 1 || rs.Stats().Ended != 0 {
				t.Errorf("%s: %s: %v %+v", name, missing, got, rs.Stats())
			}
		}
	}
}

// TestRecordBehindEnd distinguishes a repeated record from one that comes too late.
func TestRecordBehindEnd(t *testing.T) {
	got := table{}
	rs := runs.New(config(t, false, specs...), got)
	take(rs, "a", 1, start)
	rs.Tick(start.Add(2 * time.Minute))
	take(rs, "a", 1, start)
	for _, seq := range []uint64{2, 7} {
		take(rs, "a", seq, start, `{"t":"a"}`)
	}
	if s := rs.Stats(); s.Repeated != 1 || s.Dropped != 2 || got["rejected a2"] == "" || got["rejected a7"] == "" {
		t.Errorf("%+v %v", s, got)
	}
}

// TestRepeatedDifferently has a record come again that says something else: that is an error of its
// run. Once the run is over its verdicts have been given, and the record is rejected.
func TestRepeatedDifferently(t *testing.T) {
	const why = "has come before, and said something else"
	for name, end := range map[string]record.End{"while the run goes on": 0,
		"behind its end": record.EndSource | record.EndRun} {
		got := table{}
		rs := runs.New(config(t, false, specs...), got)
		take(rs, "a", 1, start)
		rs.Take(&record.Record{Run: "r", Source: "a", Seq: 2, Value: []byte(`{"t":"a"}`), End: end, At: "a2"}, start)
		rs.Take(&record.Record{Run: "r", Source: "a", Seq: 2, Value: []byte(`{"t":"a","enter":"f"}`), End: end,
			At: "a2 again"}, start)
		if !strings.Contains(got["rejected a2 again"], why) || strings.Contains(got["r failed"], why) != (end == 0) ||
			rs.Stats().Repeated > 0 {
			t.Errorf("%s: %v %+v", name, got, rs.Stats())
		}
	}
}

// TestSomethingAlwaysWaits has two sources that always wait for each other, never for longer than a
// second.
func TestSomethingAlwaysWaits(t *testing.T) {
	got := table{}
	rs := runs.New(config(t, false, specs...), got)
	take(rs, "a", 1, start)
	take(rs, "b", 1, start)
	sources, events := []string{"a", "b"}, []int{0, 0}
	now := start
	for seq := range uint64(30) {
		for i, source := range sources {
			now = now.Add(time.Second)
			other := fmt.Sprintf(`{"t":%q,"after":[[%q,%d]]}`, source, sources[1-i], events[1-i]+1)
			take(rs, source, 2+seq, now, fmt.Sprintf(`{"t":%q}`, source), other)
			events[i] += 2
			rs.Tick(now)
		}
	}
	if len(got) > 0 {
		t.Fatal(got)
	}
	rs.Tick(now.Add(30 * time.Second))
	if !strings.Contains(got["r failed"], "was not read") {
		t.Error("what waits for good does not count as late:", got)
	}
}

// TestWaitingAtEnd ends a run in which an event waits for one that can no longer be sent.
func TestWaitingAtEnd(t *testing.T) {
	for _, late := range []bool{false, true} {
		got := table{}
		rs := runs.New(config(t, late, specs...), got)
		take(rs, "a", 1, start, `{"t":"a"}`, `{"t":"a","after":[["b",1]]}`)
		rs.Take(&record.Record{Run: "r", Source: "a", Seq: 2, End: record.EndSource | record.EndRun}, start)
		if len(got) != 1 || !strings.Contains(got["r failed"], `task "b"`) {
			t.Error(got)
		}
	}
}

// TestMemory has runs that take much memory in ways that are not their events.
func TestMemory(t *testing.T) {
	const limit = 1 << 20
	for name, grow := range map[string]func(rs *runs.Runs, n int){
		"sources with long names": func(rs *runs.Runs, n int) {
			take(rs, strings.Repeat("s", 4000)+fmt.Sprint(n), 2, start)
		},
		"records out of order": func(rs *runs.Runs, n int) {
			take(rs, "a", uint64(n+2), start, strings.Repeat("x", 4000))
		},
	} {
		got := table{}
		c := config(t, false, specs...)
		c.Limits.Memory = limit
		rs := runs.New(c, got)
		for n := range limit / 4000 {
			grow(rs, n)
		}
		if !strings.Contains(got["r failed"], "bytes of memory") {
			t.Error(name, got)
		}
	}
}

// TestUnfolds gives a run a record of some hundred bytes with a million events: the run has to be
// given up before these take much more memory than the run may.
func TestUnfolds(t *testing.T) {
	const events = 1 << 20
	got := table{}
	c := config(t, false, specs...)
	c.Limits.Memory = 1 << 20
	rs := runs.New(c, got)
	w, err := record.NewWriter("r", "a", &event.Header{Tasks: []string{"a"}},
		record.Options{Events: events, Bytes: 1 << 30}, func(r *record.Record) error {
			if len(r.Value) > 1000 {
				t.Errorf("a record of %d bytes", len(r.Value))
			}
			rs.Take(r, start)
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	for range events {
		if err := w.Write(&event.Event{Task: "a"}); err != nil {
			t.Fatal(err)
		}
	}
	if s := rs.Stats(); !strings.Contains(got["r failed"], "bytes of memory") || s.Events > events/4 {
		t.Errorf("%+v %v", s, got)
	}
}

// TestEndedRunsAreForgotten ends runs with long names: of those that are over only some can be
// remembered.
func TestEndedRunsAreForgotten(t *testing.T) {
	rs := runs.New(config(t, false, specs...), table{})
	size := 0
	for n := range 10000 {
		r := &record.Record{Run: strings.Repeat("r", 4000) + fmt.Sprint(n), Source: strings.Repeat("s", 4000), Seq: 1,
			End: record.EndRun | record.EndSource}
		r.Value = []byte(`{"antichain":1,"tasks":["a"]}`)
		rs.Take(r, start)
		size += len(r.Run) + len(r.Source)
	}
	if s := rs.Stats(); s.Ended != 10000 {
		t.Fatalf("%+v", s)
	}
	if n := len(state(t, rs)); n > size*2/3 {
		t.Errorf("a state of %d bytes, of runs whose names have %d", n, size)
	}
}

// TestMemoryOfPastRuns: runs that are over and remembered have as much memory as there is, and the
// latest ones are recognised, also after a takeover.
func TestMemoryOfPastRuns(t *testing.T) {
	c := config(t, false, specs...)
	room := 100_000
	c.PastBytes = func() int { return room }
	rs := runs.New(c, table{})
	record := func(n int) *record.Record {
		return &record.Record{Run: fmt.Sprint("run ", n), Source: "s", Seq: 1, End: record.EndRun | record.EndSource,
			Value: []byte(`{"antichain":1,"tasks":["a"]}`)}
	}
	for n := range 5000 {
		rs.Take(record(n), start)
	}
	s := rs.Stats()
	if s.PastBytes > room || s.Past < 500 || s.Past > 1000 {
		t.Fatalf("%+v", s)
	}
	continued := runs.New(c, table{})
	if err := continued.Snapshot(snapshot.NewReader(state(t, rs))); err != nil {
		t.Fatal(err)
	}
	continued.Take(record(4999), start)
	continued.Take(record(0), start)
	again := continued.Stats()
	if again.Repeated != s.Repeated+1 || again.Ended != s.Ended+1 || again.Past != s.Past {
		t.Errorf("%+v, and then %+v", s, again)
	}
	room = 10_000
	continued.Take(record(1), start)
	if s := continued.Stats(); s.PastBytes > room || s.Past == 0 {
		t.Errorf("%+v", s)
	}
}
