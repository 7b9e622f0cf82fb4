package runs_test

import (
	"fmt"
	"maps"
	"math/rand"
	stdslices "slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// table has the last verdict on each property of each run, as who upserts them has.
type table map[string]string

func (t table) Result(r *runs.Run, result *tlcheck.Result) {
	text := fmt.Sprint(result.Verdict, " ", result.Covered)
	if w := result.Witness; w != nil {
		text += fmt.Sprint(w.TIVA, w.Slice)
	}
	t[r.ID()+" "+result.Property.Name] = text
}

func (t table) Over(r *runs.Run, net *san.Net, late []*spec.Property, cut tlcheck.Truncation) {
	for _, p := range late {
		t[r.ID()+" "+p.Name] = fmt.Sprint("late ", net.Events(), " ", cut)
	}
}

func (t table) Failed(r *runs.Run, err error)          { t[r.ID()+" failed"] = err.Error() }
func (t table) Rejected(rec *record.Record, err error) { t["rejected "+rec.At] = err.Error() }
func config(t testing.TB, late bool, specs ...string) runs.Config {
	var ps []*spec.Property
	for i, text := range specs {
		p, err := spec.ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Name = fmt.Sprint("p", i)
		ps = append(ps, p)
	}
	return runs.Config{
		Properties: ps,
		Limits:     runs.Limits{Late: 10 * time.Second, Idle: time.Minute},
		Split: func(*event.Header) (open, after []*spec.Property, refused []*tlcheck.Result) {
			if late {
				return ps[1:], ps[:1], nil
			}
			return ps, nil, nil
		},
	}
}

var specs = []string{
	"not (t1:(start.f) and t2:(start.g and x == 1))", "t1:(in.f) -> not next t1:(y == 2)",
	"not (t1:(x == 1) until t2:(in.g))",
	"t1:(term.f) -> (t2:(in.g) before t1:(x == 2))",
}

// records draws the records of some runs, each source in its order, all mixed.
func records(t *rapid.T, source *rand.Rand) []*record.Record {
	var queues [][]*record.Record
	for n := range rapid.IntRange(1, 4).Draw(t, "runs") {
		trace := santest.Generate(source, santest.Config{Steps: 40, Tasks: 2, Spawns: 10, Joints: 5})
		var queue []*record.Record
		opt := record.Options{Events: rapid.IntRange(1, 9).Draw(t, "events"), Text: rapid.Bool().Draw(t, "text")}
		w, err := record.NewWriter(fmt.Sprint("run", n), "only", trace.Header, opt, func(r *record.Record) error {
			r.At = fmt.Sprintf("run%d#%d", n, r.Seq)
			queue = append(queue, r)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range trace.Events {
			if err := w.Write(e); err != nil {
				t.Fatal(err)
			}
		}
		switch rapid.IntRange(0, 3).Draw(t, "end") {
		case 0:
			err = w.Close()
		case 1:
			err = w.End(record.EndRun)
		case 2:
			err = w.End(record.EndRun | record.EndCut)
		case 3:
			err = w.Flush() // and it is never reported again
		}
		if err != nil {
			t.Fatal(err)
		}
		if rapid.IntRange(0, 9).Draw(t, "broken") == 0 {
			queue[source.Intn(len(queue))].Value = []byte("{\"t\":")
		}
		if rapid.IntRange(0, 9).Draw(t, "lost") == 0 {
			i := source.Intn(len(queue))
			queue = stdslices.Delete(queue, i, i+1)
		}
		queues = append(queues, queue)
	}
	var all []*record.Record
	for len(queues) > 0 {
		i := source.Intn(len(queues))
		if len(queues[i]) == 0 {
			queues = stdslices.Delete(queues, i, i+1)
			continue
		}
		all = append(all, queues[i][0])
		queues[i] = queues[i][1:]
	}
	return all
}

// disturb lets records come twice, and later than others.
func disturb(all []*record.Record, source *rand.Rand) []*record.Record {
	var out []*record.Record
	for _, r := range all {
		out = append(out, r)
		if source.Intn(5) == 0 {
			again := *r
			out = append(out, &again)
		}
		if n := len(out); source.Intn(4) == 0 && n > 1 {
			i := n - 1 - source.Intn(min(n, 4))
			out[n-1], out[i] = out[i], out[n-1]
		}
	}
	return out
}

// census has the runs that go on.
type census map[string]bool

func (c census) note(t *rapid.T) func(string, bool) {
	return func(run string, live bool) {
		if c[run] == live {
			t.Fatalf("run %s goes on: said %v twice", run, live)
		}
		if c[run] = live; !live {
			delete(c, run)
		}
	}
}

// TestTakeover compares the verdicts on runs whose records come in order, each once, to those of
// monitors that crash and are relieved by others, which go on from snapshots, with records that
// come twice and out of order.
func TestTakeover(t *testing.T) {
	verdicts, crashes := map[string]int{}, 0
	rapid.Check(t, func(t *rapid.T) {
		source := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		c := config(nil, rapid.Bool().Draw(t, "late"), specs...)
		all := records(t, source)
		var now time.Time
		want := table{}
		quiet := runs.New(c, want)
		for _, r := range all {
			quiet.Take(r, now)
		}
		for _, after := range []time.Duration{11 * time.Second, 2 * time.Minute} {
			quiet.Tick(now.Add(after))
		}
		disturbed := disturb(all, source)
		got := table{}
		living := census{}
		c.Lives = living.note(t)
		rs := runs.New(c, got)
		state, next := saved(t, rs), 0
		for i := 0; i < len(disturbed); {
			rs.Take(disturbed[i], now)
			i++
			switch source.Intn(12) {
			case 0:
				state, next = saved(t, rs), i
			case 1:
				crashes++
				if rs.Drop(); len(living) > 0 {
					t.Fatalf("%v go on where nobody checks them", living)
				}
				rs, i = runs.New(c, got), next
				r := snapshot.NewReader(state)
				if err := rs.Snapshot(r); err != nil || r.End() != nil {
					t.Fatal(err, r.End())
				}
			}
		}
		for _, after := range []time.Duration{11 * time.Second, 2 * time.Minute} {
			rs.Tick(now.Add(after))
		}
		if len(living) > 0 {
			t.Fatalf("%v go on", living)
		}
		// Which record shows that a run is broken depends on their order.
		for _, tab := range []table{want, got} {
			maps.DeleteFunc(tab, func(key, _ string) bool { return strings.HasPrefix(key, "rejected ") })
			for key, text := range tab {
				if strings.HasSuffix(key, " failed") {
					tab[key], text = "failed", "failed"
				}
				word, _, _ := strings.Cut(text, " ")
				verdicts[word]++
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
	t.Logf("%d crashes; verdicts: %v", crashes, verdicts)
	if !testing.Short() && (crashes == 0 || verdicts["holds"] == 0 || verdicts["violated"] == 0 ||
		verdicts["failed"] == 0) {
		t.Error("something never happened")
	}
}

func saved(t *rapid.T, rs *runs.Runs) []byte {
	w := snapshot.NewWriter()
	if err := rs.Snapshot(w); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}
