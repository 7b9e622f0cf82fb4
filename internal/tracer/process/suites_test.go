//go:build linux && (amd64 || arm64)

package process_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// longEnv asks for the tests that take minutes. Its value may be a directory and packages there.
const longEnv = "ANTICHAIN_LONG"

// pair is two events of a trace, and whether vector clocks have the first before the second.
type pair struct {
	a, b   san.Action
	before bool
}

// comparison reads records in two ways, as a trace and with vector clocks, and draws pairs of
// events.
type comparison struct {
	t       *testing.T
	process *process.Process
	clocks  *vectorClocks
	builder *san.Builder
	tasks   map[string]san.Task
	count   map[string]int32
	seen    []seenAction // of each record drawn so far
	pairs   []pair
	random  *rand.Rand
	records int
}

type seenAction struct {
	action san.Action
	moment
	record int
}

func compare(t *testing.T) *comparison {
	t.Helper()
	p, err := process.New(nil, nil, process.Options{Full: true})
	if err != nil {
		t.Fatal(err)
	}
	return &comparison{
		t: t, process: p, clocks: newVectorClocks(), tasks: map[string]san.Task{}, count: map[string]int32{},
		random: rand.New(rand.NewPCG(1, 2)),
	}
}

func (c *comparison) add(r *ring.Record) {
	c.records++
	c.clocks.add(r)
	err := c.process.Feed(r, func(e *event.Event) error { return c.event(r, e) })
	if err != nil {
		c.t.Fatal(err)
	}
}

// event pairs an event with some of those before it.
func (c *comparison) event(r *ring.Record, e *event.Event) error {
	if c.builder == nil {
		var err error
		if c.builder, err = san.NewBuilder(c.process.Header()); err != nil {
			return err
		}
	}
	c.count[e.Task]++
	if _, ok := c.tasks[e.Task]; !ok {
		c.tasks[e.Task] = san.Task(len(c.tasks)) // until the net has given them numbers
	}
	action := san.Action{Task: c.tasks[e.Task], K: c.count[e.Task]}
	if err := c.builder.Add(e, e.Task); err != nil {
		return err
	}
	ctx := r.Ctx
	if e.Task != c.process.TaskName(ctx) {
		if ctx = r.Aux; r.Kind != ring.KindHandoff || e.Task != c.process.TaskName(ctx) {
			return nil // an event of another task than the record is of
		}
	}
	for range min(8, len(c.seen)) {
		s := c.seen[c.random.IntN(len(c.seen))]
		if s.record != c.records { // else they are two sides of one action
			c.pairs = append(c.pairs, pair{s.action, action, c.clocks.knows(ctx, s.moment)})
		}
	}
	if s := (seenAction{action, c.clocks.latest(ctx), c.records}); len(c.seen) < 500 {
		c.seen = append(c.seen, s)
	} else if c.random.IntN(20) == 0 {
		c.seen[c.random.IntN(len(c.seen))] = s
	}
	return nil
}

// finish compares all pairs with the net of the trace.
func (c *comparison) finish() {
	c.t.Helper()
	if err := c.process.Finish(func(e *event.Event) error { return c.builder.Add(e, e.Task) }); err != nil {
		c.t.Fatal(err)
	}
	net := c.builder.Partial() // the run may go on where the records end
	names := make([]string, len(c.tasks))
	for name, task := range c.tasks {
		names[task] = name
	}
	action := func(a san.Action) san.Action {
		task, ok := net.Lookup(names[a.Task])
		if !ok {
			c.t.Fatalf("no task %s", names[a.Task])
		}
		return san.Action{Task: task, K: a.K}
	}
	before, wrong := 0, 0
	for _, p := range c.pairs {
		if p.before {
			before++
		}
		if net.Precedes(action(p.a), action(p.b)) != p.before {
			if wrong++; wrong <= 5 {
				c.t.Errorf("action %d of %s before action %d of %s: %v by vector clocks, %v in the trace",
					p.a.K, names[p.a.Task], p.b.K, names[p.b.Task], p.before, !p.before)
			}
		}
	}
	c.t.Logf("%d records, %d tasks, %d pairs of events, %d ordered, %d wrong", c.records, len(names), len(c.pairs),
		before, wrong)
	if before == 0 || before == len(c.pairs) {
		c.t.Errorf("of %d pairs %d are ordered: that shows nothing", len(c.pairs), before)
	}
}

// Vector clocks have the order that the trace has, for a program that uses everything.
func TestVectorClocks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	rec, err := record()
	if err != nil {
		t.Fatal(err)
	}
	c := compare(t)
	for i := range rec.records {
		c.add(&rec.records[i])
	}
	c.finish()
}

// The same for test suites.
func TestVectorClocksOfSuites(t *testing.T) {
	value := os.Getenv(longEnv)
	if value == "" {
		t.Skipf("takes minutes; set %s=1", longEnv)
	}
	dir := "."
	packages := strings.Fields("sync context time io os/exec database/sql net/http " +
		"github.com/antichain-go/antichain/onthefly github.com/antichain-go/antichain/tracer/ingest/stream")
	if value != "1" {
		dir, packages = strings.Fields(value)[0], strings.Fields(value)[1:]
	}
	for _, pkg := range packages {
		t.Run(pkg, func(t *testing.T) {
			trace := filepath.Join(t.TempDir(), "trace")
			build, err := instrument.Prepare(t.Context(), instrument.Config{
				Verb: instrument.Test, Dir: dir, CacheDir: t.TempDir(), Packages: []string{pkg},
			})
			if err != nil {
				t.Fatal(err)
			}
			cmd, err := build.TestCommand(t.Context(), nil, []string{"-short"})
			if err != nil {
				t.Fatal(err)
			}
			if cmd.Env == nil {
				cmd.Env = os.Environ()
			}
			cmd.Env = append(cmd.Env, ring.EnvTrace+"="+trace)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Logf("%v\n%s", err, out) // the order counts
			}
			compareFile(t, trace)
		})
	}
}

// compareFile compares as many records as a vector for each goroutine and object allows.
func compareFile(t *testing.T, name string) {
	r, err := ring.OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := compare(t)
	for c.records < 200_000 && len(c.clocks.now) < 3000 {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		c.add(rec)
	}
	c.finish()
}
