package delivery

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// newTopic returns the topic of a fake broker, and a function that returns its first n records,
// sorted: their runs and numbers, how many sources there are, and what ends there.
func newTopic(t *testing.T) (kafka.Address, func(n int) []string) {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "traces"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	client, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...), kgo.ConsumeTopics("traces"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return kafka.Address{Brokers: c.ListenAddrs(), Topic: "traces"}, func(n int) (all []string) {
		for len(all) < n && t.Context().Err() == nil {
			for message := range client.PollFetches(t.Context()).RecordsAll() {
				r := &record.Record{Run: string(message.Key)}
				var headers []record.Header
				for _, h := range message.Headers {
					headers = append(headers, record.Header{Key: h.Key, Value: h.Value})
				}
				if err := r.SetHeaders(headers); err != nil {
					t.Fatal(err)
				}
				text := fmt.Sprintf("%s %d", r.Run, r.Seq)
				if r.Sources > 0 {
					text += fmt.Sprintf(" of %d", r.Sources)
				}
				if r.End != 0 {
					text += " ends " + r.End.String()
				}
				all = append(all, text)
			}
		}
		slices.Sort(all)
		return all
	}
}

const (
	unnamedTrace = "{\"antichain\":1,\"tasks\":[\"main\"]}\n{\"t\":\"main\"}\n"
	namedTrace   = "{\"antichain\":1,\"run\":\"named\",\"tasks\":[\"main\"]}\n{\"t\":\"main\"}\n"
	brokenTrace  = "{\"antichain\":1,\"run\":\"broken\",\"tasks\":[\"main\"]}\n{\"t\":\"main\"}\nno event\n"
)

// sent sends traces, and returns what that prints.
func sent(t *testing.T, c SendConfig, stdin string) (stdout, stderr string, err error) {
	t.Helper()
	c.Input = &input.Flags{Formats: input.NewFormats()}
	c.Buffer = 1 << 20
	var out, said strings.Builder
	in, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := io.WriteString(w, stdin); err != nil {
		t.Fatal(err)
	}
	w.Close()
	err = Send(t.Context(), terminal.Streams{In: in, Out: &out, Err: &said}, c)
	return out.String(), said.String(), err
}

