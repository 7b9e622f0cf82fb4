package kafkaservice

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/logging"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// feed is a topic of a fake broker that a test writes, all to one partition.
type feed struct {
	t       *testing.T
	cluster *kfake.Cluster
	client  *kgo.Client
}

func newFeed(t *testing.T) *feed {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, "runs", "verdicts", "dead"),
		kfake.GroupMinSessionTimeout(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	client, err := kgo.NewClient(
		kgo.SeedBrokers(c.ListenAddrs()...), kgo.DefaultProduceTopic("runs"),
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ConsumeTopics("verdicts", "dead"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &feed{t, c, client}
}

// head is a header of a run, for the first of its records.
const head = `{"antichain":1,"tasks":["main"]}` + "\n"

// send sends the next record of a run.
func (s *feed) send(run string, seq uint64, value string, end record.End) {
	s.t.Helper()
	rec := record.Record{Run: run, Source: "s", Seq: seq, End: end}
	r := &kgo.Record{Key: []byte(run), Value: []byte(value)}
	for _, h := range rec.Headers() {
		r.Headers = append(r.Headers, kgo.RecordHeader{Key: h.Key, Value: h.Value})
	}
	if err := s.client.ProduceSync(s.t.Context(), r).FirstErr(); err != nil {
		s.t.Fatal(err)
	}
}

// sendRuns sends three runs: one that violates t:(not in.f), one for which it holds, and a broken
// one.
func (s *feed) sendRuns() {
	s.t.Helper()
	s.send("bad", 1, head+`{"t":"main","enter":"f"}`+"\n", 0)
	s.send("bad", 2, "", record.EndRun)
	s.send("good", 1, head+`{"t":"main","enter":"g"}`+"\n", 0)
	s.send("good", 1, head+`{"t":"main","enter":"g"}`+"\n", 0)
	s.send("good", 2, "", record.EndRun)
	s.send("broken", 1, "garbage", 0)
	s.send("broken", 2, "", record.EndRun)
}

// config is that of a service of its own.
func (s *feed) config() Config {
	return Config{
		Address: kafka.Address{Brokers: s.cluster.ListenAddrs(), Topic: "runs"},
		Late:    time.Minute, Idle: time.Minute, RunMemory: 1 << 20, Grace: 200 * time.Millisecond, Log: zerolog.Nop(),
	}
}

// newMonitorOf returns a monitor of t:(not in.f) that prints to a writer.
func newMonitorOf(t *testing.T, stdout io.Writer) *monitor.Monitor {
	t.Helper()
	property, err := spec.ParseFormula("t:(not in.f)")
	if err != nil {
		t.Fatal(err)
	}
	property.Name = "p"
	return &monitor.Monitor{Checking: t.Context(), Checker: check.Checker{Stdout: stdout,
		Properties: []*spec.Property{property}}}
}

// Verdicts are printed as they come, as text or as JSON, and the outcomes are those of all runs.
func TestVerdictsPrinted(t *testing.T) {
	s := newFeed(t)
	s.sendRuns()
	for _, asJSON := range []bool{false, true} {
		c := s.config()
		c.UntilEOF = true
		var out strings.Builder
		m := newMonitorOf(t, &out)
		m.JSON = asJSON
		if err := Run(t.Context(), m, c); err != nil {
			t.Fatal(err)
		}
		want := []string{"bad: p: violated\n", "good: p: holds\n", "broken: error: "}
		if asJSON {
			want = []string{`"run":"bad","event":["main",1]`, `"verdict":"violated"`, `"run":"good"`,
				`"verdict":"holds"`, `"run":"broken"`, `"verdict":"error"`}
		}
		for _, text := range want {
			if strings.Count(out.String(), text) != 1 {
				t.Errorf("printed\n%s\nwant %q once", out.String(), text)
			}
		}
		if !m.Violated || !m.Failed || m.Unknown {
			t.Errorf("outcomes %+v", m.Outcomes)
		}
	}
}

// Verdicts and dead letters go to topics, if there are such, and nothing is printed then.
func TestVerdictsSent(t *testing.T) {
	s := newFeed(t)
	s.sendRuns()
	c := s.config()
	c.UntilEOF, c.Verdicts, c.DeadLetters = true, "verdicts", "dead"
	var out strings.Builder
	if err := Run(t.Context(), newMonitorOf(t, &out), c); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 0 {
		t.Errorf("printed %q", out.String())
	}
	got, want := map[string]string{}, map[string]string{"bad": "violated", "good": "holds", "broken": "error",
		"dead broken": "garbage"}
	for len(got) < len(want) && t.Context().Err() == nil {
		for r := range s.client.PollFetches(t.Context()).RecordsAll() {
			if r.Topic == "dead" {
				got["dead "+string(r.Key)] = string(r.Value)
				continue
			}
			var v struct{ ID, Run, Verdict string }
			if err := json.Unmarshal(r.Value, &v); err != nil || string(r.Key) != v.ID {
				t.Errorf("%s: %s: %v", r.Key, r.Value, err)
			}
			got[v.Run] = v.Verdict
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v were sent, want %v", got, want)
	}
}

// awaitLine returns the first line that contains a text, and reads on.
func awaitLine(t *testing.T, r io.Reader, text string) string {
	t.Helper()
	for s := bufio.NewScanner(r); s.Scan(); {
		if line := s.Text(); strings.Contains(line, text) {
			go func() {
				for s.Scan() {
				}
			}()
			return line
		}
	}
	t.Fatalf("%q was not logged", text)
	return ""
}

// get asks a service something.
func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// scrape returns all samples, those of partitions as sums: a name, with labels that are no
// partition, and a value.
func scrape(t *testing.T, url string) map[string]float64 {
	t.Helper()
	_, body := get(t, url)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	samples := map[string]float64{}
	for name, f := range families {
		for _, m := range f.Metric {
			key := name
			for _, l := range m.Label {
				if l.GetName() != "partition" {
					key += " " + l.GetName() + "=" + l.GetValue()
				}
			}
			samples[key] += m.GetCounter().GetValue() + m.GetGauge().GetValue() +
				float64(m.GetHistogram().GetSampleCount())
		}
	}
	return samples
}

// Metrics count the records read and the verdicts, for a reader and for a member of a group.
func TestMetrics(t *testing.T) {
	for _, name := range []string{"alone", "member"} {
		t.Run(name, func(t *testing.T) {
			s := newFeed(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			read, written := io.Pipe()
			log, err := logging.New(written, "info")
			if err != nil {
				t.Fatal(err)
			}
			c := s.config()
			c.Log, c.Metrics = log, "127.0.0.1:0"
			if name == "member" {
				c.Group, c.Session, c.SnapshotEvery = "g", 3*time.Second, 50*time.Millisecond
			}
			m := newMonitorOf(t, io.Discard)
			done := make(chan error, 1)
			go func() {
				done <- Run(ctx, m, c)
				written.Close()
			}()
			var serving struct{ URL string }
			if err := json.Unmarshal([]byte(awaitLine(t, read, "serving metrics")), &serving); err != nil {
				t.Fatal(err)
			}
			s.sendRuns()
			s.send("live", 1, head+`{"t":"main","enter":"g"}`+"\n", 0)

			want := map[string]float64{
				"antichain_records_total": 8, "antichain_events_total": 3, "antichain_records_repeated_total": 1,
				"antichain_records_ignored_total": 1, "antichain_records_rejected_total": 1,
				"antichain_runs_live": 1, "antichain_runs_ended_total": 2, "antichain_runs_failed_total": 1,
				"antichain_verdicts_total property=p verdict=violated": 1,
				"antichain_verdicts_total property=p verdict=holds":    1,
				"antichain_verdicts_total property=p verdict=unknown":  0,
				"antichain_verdicts_total property= verdict=error":     1,
				"antichain_verdict_delay_seconds":                      3,
				"antichain_partition_next_offset":                      8,
				"antichain_partition_lag_records":                      0,
				"antichain_brokers_reachable":                          1,
			}
			if name == "member" {
				want["antichain_rebalances_total"] = 1
				want["antichain_group_generation"] = 1
				want["antichain_partition_checkpoint_age_seconds"] = 0
			}
			got := map[string]float64{}
			for t.Context().Err() == nil {
				all := scrape(t, serving.URL)
				for key := range want {
					got[key] = all[key]
				}
				if all["antichain_partition_snapshot_bytes"] > 0 == (name == "member") && maps.Equal(got, want) {
					for _, key := range []string{"antichain_runs_memory_bytes", "antichain_largest_run_memory_bytes",
						"go_goroutines"} {
						if all[key] <= 0 {
							t.Errorf("%s is %v", key, all[key])
						}
					}
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			base := strings.TrimSuffix(serving.URL, "/metrics")
			for path, text := range map[string]string{"/healthz": "works", "/readyz": "partitions"} {
				if status, body := get(t, base+path); status != http.StatusOK || !strings.Contains(body, text) {
					t.Errorf("%s: %d %s", path, status, body)
				}
			}
			s.cluster.Close()
			for t.Context().Err() == nil {
				if status, body := get(t, base+"/readyz"); status == http.StatusServiceUnavailable &&
					strings.Contains(body, "no broker answers") {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			if status, body := get(t, base+"/healthz"); status != http.StatusOK {
				t.Errorf("brokers are unavailable, which a restart does not mend: %d %s", status, body)
			}
			cancel(interrupt.Err)
			if err := <-done; err != nil || m.Code() != exit.Violated {
				t.Errorf("ended with %v, exit code %d", err, m.Code())
			}
		})
	}
}

// To be ended before anything has begun is no mistake.
func TestEndedBeforeBegin(t *testing.T) {
	ended := errors.New("ended")
	for name, c := range map[string]Config{"alone": {}, "member": {Group: "g"}, "verdicts": {Verdicts: "verdicts"}} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(ended)
		c.Address, c.Log = kafka.Address{Brokers: []string{"127.0.0.1:1"}, Topic: "runs"}, zerolog.Nop()
		if err := Run(ctx, &monitor.Monitor{Checker: check.Checker{Stdout: io.Discard, Stderr: io.Discard}},
			c); err != ended {
			t.Errorf("%s: %v", name, err)
		}
	}
}
