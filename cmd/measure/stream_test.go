//go:build unix

package main

import (
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
)

func TestPercentile(t *testing.T) {
	var hundred []float64
	for i := range 100 {
		hundred = append(hundred, float64(100-i))
	}
	for _, tt := range []struct {
		values []float64
		share  float64
		want   float64
	}{
		{nil, 0.5, 0},
		{[]float64{7}, 0.01, 7},
		{[]float64{7}, 0.99, 7},
		{[]float64{3, 1, 2}, 0.5, 2},
		{[]float64{4, 3, 2, 1}, 0.5, 2},
		{hundred, 0, 1},
		{hundred, 0.5, 50},
		{hundred, 0.99, 99},
		{hundred, 0.991, 100},
		{hundred, 1, 100},
	} {
		if got := percentile(tt.values, tt.share); got != tt.want {
			t.Errorf("percentile(%v, %v) = %v, not %v", tt.values, tt.share, got, tt.want)
		}
	}
	if hundred[0] != 100 {
		t.Error("the values have changed places")
	}
}

func TestAgainstCells(t *testing.T) {
	p := pair{other: loads{{rate: 1000, cpu: 1}, {rate: 2000, cpu: 3}, {rate: 900, cpu: 2}}, this: loads{{rate: 940, cpu: 2.1}}}
	for share, want := range map[float64][]string{
		0.95: {"1000", "940", "0.94", "2.00", "2.10", "1.05", "no", "yes"},
		0.9:  {"1000", "940", "0.94", "2.00", "2.10", "1.05", "yes", "yes"},
	} {
		if got := p.cells(share); !slices.Equal(got, want) {
			t.Errorf("%v: %q, not %q", share, got, want)
		}
	}
}

func TestRateCells(t *testing.T) {
	reader := loads{{rate: 1000, cpu: 1}, {rate: 1200, cpu: 3}, {rate: 900, cpu: 2}}
	alone := loads{{rate: 700, cpu: 4}}
	for _, tt := range []struct {
		monitors loads
		want     []string
	}{
		{loads{{rate: 600, cpu: 4.8}}, []string{"100", "block", "2", "1000", "600", "0.60", "2.00", "4.80", "1.20", "yes", "yes"}},
		{loads{{rate: 590, cpu: 5}}, []string{"100", "block", "2", "1000", "590", "0.59", "2.00", "5.00", "1.25", "no", "no"}},
	} {
		got := rateCells(form{events: 100}, 2, reader, tt.monitors, alone)
		if !slices.Equal(got, tt.want) || len(got) != len(rateHead) {
			t.Errorf("%q, not %q", got, tt.want)
		}
	}
	if l := (work{seconds: 2, cpu: 3}).per(500_000); l != (load{250_000, 6}) {
		t.Errorf("%v", l)
	}
}

// verdictKeeper counts verdicts, and has the one on each run.
type verdictKeeper struct {
	keeper
	verdicts map[string]string
}

func (c *verdictKeeper) Result(r *runs.Run, result *tlcheck.Result) {
	c.verdicts[r.ID()] = result.Verdict.String()
}

// All runs of the traffic come to their ends, each in one partition, and those are violated that
// should be, by the record that is said to show it.
func TestTraffic(t *testing.T) {
	for _, f := range forms {
		traffic, err := newTraffic(f, 14)
		if err != nil {
			t.Fatal(err)
		}
		traffic.each, traffic.wrong = 3, 4
		c, err := stateConfig()
		if err != nil {
			t.Fatal(err)
		}
		to := &verdictKeeper{verdicts: map[string]string{}}
		rs := runs.New(c, to)
		broken, partitions, first := map[string]bool{}, map[string]int32{}, map[string]bool{}
		for m := range traffic.all() {
			rec := *m.record
			rec.Run = m.run
			rs.Take(&rec, time.Time{})
			if m.breaks {
				broken[m.run] = true
			}
			if broken[m.run] != (to.verdicts[m.run] == "violated") {
				t.Fatalf("run %s: broken %v, verdict %q", m.run, broken[m.run], to.verdicts[m.run])
			}
			if m.first {
				partitions[m.run] = m.partition
			}
			if first[m.run] = true; partitions[m.run] != m.partition {
				t.Fatalf("run %s in partitions %d and %d", m.run, partitions[m.run], m.partition)
			}
			if n, err := partitionOf(m.run); n != m.partition || err != nil {
				t.Fatalf("run %s in partition %d: %d, %v", m.run, m.partition, n, err)
			}
		}
		if s := rs.Stats(); s.Live != 0 || s.Failed != 0 || s.Dropped != 0 || int(s.Events) != traffic.events() || len(to.verdicts) != traffic.runs() {
			t.Errorf("%+v, %d verdicts, of %d events and %d runs", s, len(to.verdicts), traffic.events(), traffic.runs())
		}
		if want := traffic.runs() / traffic.wrong; len(broken) != want || len(partitions) != traffic.runs() {
			t.Errorf("%d runs are broken, not %d; %d have begun", len(broken), want, len(partitions))
		}
		if all := slices.Sorted(maps.Values(partitions)); all[0] != 0 || all[len(all)-1] != streamPartitions-1 {
			t.Errorf("partitions %v", all)
		}
	}
	if _, err := partitionOf("other"); err == nil {
		t.Error("a run of others has a partition")
	}
}

