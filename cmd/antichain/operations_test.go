package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
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
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, "runs"), kfake.GroupMinSessionTimeout(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	client, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...), kgo.DefaultProduceTopic("runs"), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &feed{t, c, client}
}

func (s *feed) address() string { return "kafka://" + s.cluster.ListenAddrs()[0] + "/runs" }

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

// lines hands on what is written, line by line.
func lines(r io.Reader) <-chan string {
	c := make(chan string, 1000)
	go func() {
		defer close(c)
		for s := bufio.NewScanner(r); s.Scan(); {
			c <- s.Text()
		}
	}()
	return c
}

// awaited returns the first line that contains a text.
func awaited(t *testing.T, c <-chan string, text string) string {
	t.Helper()
	for line := range c {
		if strings.Contains(line, text) {
			return line
		}
	}
	t.Fatalf("%q was not said", text)
	return ""
}

// get asks a monitor something.
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

// scrape returns all samples, those of partitions as sums: a name, with labels that are no partition, and a value.
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
			samples[key] += m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return samples
}

// Metrics say what was sent, for a reader and for a member of a group.
func TestMetrics(t *testing.T) {
	for name, flags := range map[string][]string{
		"alone":  nil,
		"member": {"--group", "g", "--session", "600ms", "--snapshot-every", "50ms"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newFeed(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			read, written := io.Pipe()
			log := lines(read)
			cmd := newMonitor(terminal.Streams{Out: io.Discard, Err: written})
			cmd.SilenceErrors, cmd.SilenceUsage = true, true
			cmd.SetArgs(append([]string{"-e", "t:(not in.f)", "--metrics", "127.0.0.1:0", "--grace", "200ms", s.address()}, flags...))
			done := make(chan error, 1)
			go func() {
				done <- cmd.ExecuteContext(ctx)
				written.Close()
			}()
			var serving struct{ URL string }
			if err := json.Unmarshal([]byte(awaited(t, log, "serving metrics")), &serving); err != nil {
				t.Fatal(err)
			}
			go func() {
				for range log { // nobody else reads
				}
			}()
			s.send("bad", 1, head+`{"t":"main","enter":"f"}`+"\n", 0)
			s.send("bad", 2, "", record.EndRun)
			s.send("good", 1, head+`{"t":"main","enter":"g"}`+"\n", 0)
			s.send("good", 1, head+`{"t":"main","enter":"g"}`+"\n", 0)
			s.send("good", 2, "", record.EndRun)
			s.send("broken", 1, "garbage", 0)
			s.send("broken", 2, "", record.EndRun)
			s.send("live", 1, head+`{"t":"main","enter":"g"}`+"\n", 0)

			want := map[string]float64{
				"antichain_records_total": 8, "antichain_events_total": 3, "antichain_records_repeated_total": 1,
				"antichain_records_ignored_total": 1, "antichain_records_rejected_total": 1,
				"antichain_runs_live": 1, "antichain_runs_ended_total": 2, "antichain_runs_failed_total": 1,
				"antichain_verdicts_total property=-e verdict=violated": 1,
				"antichain_verdicts_total property=-e verdict=holds":    1,
				"antichain_verdicts_total property=-e verdict=unknown":  0,
				"antichain_verdicts_total property= verdict=error":      1,
				"antichain_verdict_delay_seconds":                       3,
				"antichain_partition_next_offset":                       8,
				"antichain_partition_lag_records":                       0,
				"antichain_brokers_reachable":                           1,
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
					for _, key := range []string{"antichain_runs_memory_bytes", "antichain_largest_run_memory_bytes", "go_goroutines"} {
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
				if status, body := get(t, base+"/readyz"); status == http.StatusServiceUnavailable && strings.Contains(body, "no broker answers") {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			if status, body := get(t, base+"/healthz"); status != http.StatusOK {
				t.Errorf("brokers are away, which a restart does not mend: %d %s", status, body)
			}
			cancel(interrupt.Err)
			var code exit.Code
			if err := <-done; !errors.As(err, &code) || code != exit.Violated {
				t.Errorf("ended with %v", err)
			}
		})
	}
}

// member is a monitor of its own process.
type member struct {
	*exec.Cmd
	stdout, stderr <-chan string
}

func startMember(t *testing.T, s *feed, args ...string) *member {
	t.Helper()
	args = append([]string{"monitor", "--json", "--group", "g", "--session", "600ms", "--snapshot-every", "1h", s.address()}, args...)
	cmd := exec.Command(os.Args[0], args...)
	cmd.Args[0] = "antichain"
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return &member{cmd, lines(stdout), lines(stderr)}
}

func (m *member) signal(t *testing.T) {
	t.Helper()
	if err := m.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
}

// exit returns how the member has ended.
func (m *member) exit(t *testing.T) *exec.ExitError {
	t.Helper()
	for range m.stdout { // the pipes have to be read before
	}
	for range m.stderr {
	}
	var status *exec.ExitError
	if err := m.Wait(); err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	return status
}

// A member that is terminated saves, so that the next one goes on where it has stopped, in the midst of a run.
func TestTermination(t *testing.T) {
	s := newFeed(t)
	m := startMember(t, s, "-e", "not t:(x == 1 and y == 1)")
	s.send("marker", 1, head+`{"t":"main","set":{"x":1,"y":1}}`+"\n", 0)
	s.send("r", 1, head+`{"t":"main","set":{"x":1}}`+"\n", 0)
	s.send("last", 1, head+`{"t":"main","set":{"x":1,"y":1}}`+"\n", 0)
	awaited(t, m.stdout, `"run":"last"`)
	m.signal(t)
	if line := awaited(t, m.stderr, "shut down"); !strings.Contains(line, `"unsaved_records":0`) {
		t.Error(line)
	}
	if status := m.exit(t); status == nil || status.ExitCode() != exit.Violated {
		t.Errorf("ended with %v", status)
	}
	s.send("r", 2, `{"t":"main","set":{"y":1}}`+"\n", 0)
	next := startMember(t, s, "-e", "not t:(x == 1 and y == 1)")
	if line := <-next.stdout; !strings.Contains(line, `"run":"r"`) || !strings.Contains(line, `"verdict":"violated"`) {
		t.Error(line)
	}
	next.signal(t)
	next.exit(t)
}

// Brokers that are away do not keep a member that is terminated; nor does anything if it is terminated twice.
func TestTerminationWithoutBrokers(t *testing.T) {
	for _, grace := range []string{"100ms", "1h"} {
		s := newFeed(t)
		m := startMember(t, s, "--grace", grace, "-e", "not t:(x == 1)")
		s.send("r", 1, head+`{"t":"main","set":{"x":2}}`+"\n", 0)
		s.send("r", 2, "", record.EndRun)
		awaited(t, m.stdout, `"verdict":"holds"`)
		s.cluster.Close()
		m.signal(t)
		if grace == "1h" {
			awaited(t, m.stderr, "shutting down")
			m.signal(t)
			if status := m.exit(t); status == nil || status.ExitCode() >= 0 {
				t.Errorf("terminated twice, ended with %v", status)
			}
			continue
		}
		awaited(t, m.stderr, "not saved within 100ms: the last 2 records of partitions [0]")
		if status := m.exit(t); status == nil || status.ExitCode() != exit.Error {
			t.Errorf("ended with %v", status)
		}
	}
}

// fullDisk is where nothing can be written.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A verdict that could not be printed counts as not said: the member ends, and who goes on says it.
func TestFullDisk(t *testing.T) {
	for _, form := range [][]string{{}, {"--json"}} {
		for value, verdict := range map[string]string{"1": "violated", "2": "holds"} {
			s := newFeed(t)
			s.send("r", 1, head+`{"t":"main","set":{"x":`+value+`}}`+"\n", record.EndRun)
			var said strings.Builder
			args := append([]string{"monitor", "--group", "g", "--session", "600ms", "--snapshot-every", "50ms", "-e", "not t:(x == 1)", s.address()}, form...)
			mainerr(args, terminal.Streams{Out: fullDisk{}, Err: &said})
			if !strings.Contains(said.String(), "no space left on device") {
				t.Errorf("%v: said:\n%s", form, &said)
			}
			next := startMember(t, s, "-e", "not t:(x == 1)")
			awaited(t, next.stdout, `"verdict":"`+verdict+`"`)
			next.signal(t)
			next.exit(t)
		}
	}
}
