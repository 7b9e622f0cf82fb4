package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/findingset"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/ingest/std"
	"github.com/twmb/franz-go/pkg/kgo"
)

// lockLog returns a log of threads that lock and access variables, with a race or a deadlock now
// and then.
func lockLog(random *rand.Rand, lines int) string {
	var log strings.Builder
	owner, held := map[int]int{}, map[int][]int{}
	for n := range lines {
		thread, lock := 1+random.IntN(4), random.IntN(4)
		switch mine := held[thread]; {
		case random.IntN(3) == 0:
			fmt.Fprintf(&log, "t%d|%s(v%d)|%d\n", thread, []string{"r", "w"}[random.IntN(2)], random.IntN(8), n)
		case len(mine) < 2 && owner[lock] == 0:
			owner[lock], held[thread] = thread, append(mine, lock)
			fmt.Fprintf(&log, "t%d|acq(l%d)|%d\n", thread, lock, n)
		case len(mine) > 0:
			last := mine[len(mine)-1]
			owner[last], held[thread] = 0, mine[:len(mine)-1]
			fmt.Fprintf(&log, "t%d|rel(l%d)|%d\n", thread, last, n)
		}
	}
	return log.String()
}

// recordsOf returns the records of a run that has the events of a log.
func recordsOf(t *testing.T, run, log string) (all []*kgo.Record) {
	t.Helper()
	r := std.NewReader(strings.NewReader(log), run, std.Options{})
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	w, err := record.NewWriter(run, "s", h, record.Options{Text: true, Events: 5}, func(rec *record.Record) error {
		r := &kgo.Record{Key: []byte(run), Value: slices.Clone(rec.Value)}
		for _, h := range rec.Headers() {
			r.Headers = append(r.Headers, kgo.RecordHeader{Key: h.Key, Value: h.Value})
		}
		all = append(all, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for {
		var e event.Event
		if err := r.Next(&e); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(&e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(record.EndRun); err != nil {
		t.Fatal(err)
	}
	return all
}

// Monitors that are killed in the midst of runs report, with those that go on from their snapshots,
// what check finds, and each with one id.
func TestKilledWithBuiltins(t *testing.T) {
	t.Parallel()
	const runs = 12
	random := rand.New(rand.NewPCG(1, 2))
	s := newFeed(t)
	want := map[string]bool{}
	var queues [][]*kgo.Record
	add := func(name string) []*kgo.Record {
		log := lockLog(random, 80)
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
		_, out, _ := runVerb(t, "check", "--json", "--format", "std", "--builtin", "race,deadlock", path)
		for _, r := range parseReports(t, out) {
			if r.FindingObject != nil {
				want[name+" "+findingset.Key(&r.BuiltinObject)] = true
			}
		}
		return recordsOf(t, name, log)
	}
	for n := range runs {
		queues = append(queues, add(fmt.Sprint("run", n)))
	}
	ids := map[string]string{} // of reports
	take := func(line string) {
		for _, r := range parseReports(t, line) {
			if r.FindingObject == nil {
				continue
			}
			key := r.Run + " " + findingset.Key(&r.BuiltinObject)
			if !want[key] {
				t.Errorf("reported: %s", line)
			}
			if id, ok := ids[key]; ok && id != r.ID {
				t.Errorf("%s is reported as %s and as %s", key, id, r.ID)
			}
			ids[key] = r.ID
		}
	}
	flags := []string{"--builtin", "race,deadlock", "--snapshot-every", "50ms", "--session", "1s", "--keep-going"}
	for len(queues) > 0 {
		m := startMember(t, s, flags...)
		for range 60 {
			if len(queues) == 0 {
				break
			}
			i := random.IntN(len(queues))
			if err := s.client.ProduceSync(t.Context(), queues[i][0]).FirstErr(); err != nil {
				t.Fatal(err)
			}
			if queues[i] = queues[i][1:]; len(queues[i]) == 0 {
				queues = slices.Delete(queues, i, i+1)
			}
		}
		for n := 0; n < 3; n++ { // in the midst of what it says
			select {
			case line := <-m.stdout:
				take(line)
			case <-time.After(2 * time.Second):
			}
		}
		if err := m.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for line := range m.stdout {
			take(line)
		}
		m.exit(t)
	}
	told := len(want)
	more := add("more") // which the last one has to tell, so it has begun by then
	if len(want) == told {
		t.Fatal("nothing is to be found in the last run")
	}
	last := startMember(t, s, flags...)
	if err := s.client.ProduceSync(t.Context(), more...).FirstErr(); err != nil {
		t.Fatal(err)
	}
	for len(ids) < len(want) {
		select {
		case line := <-last.stdout:
			take(line)
		case <-time.After(2 * time.Minute): // since the last one
			t.Fatalf("%d of %d reports have come", len(ids), len(want))
		}
	}
	last.signal(t)
	for line := range last.stdout {
		take(line)
	}
	if status := last.exit(t); status == nil {
		t.Error("the last one ended as if nothing was violated")
	}
	t.Logf("%d reports of %d runs", len(want), runs)
	if len(want) < runs {
		t.Errorf("only %d findings", len(want))
	}
}