// write writes a trace into a file.
func write(t *testing.T, name, trace string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(trace), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The id of a run is that of its header, else the name of its file; --run-id makes the files
// sources of one run.
func TestSend(t *testing.T) {
	unnamed, named := write(t, "unnamed", unnamedTrace), write(t, "named", namedTrace)
	for _, test := range []struct {
		traces  []string
		runID   string
		runs    int
		records []string
	}{
		{[]string{unnamed, named}, "", 2, []string{
			unnamed + " 1 of 1", unnamed + " 2", unnamed + " 3 ends run", "named 1", "named 2", "named 3 ends source",
		}},
		{[]string{unnamed, named}, "r", 1, []string{"r 1 of 2", "r 1 of 2", "r 2", "r 2", "r 3 ends source", "r 3 ends source"}},
		{[]string{"-"}, "r", 1, []string{"r 1 of 1", "r 2", "r 3 ends run"}},
	} {
		to, records := newTopic(t)
		stdout, stderr, err := sent(t, SendConfig{Traces: test.traces, RunID: test.runID, To: to}, unnamedTrace)
		if err != nil || stderr != "" {
			t.Errorf("%q: %v, said %q", test.traces, err, stderr)
		}
		if want := fmt.Sprintf("%s: %d run", to, test.runs); !strings.HasPrefix(stdout, want) {
			t.Errorf("%q: printed %q, want %q", test.traces, stdout, want)
		}
		if got := records(len(test.records)); !slices.Equal(got, test.records) {
			t.Errorf("%q: sent %q, want %q", test.traces, got, test.records)
		}
	}
}

// What goes wrong with a trace is said, and the others are sent.
func TestSendMistakes(t *testing.T) {
	named := write(t, "named", namedTrace)
	for _, test := range []struct {
		trace, stdin, says, prints string
	}{
		{"-", unnamedTrace, "the trace on standard input does not name its run: give it --run-id", `{"runs":1,"records":3,"events":1,`},
		{named, "", ": run named has been sent already: name each trace once", `{"runs":1,"records":3,"events":1,`},
		{"missing", "", "open missing: ", `{"runs":1,"records":3,"events":1,`},
		{"-", brokenTrace, "standard input:3:1: ", `{"runs":1,"records":6,"events":2,`},
	} {
		to, _ := newTopic(t)
		stdout, stderr, err := sent(t, SendConfig{Traces: []string{named, test.trace}, To: to, JSON: true}, test.stdin)
		var code exit.Code
		if !errors.As(err, &code) || code != exit.Error {
			t.Errorf("%q: ended with %v", test.says, err)
		}
		if strings.Count(stderr, "antichain: ") != 1 || !strings.Contains(stderr, test.says) {
			t.Errorf("%q: said %q", test.says, stderr)
		}
		if !strings.HasPrefix(stdout, test.prints) || !strings.HasSuffix(stdout, `"complete":false}`+"\n") {
			t.Errorf("%q: printed %q, want %q", test.says, stdout, test.prints)
		}
	}
}

// The end of a program says whether its trace is whole.
func TestKafkaSink(t *testing.T) {
	for _, test := range []struct {
		ended launch.Result
		want  []string
	}{
		{launch.Result{Complete: true}, []string{"r 1 of 1", "r 2", "r 3 ends run"}},
		{launch.Result{Complete: true, Signal: syscall.SIGTERM}, []string{"r 1 of 1", "r 2", "r 3 ends cut,run"}},
		{launch.Result{}, []string{"r 1 of 1", "r 2", "r 3 ends cut,run"}},
		{launch.Result{Complete: true, Missing: 1}, []string{"r 1 of 1", "r 2", "r 4 ends cut,run"}},
	} {
		to, records := newTopic(t)
		var out, warnings strings.Builder
		s, err := OpenKafkaSink(t.Context(), SinkConfig{To: to.String(), RunID: "r", Buffer: 1 << 20}, "program", &warnings, &out)
		if err != nil {
			t.Fatal(err)
		}
		if want := "antichain: run r goes to " + to.String() + "\n"; out.String() != want || s.RunID() != "r" {
			t.Errorf("printed %q, want %q", out.String(), want)
		}
		if err := s.Begin(&event.Header{Tasks: []string{"main"}}); err != nil {
			t.Fatal(err)
		}
		s.Add(&event.Event{Task: "main"})
		if err := s.Finish(&test.ended); err != nil || warnings.Len() > 0 {
			t.Errorf("ended with %v, warned of %q", err, warnings.String())
		}
		s.Stop()
		if got := records(len(test.want)); !slices.Equal(got, test.want) {
			t.Errorf("%+v: sent %q, want %q", test.ended, got, test.want)
		}
	}
}

// When the sending is stopped the program goes on, and what was not delivered is an error.
func TestKafkaSinkStopped(t *testing.T) {
	to, _ := newTopic(t)
	var warnings strings.Builder
	s, err := OpenKafkaSink(t.Context(), SinkConfig{To: to.String(), Buffer: 1 << 20}, "program", &warnings, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(s.RunID(), "program-") {
		t.Errorf("run %q", s.RunID())
	}
	if err := s.Begin(&event.Header{Tasks: []string{"main"}}); err != nil {
		t.Fatal(err)
	}
	s.Stop()
	s.Add(&event.Event{Task: "main"})
	if err := s.Finish(&launch.Result{Complete: true}); err == nil {
		t.Error("all was delivered")
	}
}

// Where nothing is sent there is no sink, and the environment of a program is that of this process.
func TestKafkaSinkToNowhere(t *testing.T) {
	s, err := OpenKafkaSink(t.Context(), SinkConfig{}, "program", io.Discard, io.Discard)
	if s != nil || err != nil {
		t.Errorf("%v, %v", s, err)
	}
	s.InterruptibleAfter(nil)
	if env := (SinkConfig{}).ProgramEnv(); env != nil {
		t.Errorf("environment %q", env)
	}
}

// A program whose trace is sent does not see the password of the brokers.
func TestProgramEnv(t *testing.T) {
	t.Setenv(kafka.PasswordVariable, "secret")
	t.Setenv(kafka.PasswordVariable+"_OF_OTHERS", "theirs")
	env := SinkConfig{To: "kafka://localhost/traces"}.ProgramEnv()
	vars := maps.Collect(func(yield func(string, string) bool) {
		for _, v := range env {
			if name, value, _ := strings.Cut(v, "="); !yield(name, value) {
				return
			}
		}
	})
	if _, there := vars[kafka.PasswordVariable]; there || vars[kafka.PasswordVariable+"_OF_OTHERS"] != "theirs" {
		t.Errorf("environment %q", env)
	}
}
