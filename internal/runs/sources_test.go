package runs_test

import (
	"fmt"
	"math/rand"
	stdslices "slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// producer writes the records of a source, as its events come, behind those of others.
type producer struct {
	*record.Writer
	header *event.Header
	events []*event.Event // that are left
}

func newProducer(t rapid.TB, name string, h *event.Header, events int, all *[]*record.Record) *producer {
	w, err := record.NewWriter("run", name, h, record.Options{Events: events}, func(r *record.Record) error {
		r.At = fmt.Sprintf("%s#%d", name, r.Seq)
		*all = append(*all, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return &producer{Writer: w, header: h}
}

func must(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// joined draws the records of a run of some sources, whose events come after those of others now
// and then.
func joined(t *rapid.T, source *rand.Rand) (all []*record.Record, sources int) {
	var live []*producer
	sources = rapid.IntRange(1, 3).Draw(t, "sources")
	for n := range sources {
		name := fmt.Sprint("s", n)
		trace := santest.Generate(source, santest.Config{Steps: 30, Tasks: 2, Spawns: 10, Joints: 5, Ends: 3})
		p := newProducer(t, name, &event.Header{Tasks: named(name, trace.Header.Tasks)}, 1+source.Intn(5), &all)
		for _, e := range trace.Events {
			p.events = append(p.events, of(name, e))
		}
		live = append(live, p)
	}
	past := map[string]int{} // events of each task
	for len(live) > 0 {
		i := source.Intn(len(live))
		p := live[i]
		if len(p.events) == 0 {
			must(t, p.Close())
			live = stdslices.Delete(live, i, i+1)
			continue
		}
		e := p.events[0]
		p.events = p.events[1:]
		for task, k := range past {
			if task[:2] != e.Task[:2] && len(e.With) == 0 && source.Intn(10) == 0 {
				e.After = append(e.After, event.Ref{Task: task, K: 1 + source.Intn(k)})
			}
		}
		past[e.Task]++
		must(t, p.Write(e))
	}
	return all, sources
}

// of returns an event as a source has it: the names of its tasks begin with that of the source, and
// nothing is shared.
func of(source string, e *event.Event) *event.Event {
	mine := *e
	mine.Task, mine.Write = source+e.Task, nil
	if e.Spawn != "" {
		mine.Spawn = source + e.Spawn
	}
	refs := func(rs []event.Ref) (all []event.Ref) {
		for _, r := range rs {
			all = append(all, event.Ref{Task: source + r.Task, K: r.K})
		}
		return all
	}
	mine.After, mine.With = refs(e.After), refs(e.With)
	return &mine
}

func named(source string, tasks []string) (all []string) {
	for _, t := range tasks {
		all = append(all, source+t)
	}
	return all
}

// verdicts returns what was said of the properties, without where they are violated.
func (t table) verdicts() table {
	all := table{}
	for key, text := range t {
		if strings.HasPrefix(text, "violated") {
			text = "violated"
		}
		all[key] = text
	}
	return all
}

// TestSourcesKnown compares the verdicts on runs that announce how many sources they have, on any
// of their records, to those on the same runs without the announcement. The former are there with
// the last record, also after a takeover.
func TestSourcesKnown(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		c := config(nil, false, specs...)
		all, sources := joined(t, random)
		want, got := table{}, table{}
		without := runs.New(c, want)
		for _, r := range all {
			again := *r
			without.Take(&again, time.Time{})
		}
		if without.Live("run") == nil {
			t.Fatal("the run is over although others may join it")
		}
		without.Tick(time.Time{}.Add(11 * time.Second))
		with, says := runs.New(c, got), random.Intn(len(all))
		for i, r := range all {
			if with.Live("run") == nil && i > 0 {
				t.Fatalf("over before record %d of %d: %v", i+1, len(all), got)
			}
			if i == says || random.Intn(4) == 0 {
				r.Sources = sources
			}
			with.Take(r, time.Time{})
			if random.Intn(8) == 0 {
				with = restored(t, c, with, got)
			}
		}
		if diff := cmp.Diff(want.verdicts(), got.verdicts()); diff != "" {
			t.Fatal(diff)
		}
		for _, verdict := range got.verdicts() {
			seen[verdict]++
		}
	})
	t.Log(seen)
	if !testing.Short() && (seen["holds "] == 0 || seen["violated"] == 0) {
		t.Error("something never happened")
	}
}

// restored goes on with runs elsewhere.
func restored(t rapid.TB, c runs.Config, rs *runs.Runs, to runs.Reporter) *runs.Runs {
	w := snapshot.NewWriter()
	must(t, rs.Snapshot(w))
	rs.Drop()
	next, r := runs.New(c, to), snapshot.NewReader(w.Bytes())
	must(t, next.Snapshot(r))
	must(t, r.End())
	return next
}

// header returns the records of sources that have begun and do not go on.
func header(t *testing.T, sources ...string) (all []*record.Record) {
	for _, name := range sources {
		must(t, newProducer(t, name, &event.Header{Tasks: []string{name}}, 1, &all).Flush())
	}
	return all
}

func TestSourcesWrong(t *testing.T) {
	for _, tt := range []struct {
		says map[int]int // by record
		want string
	}{
		{map[int]int{0: 2, 1: 3}, `b#1: run "run": its number of sources is 3, and others say 2`},
		{map[int]int{0: 2}, `c#1: run "run": a source more than the 2 that it has`},
		{map[int]int{1: 1}, `b#1: run "run": its number of sources is 1, and 2 have come`},
		{map[int]int{2: 2}, `c#1: run "run": its number of sources is 2, and 3 have come`},
		{map[int]int{0: 3, 1: 3, 2: 3}, ""},
	} {
		got := table{}
		rs := runs.New(config(t, false, specs...), got)
		for i, r := range header(t, "a", "b", "c") {
			r.Sources = tt.says[i]
			rs.Take(r, time.Time{})
		}
		if err := got["run failed"]; !strings.HasPrefix(err, tt.want) || tt.want == "" && err != "" {
			t.Errorf("%v: %q, not %q", tt.says, err, tt.want)
		}
	}
}

// A source too many that comes when the others have ended has no run any more, whose verdicts stay.
func TestSourceTooLate(t *testing.T) {
	got := table{}
	rs := runs.New(config(t, false, specs[0]), got)
	for i, r := range header(t, "a", "b") {
		if i == 0 {
			r.Sources, r.End = 1, record.EndSource
		}
		rs.Take(r, time.Time{})
	}
	want := table{"run p0": "holds ",
		"rejected b#1": `b#1: run "run" is over (give each run its own name, count all of its sources, or raise the time after which a run without records is over)`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestSourceMissing waits for a source that does not come, also behind the end of all others, until
// the run is idle.
func TestSourceMissing(t *testing.T) {
	got := table{}
	rs := runs.New(config(t, false, specs[0]), got)
	for _, r := range header(t, "a", "b") {
		r.Sources, r.End = 3, record.EndSource|record.EndRun
		rs.Take(r, time.Time{})
	}
	rs.Tick(time.Time{}.Add(30 * time.Second))
	if len(got) > 0 {
		t.Fatal(got)
	}
	rs.Tick(time.Time{}.Add(2 * time.Minute))
	want := table{"run p0": "unknown the run was cut off: no record came for 1m0s, and none of 1 of its 3 sources; " +
		"the property holds in what came before, and what would have come next may violate it"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// relay writes a run of sources that pass a token around, each with a task that calls a function
// while it has it.
type relay struct {
	producers []*producer
	records   []*record.Record
}

func newRelay(t *testing.T, sources int) *relay {
	r := &relay{}
	for n := range sources {
		task := fmt.Sprint("task", n)
		r.producers = append(r.producers, newProducer(t, task, &event.Header{Tasks: []string{task}}, 1000, &r.records))
	}
	return r
}

// calls writes those from the given one on. Each is three events, the last of them outside the
// function.
func (r *relay) calls(t *testing.T, from, to int) {
	n := len(r.producers)
	for call := from; call < to; call++ {
		p := r.producers[call%n]
		enter := event.Event{Task: p.header.Tasks[0], Enter: "f"}
		if n > 1 && call > 0 {
			enter.After = []event.Ref{{Task: r.producers[(call-1)%n].header.Tasks[0], K: 3 * ((call-1)/n + 1)}}
		}
		for _, e := range []event.Event{enter, {Task: enter.Task, Exit: "f"}, {Task: enter.Task}} {
			must(t, p.Write(&e))
		}
	}
}

// TestSourcesForget looks at how much of a long run is kept: all of it while others may join, if a
// property has temporal operators, and else no more than if it came from a file. In the middle
// another owner takes over.
func TestSourcesForget(t *testing.T) {
	// a net that has doubled since it was looked at, beyond what is kept in any case
	const bound = 3 << 16
	const one, two, next = "not t:(in.g)", "not (t1:(in.f) and t2:(in.f)) if t1 != t2",
		"t1:(in.f) -> not next^2 t1:(in.g)"
	for i, tt := range []struct {
		spec                  string
		sources, says, events int
		forgets               bool
	}{
		{two, 1, 1, 1_000_000, true}, {two, 2, 2, 300_000, true}, {two, 1, 0, 300_000, true},
		{two, 2, 0, 300_000, true},
		{next, 1, 1, 300_000, true}, {next, 1, 0, 300_000, false}, {next, 2, 0, 300_000, false},
		{one, 2, 0, 300_000, true}, {one, 2, 2, 300_000, true},
	} {
		if testing.Short() { // the race detector makes it slow, and the other runs go the same ways
			if tt.events = 300_000; i > 1 {
				break
			}
		}
		got := table{}
		c := config(t, false, tt.spec)
		rs, relay := runs.New(c, got), newRelay(t, tt.sources)
		most, calls := 0, tt.events/3
		const step = 5000
		for call := 0; call < calls; call += step {
			relay.calls(t, call, min(call+step, calls))
			for n, r := range relay.records {
				if call == 0 && n == 0 {
					r.Sources = tt.says
				}
				rs.Take(r, time.Time{})
				if live := rs.Live("run"); live != nil {
					most = max(most, live.Checker().Net().Events())
				}
			}
			relay.records = relay.records[:0]
			if call == 10*step {
				rs = restored(t, c, rs, got)
			}
		}
		for _, p := range relay.producers {
			must(t, p.Close())
		}
		for _, r := range relay.records {
			rs.Take(r, time.Time{})
		}
		t.Logf("%s, %d sources, the run says %d: up to %d of %d events are kept", tt.spec, tt.sources, tt.says, most,
			tt.events)
		if forgets := most < bound; forgets != tt.forgets {
			t.Errorf("%s, %d sources, the run says %d: up to %d of %d events are kept", tt.spec, tt.sources, tt.says,
				most, tt.events)
		}
		if over := rs.Live("run") == nil; over != (tt.says > 0) || over && got["run p0"] != "holds " {
			t.Errorf("%d sources, the run says %d: over %v, %v", tt.sources, tt.says, over, got)
		}
	}
}
