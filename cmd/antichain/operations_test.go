package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
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

// member is a monitor of its own process.
type member struct {
	*exec.Cmd
	stdout, stderr <-chan string
}

func startMember(t *testing.T, s *feed, args ...string) *member {
	t.Helper()
	args = append([]string{"monitor", "--json", "--group", "g", "--session", "3s", "--snapshot-every", "1h", s.address()}, args...)
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

// A member that is terminated saves, so that the next one goes on where it has stopped, in the
// midst of a run.
func TestTermination(t *testing.T) {
	t.Parallel()
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

// Brokers that are away do not keep a member that is terminated; nor does anything if it is
// terminated twice.
func TestTerminationWithoutBrokers(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
	for _, form := range [][]string{{}, {"--json"}} {
		for value, verdict := range map[string]string{"1": "violated", "2": "holds"} {
			s := newFeed(t)
			s.send("r", 1, head+`{"t":"main","set":{"x":`+value+`}}`+"\n", record.EndRun)
			var said strings.Builder
			args := append([]string{"monitor", "--group", "g", "--session", "3s", "--snapshot-every", "50ms", "-e", "not t:(x == 1)", s.address()}, form...)
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
