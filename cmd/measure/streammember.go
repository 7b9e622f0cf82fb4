//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// member is a process that reads some partitions of a topic.
type member struct {
	cmd  *exec.Cmd
	log  string // file with what it prints to the standard error
	died chan struct{}
}

// start starts a member. Its standard output goes to out, which is closed behind it; nil is
// nowhere.
func (s *streamBench) start(out *io.PipeWriter, words ...string) (*member, error) {
	m := &member{cmd: exec.Command(words[0], words[1:]...), died: make(chan struct{})}
	log, err := os.CreateTemp(s.dir, "log-")
	if err != nil {
		return nil, err
	}
	defer log.Close()
	m.log, m.cmd.Stderr = log.Name(), log
	if out != nil {
		m.cmd.Stdout = out
	}
	if err := m.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = m.cmd.Wait() // how it ended is in its log
		if out != nil {
			out.Close()
		}
		close(m.died)
	}()
	return m, nil
}

// monitor starts a monitor.
func (s *streamBench) monitor(of subject, more ...string) (*member, error) {
	return s.monitorBy(s.path("antichain"), of, more...)
}

// monitorBy starts a monitor of that antichain.
func (s *streamBench) monitorBy(antichain string, of subject, more ...string) (*member, error) {
	return s.start(nil, append([]string{antichain, "monitor", s.address(of),
		"--group", of.group, "--verdicts", of.verdicts}, more...)...)
}

// cpu returns the seconds of processor time that it has taken.
func (m *member) cpu() float64 {
	p, _ := readProcess(m.cmd.Process.Pid)
	return p.cpu
}

// end ends it: in order if it is willing to.
func (m *member) end() {
	_ = m.cmd.Process.Signal(os.Interrupt)
	select {
	case <-m.died:
	case <-time.After(20 * time.Second):
		m.kill()
	}
}

func (m *member) kill() {
	_ = m.cmd.Process.Kill()
	<-m.died
}

// partitions returns those that it was given last, as its log says.
func (m *member) partitions() (map[int32]bool, error) {
	text, err := os.ReadFile(m.log)
	if err != nil {
		return nil, err
	}
	var last []int32
	for line := range strings.Lines(string(text)) {
		var said struct {
			Message    string
			Partitions []int32
		}
		if json.Unmarshal([]byte(line), &said) == nil && (said.Message == "assigned" || said.Message == "joined the group") {
			last = said.Partitions
		}
	}
	if len(last) == 0 {
		return nil, fmt.Errorf("a monitor has no partitions: %s", text)
	}
	set := map[int32]bool{}
	for _, n := range last {
		set[n] = true
	}
	return set, nil
}

// said is what is known of a run: it is read to its end, or has a verdict.
type said struct {
	Run     string
	Verdict string
	at      time.Time
}

// party are the members of a group, and what they have to say.
type party struct {
	members []*member
	said    chan said
	stop    context.CancelFunc
}

// monitors starts monitors, and waits until they have shared the partitions.
func (s *streamBench) monitors(of subject, n int, flags ...string) (*party, error) {
	return s.monitorsBy(s.path("antichain"), of, n, flags...)
}

// monitorsBy does so with those of that antichain.
func (s *streamBench) monitorsBy(antichain string, of subject, n int, flags ...string) (*party, error) {
	ctx, stop := context.WithCancel(context.Background())
	p := &party{said: make(chan said, 1<<16), stop: stop}
	if err := s.listen(ctx, of.verdicts, p.said); err != nil {
		return p, err
	}
	return p, s.gather(p, of, n, func() (*member, error) { return s.monitorBy(antichain, of, flags...) })
}

// readers starts processes that only read.
func (s *streamBench) readers(of subject, n int) (*party, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &party{said: make(chan said, 1<<16), stop: func() {}}
	return p, s.gather(p, of, n, func() (*member, error) {
		out, in := io.Pipe()
		go p.read(out)
		return s.start(in, self, streamReader, s.brokers, of.topic, of.group)
	})
}

// read takes the runs that a reader prints.
func (p *party) read(out io.Reader) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		p.said <- said{Run: lines.Text(), Verdict: "holds", at: time.Now()}
	}
}

func (s *streamBench) gather(p *party, of subject, n int, start func() (*member, error)) error {
	for range n {
		m, err := start()
		if err != nil {
			return err
		}
		p.members = append(p.members, m)
	}
	if err := s.balanced(of.group, n); err != nil {
		return p.explain(err)
	}
	time.Sleep(time.Second) // snapshots are looked for, and the first fetches wait
	return nil
}

// listen tells what verdicts come.
func (s *streamBench) listen(ctx context.Context, topic string, to chan<- said) error {
	client, err := s.connection(kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		return err
	}
	go func() {
		defer client.Close()
		for ctx.Err() == nil {
			fetches := client.PollFetches(ctx)
			now := time.Now()
			for r := range fetches.RecordsAll() {
				v := said{at: now}
				if json.Unmarshal(r.Value, &v) != nil {
					v.Verdict = "unreadable: " + string(r.Value)
				}
				to <- v
			}
		}
	}()
	return nil
}

func (p *party) cpu() (seconds float64) {
	for _, m := range p.members {
		seconds += m.cpu()
	}
	return seconds
}

func (p *party) end() {
	for _, m := range p.members {
		m.end()
	}
	p.stop()
}

var (
	errDied    = errors.New("a member of the group has ended")
	errSilence = errors.New("nothing more is said")
)

// next returns what is said next, or errSilence at the deadline.
func (p *party) next(deadline <-chan time.Time) (said, error) {
	for _, m := range p.members {
		select {
		case <-m.died:
			return said{}, p.explain(errDied)
		default:
		}
	}
	select {
	case s := <-p.said:
		return s, nil
	case <-deadline:
		return said{}, p.explain(errSilence)
	}
}

// explain adds the logs to an error.
func (p *party) explain(err error) error {
	for _, m := range p.members {
		text, _ := os.ReadFile(m.log)
		err = fmt.Errorf("%w\n%s", err, text[max(0, len(text)-2000):])
	}
	return err
}

// all waits until something was said about so many runs, all of which hold, and returns when.
func (p *party) all(runs int) (time.Time, error) {
	deadline := time.After(patience)
	seen := make(map[string]bool, runs)
	for {
		s, err := p.next(deadline)
		switch {
		case err != nil:
			return time.Time{}, fmt.Errorf("%d of %d runs: %w", len(seen), runs, err)
		case s.Verdict != "holds":
			return time.Time{}, fmt.Errorf("run %s: %s: the check or the workload is wrong", s.Run, s.Verdict)
		}
		if seen[s.Run] = true; len(seen) == runs {
			return s.at, nil
		}
	}
}