// Endless traffic ends when nobody wants more.
func TestTrafficWithoutEnd(t *testing.T) {
	traffic, err := newTraffic(form{events: 10}, 14)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for m := range traffic.all() {
		if n++; m.run == "run-0-20" {
			break
		}
	}
	if n < 20*len(traffic.holds) {
		t.Errorf("%d records", n)
	}
}

// A snapshot has the runs that it is said to have.
func TestStateRows(t *testing.T) {
	cells, err := stateRow{runs: 3, calls: 50}.measure(1)
	if err != nil || len(cells) != len(stateHead) || !slices.Equal(cells[:3], []string{"3", "150", "450"}) {
		t.Fatalf("%q, %v", cells, err)
	}
}

func TestSpanMessages(t *testing.T) {
	traces := map[otlp.TraceID]int{}
	for i := range 3 {
		spans, err := otlp.Decode(otlp.Encode(spansOf(i)), false)
		if err != nil || len(spans) != messageSpans {
			t.Fatalf("%d spans, %v", len(spans), err)
		}
		for _, s := range spans {
			traces[s.Trace]++
		}
	}
	for id, n := range traces {
		if n != traceSpans {
			t.Errorf("trace %v has %d spans", id, n)
		}
	}
	if len(traces) != 3*messageTraces {
		t.Errorf("%d traces", len(traces))
	}
}

func TestBalanced(t *testing.T) {
	for _, g := range []kadm.DescribedGroup{{State: "PreparingRebalance"}, {State: "Stable"}, {State: "Stable", Members: make([]kadm.DescribedGroupMember, 2)}} {
		if isBalanced(g, 2) {
			t.Errorf("%+v", g)
		}
	}
}

// The partitions of a monitor are those that its log names last.
func TestPartitionsOfMember(t *testing.T) {
	s := &streamBench{bench: &bench{dir: t.TempDir()}}
	m, err := s.start(nil, "sh", "-c", `
		echo '{"message":"joined the group","partitions":[0,1,2]}' >&2
		echo '{"message":"revoked","partitions":[0,1,2]}' >&2
		echo '{"message":"assigned","partitions":[2,5]}' >&2
		echo '{"message":"snapshot loaded","partition":3}' >&2`)
	if err != nil {
		t.Fatal(err)
	}
	<-m.died
	got, err := m.partitions()
	if err != nil || !maps.Equal(got, map[int32]bool{2: true, 5: true}) {
		t.Errorf("%v, %v", got, err)
	}
}

// speak returns a party without members that has said this.
func speak(all ...said) *party {
	p := &party{said: make(chan said, len(all))}
	for _, s := range all {
		p.said <- s
	}
	return p
}

// What is said twice counts once, and everything has to hold.
func TestAll(t *testing.T) {
	last := time.Unix(3, 0)
	p := speak(said{"a", "holds", time.Unix(1, 0)}, said{"a", "holds", time.Unix(2, 0)}, said{"b", "holds", last}, said{Run: "c", Verdict: "holds"})
	if at, err := p.all(2); err != nil || !at.Equal(last) {
		t.Errorf("%v, %v", at, err)
	}
	if _, err := speak(said{Run: "a", Verdict: "holds"}, said{Run: "b", Verdict: "violated"}).all(2); err == nil || !strings.Contains(err.Error(), "run b: violated") {
		t.Errorf("%v", err)
	}
}

// A takeover is over when something is said of runs of all lost partitions that began behind the
// kill.
func TestTakeover(t *testing.T) {
	s := &streamBench{bench: &bench{dir: t.TempDir()}}
	m, err := s.start(nil, "sh", "-c", `echo '{"message":"assigned","partitions":[2,5]}' >&2`)
	if err != nil {
		t.Fatal(err)
	}
	<-m.died
	before, behind := time.Unix(0, 0), time.Now().Add(24*time.Hour)
	sender := &sender{begun: map[string]time.Time{"run-2-0": before, "run-2-1": behind, "run-3-1": behind, "run-5-1": behind, "run-14-1": behind}}
	at := func(hours int, run string) said {
		return said{run, "holds", behind.Add(time.Duration(hours) * time.Hour)}
	}
	p := speak(at(0, "run-3-1"), at(1, "run-2-0"), at(2, "run-2-1"), at(3, "run-14-1"), at(4, "run-5-1"), at(5, "run-5-1"))
	p.members = []*member{m}
	first, all, err := p.takeover(sender)
	if err != nil || math.Round((all-first)/3_600_000) != 2 || first <= 0 {
		t.Errorf("%v, %v, %v", first, all, err)
	}
	if len(p.members) != 0 || len(p.said) != 1 {
		t.Errorf("%d members, and %d more to say", len(p.members), len(p.said))
	}
}

// The fake Kafka says where it is, and ends with its input.
func TestBroker(t *testing.T) {
	in, end := io.Pipe()
	out, address := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- runBroker(in, address) }()
	b := make([]byte, 100)
	if n, err := out.Read(b); n < len("127.0.0.1:1") || err != nil {
		t.Errorf("%q, %v", b[:n], err)
	}
	end.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
