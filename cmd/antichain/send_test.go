package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// askedBroker returns the topic of a broker that tells when it is first asked to take records. It
// takes none of them before hold is closed; nil is no delay.
func askedBroker(t *testing.T, hold <-chan struct{}) (topic string, asked <-chan struct{}) {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "traces"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	first := make(chan struct{})
	tell := sync.OnceFunc(func() { close(first) })
	c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		tell()
		if hold != nil {
			c.SleepControl(func() { <-hold })
		}
		return nil, nil, false
	})
	return "kafka://" + c.ListenAddrs()[0] + "/traces", first
}

// interrupted runs antichain send until the broker is asked, and then interrupts it.
func interrupted(t *testing.T, asked <-chan struct{}, stdin io.Reader, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.Command("antichain", append([]string{"send"}, args...)...)
	var out, errs strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var status *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &status) || status.ExitCode() != exit.Error {
		t.Errorf("ended with %v", err)
	}
	return out.String(), errs.String()
}

const oneEvent = "{\"antichain\":1,\"tasks\":[\"main\"]}\n{\"t\":\"main\"}\n"

// An interrupt ends the sending to brokers that take nothing, and what they did not take is
// counted.
func TestInterruptOfSend(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	defer close(over)
	topic, asked := askedBroker(t, over)
	trace := filepath.Join(t.TempDir(), "trace.jsonl")
	if err := os.WriteFile(trace, []byte(oneEvent), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr := interrupted(t, asked, nil, "--text", "--run-id", "r", "--json", trace, topic)
	if !strings.Contains(stdout, `"records":0,"events":0,"bytes":0,"complete":false}`) {
		t.Errorf("printed %q", stdout)
	}
	for _, want := range []string{"antichain: run r: 1 event in ", " not delivered, from record 1 of source " + trace + " on: interrupted\n", "antichain: interrupted\n"} {
		if strings.Count(stderr, want) != 1 {
			t.Errorf("said %q, want %q", stderr, want)
		}
	}
}

// What was read before an interrupt is delivered, and the run is cut off there.
func TestInterruptOfSendingInput(t *testing.T) {
	t.Parallel()
	topic, asked := askedBroker(t, nil)
	stdin, more, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	defer more.Close()
	if _, err := io.WriteString(more, oneEvent); err != nil {
		t.Fatal(err)
	}
	stdout, stderr := interrupted(t, asked, stdin, "--text", "--run-id", "r", "-", topic)
	if !strings.Contains(stdout, ": 0 runs, 1 event in 2 records, ") {
		t.Errorf("printed %q", stdout)
	}
	if !strings.Contains(stderr, "interrupted") {
		t.Errorf("said %q", stderr)
	}
}
