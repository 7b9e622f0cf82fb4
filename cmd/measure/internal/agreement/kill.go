//go:build unix

package agreement

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/internal/findingset"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// Up to so many members of a group are killed, each after so many records at least.
const (
	kills   = 8
	between = 10
)

// amidKills sends the records of all runs to a topic, mixed, while one member of a group after the
// other is killed; the last one goes on until all was said. What those have said that were killed
// counts, too.
func (c *comparison) amidKills(ctx context.Context, k *cluster, g *group, runs []*run) error {
	if len(runs) == 0 {
		return nil
	}
	topic, err := c.topic(ctx, k)
	if err != nil {
		return err
	}
	defer k.forget(topic)
	records, err := mixed(runs, rand.New(rand.NewPCG(uint64(len(runs)), kills)))
	if err != nil {
		return err
	}
	args := slices.Concat(checkAll, g.flags, []string{"--keep-going", "--group", topic, "--session", "1s", "--snapshot-every", "50ms", k.address(topic)})
	said := &transcript{runs: runs, way: k.name + killed}
	for part := range slices.Chunk(records, max(len(records)/kills+1, between)) {
		m, err := c.member(ctx, g, args)
		if err != nil {
			return err
		}
		for _, r := range part {
			r.Topic = topic
		}
		sent := k.client.ProduceSync(ctx, part...).FirstErr()
		heard := m.hear(said, 3*time.Second, func(lines int) bool { return lines == 5 }) // in the midst of what it says
		if err := errors.Join(sent, heard, m.end(os.Kill, said)); err != nil {
			return err
		}
	}
	last, err := c.member(ctx, g, args)
	if err != nil {
		return err
	}
	heard := last.hear(said, time.Minute, func(int) bool { return said.isComplete() })
	return errors.Join(heard, last.end(os.Interrupt, said))
}

// transcript is what the members of a group say of runs.
type transcript struct {
	runs []*run
	way  string
}

func (t *transcript) add(text string) error {
	said, err := findingset.Parse([]byte(text))
	note(t.runs, t.way, said)
	return err
}

// isComplete reports whether all was said that was found in the runs.
func (t *transcript) isComplete() bool {
	for _, r := range t.runs {
		differ := differences(findingset.Set(r.found), findingset.Set(r.by[t.way]))
		if slices.ContainsFunc(differ, func(d string) bool { return strings.HasPrefix(d, "-") }) {
			return false
		}
	}
	return true
}

// member is a monitor that belongs to a group.
type member struct {
	cmd   *exec.Cmd
	lines chan string // that it says
}

func (c *comparison) member(ctx context.Context, g *group, args []string) (*member, error) {
	m := &member{c.verb(ctx, g, "monitor", args...), make(chan string, 1<<16)}
	stdout, err := m.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := m.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(m.lines)
		for r := bufio.NewReader(stdout); ; {
			text, err := r.ReadString('\n')
			if err != nil {
				return // the last line has no end if it was killed
			}
			m.lines <- text
		}
	}()
	return m, nil
}

// hear takes down what a member says until that is enough, or nothing is said for some time.
func (m *member) hear(to *transcript, patience time.Duration, enough func(lines int) bool) error {
	for n := 1; ; n++ {
		select {
		case text, ok := <-m.lines:
			if !ok {
				return errors.New("a monitor has ended by itself")
			}
			if err := to.add(text); err != nil {
				return err
			}
			if enough(n) {
				return nil
			}
		case <-time.After(patience):
			return nil
		}
	}
}

// end ends a member by a signal, and takes down the rest.
func (m *member) end(by os.Signal, to *transcript) error {
	if err := m.cmd.Process.Signal(by); err != nil {
		return err
	}
	var failed error
	for text := range m.lines {
		failed = errors.Join(failed, to.add(text))
	}
	if exit := (*exec.ExitError)(nil); !errors.As(m.cmd.Wait(), &exit) && by == os.Kill {
		return errors.Join(failed, errors.New("a monitor has ended before it was killed"))
	}
	return failed
}

// mixed returns the records of all runs in one order, in which those of each run keep theirs.
func mixed(runs []*run, random *rand.Rand) ([]*kgo.Record, error) {
	var queues [][]*kgo.Record
	for _, r := range runs {
		records, err := recordsOf(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.id, err)
		}
		queues = append(queues, records)
	}
	var all []*kgo.Record
	for len(queues) > 0 {
		i := random.IntN(len(queues))
		all = append(all, queues[i][0])
		if queues[i] = queues[i][1:]; len(queues[i]) == 0 {
			queues = slices.Delete(queues, i, i+1)
		}
	}
	return all, nil
}

// recordsOf returns the records of a run that has the events of its trace.
func recordsOf(r *run) (all []*kgo.Record, err error) {
	file, err := os.Open(r.trace)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	trace, err := event.Open(file, r.trace)
	if err != nil {
		return nil, err
	}
	h, err := trace.Header()
	if err != nil {
		return nil, err
	}
	w, err := record.NewWriter(r.id, "only", h, record.Options{Events: 20}, func(rec *record.Record) error {
		m := &kgo.Record{Key: []byte(rec.Run), Value: slices.Clone(rec.Value)}
		for _, h := range rec.Headers() {
			m.Headers = append(m.Headers, kgo.RecordHeader{Key: h.Key, Value: h.Value})
		}
		all = append(all, m)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for e := new(event.Event); ; {
		if err := trace.Next(e); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if err := w.Write(e); err != nil {
			return nil, err
		}
	}
	return all, w.End(record.EndRun)
}
