//go:build unix

package main

import (
	"fmt"
	"iter"
	"math/rand/v2"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// streamProperty is what is checked: the token keeps tasks from being in critical at once.
const streamProperty = "not (t1:(in.critical) and t2:(in.critical)) if t1 != t2"

// runCalls is how many calls a run has where nothing else is said.
const runCalls = 150

// form says how traces are cut into records.
type form struct {
	events int // of a record
	text   bool
}

func (f form) name() string {
	if f.text {
		return "text"
	}
	return "block"
}

var forms = []form{{1, true}, {1, false}, {100, true}, {100, false}}

// relay is a run of four tasks that hand a token around, and call a function while they have it. A
// call is three events: a task is in the function until what it does behind it.
type relay struct {
	calls  int
	seed   uint64 // of who gets the token
	broken bool   // the last call does not wait for it
}

// callEvents is how many events a call has.
const callEvents = 3

var relayTasks = []string{"a", "b", "c", "d"}

// events returns the events of the run.
func (c relay) events() (all []*event.Event) {
	random := rand.New(rand.NewPCG(c.seed, 0))
	done := map[string]int{} // events of each task
	holder, handed := 0, event.Ref{}
	for call := range c.calls {
		holder = (holder + 1 + random.IntN(len(relayTasks)-1)) % len(relayTasks)
		task := relayTasks[holder]
		enter := &event.Event{Task: task, Enter: "critical", At: "main.go:7"}
		if call > 0 && !(c.broken && call == c.calls-1) {
			enter.After = []event.Ref{handed}
		}
		all = append(all, enter, &event.Event{Task: task, Exit: "critical", At: "main.go:9"}, &event.Event{Task: task, At: "main.go:10"})
		done[task] += callEvents
		handed = event.Ref{Task: task, K: done[task]}
	}
	return all
}

// breaks returns which event does not wait for the token.
func (c relay) breaks() int { return callEvents * (c.calls - 1) }

// records returns the run as records without its name: runs differ in nothing else.
func (c relay) records(f form) (records []*record.Record, err error) {
	w, err := record.NewWriter("run", "s", &event.Header{Tasks: relayTasks}, record.Options{Events: f.events, Text: f.text}, func(r *record.Record) error {
		records = append(records, r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, e := range c.events() {
		if err := w.Write(e); err != nil {
			return nil, err
		}
	}
	return records, w.End(record.EndRun)
}

// with returns which of the records has an event.
func with(records []*record.Record, event int) int {
	for i, r := range records {
		if event -= r.Events; event < 0 {
			return i
		}
	}
	return -1
}

// traffic is a stream of runs, so many at a time. They do not begin together, so that there are
// always some that end.
type traffic struct {
	holds, broken []*record.Record // of the two kinds of runs
	breaks        int              // which of the latter show a violation
	slots         int              // runs at a time
	each          int              // runs in a slot, one behind the other; 0 is without end
	wrong         int              // one of so many runs is broken; 0 is none
	length        int              // events of a run
}

// newTraffic returns endless runs of that many calls.
func newTraffic(f form, calls int) (*traffic, error) {
	broken := relay{calls: calls, broken: true}
	t := &traffic{slots: 8 * streamPartitions, length: callEvents * calls}
	var err error
	if t.holds, err = (relay{calls: calls}).records(f); err != nil {
		return nil, err
	}
	if t.broken, err = broken.records(f); err != nil {
		return nil, err
	}
	t.breaks = with(t.broken, broken.breaks())
	return t, nil
}

// message is a record of the stream.
type message struct {
	run       string
	partition int32
	first     bool // of its run
	breaks    bool // it shows a violation
	record    *record.Record
}

// toKafka returns what is sent.
func (m *message) toKafka() *kgo.Record {
	r := &kgo.Record{Key: []byte(m.run), Value: m.record.Value, Partition: m.partition}
	for _, h := range m.record.Headers() {
		r.Headers = append(r.Headers, kgo.RecordHeader{Key: h.Key, Value: h.Value})
	}
	return r
}

// all are the records, in the order in which they are sent.
func (t *traffic) all() iter.Seq[*message] {
	return func(yield func(*message) bool) {
		n := len(t.holds)
		for tick, going := 0, true; going; tick++ {
			going = false
			for slot := range t.slots {
				at := tick - slot*n/t.slots
				if t.each > 0 && at >= n*t.each {
					continue
				}
				going = true
				if at >= 0 && !yield(t.message(slot, at/n, at%n)) {
					return
				}
			}
		}
	}
}

func (t *traffic) message(slot, run, i int) *message {
	m := &message{run: fmt.Sprintf("run-%d-%d", slot, run), partition: int32(slot % streamPartitions), first: i == 0, record: t.holds[i]}
	if t.wrong > 0 && (slot+run)%t.wrong == 0 {
		m.record, m.breaks = t.broken[i], i == t.breaks
	}
	return m
}

// events returns how many events there are in all runs, and runs how many runs.
func (t *traffic) events() int { return t.runs() * t.length }
func (t *traffic) runs() int   { return t.slots * t.each }

// partitionOf returns where the records of a run are.
func partitionOf(run string) (int32, error) {
	var slot, number int
	if _, err := fmt.Sscanf(run, "run-%d-%d", &slot, &number); err != nil {
		return 0, fmt.Errorf("run %q is none of ours", run)
	}
	return int32(slot % streamPartitions), nil
}
