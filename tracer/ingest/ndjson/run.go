package ndjson

import (
	"cmp"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/tracer/event"
)

// Run reads one run of a log as a trace.
type Run struct {
	ID string // "" if the mapping names no runs

	mapping *Mapping
	name    string // of the log
	tasks   []task
	numbers map[string]int32   // of tasks
	records []record           // in the order of the log
	sent    map[string][]int32 // by key: the records that send it, one unless keys are repeated

	header *event.Header // nil before it was asked for

	order []int32 // of the records: causes first; nil before the header
	next  int     // in order
	err   error   // why there is no header

	unsent int // messages that are received and that no line sends

	replay   *replay // nil if the mapping has no operations
	replayed int     // records, in the order of the log
	broken   error   // the error of an impossible operation
}

type task struct {
	name    string
	records []int32
}

// record is a line.
type record struct {
	task, k, line   int32
	op, enter, exit string
	at              string
	set             []event.Binding
	receives        []string // keys
	clock           []entry  // nil if the line has none
	causes          []int32  // records, once the order is known
	operation       *operation
}

var _ event.Reader = (*Run)(nil)

func (r *Run) pos(rec *record) string { return fmt.Sprintf("%s:%d", r.name, rec.line) }

// place returns the position in the source, or else in the log.
func (r *Run) place(rec *record) string {
	if rec.at != "" {
		return rec.at
	}
	return r.pos(rec)
}

func (r *Run) fault(rec *record, reason, remedy string) error {
	return &event.Error{Pos: r.pos(rec), Reason: reason, Remedy: remedy}
}

// add adds a line of a task.
func (r *Run) add(name string, rec record, line event.Value) error {
	n, ok := r.numbers[name]
	if !ok {
		n = int32(len(r.tasks))
		r.numbers[name] = n
		r.tasks = append(r.tasks, task{name: name})
	}
	t := &r.tasks[n]
	number := int32(len(r.records))
	t.records = append(t.records, number)
	rec.task, rec.k = n, int32(len(t.records))
	sends, err := r.mapping.send.keys(line)
	if err == nil {
		rec.receives, err = r.mapping.receive.keys(line)
	}
	if err != nil {
		return r.fault(&rec, err.Error(), "")
	}
	for _, key := range sends {
		if before := r.sent[key]; len(before) > 0 && r.mapping.repeated == unrepeated {
			return r.fault(&rec, fmt.Sprintf("a second send of the key %.60q, which line %d sends", key,
				r.records[before[0]].line),
				`a key names one message: narrow "send" with "if" in the mapping, name more fields in a list, or say `+
					`what "repeated" keys mean`)
		}
		r.sent[key] = append(r.sent[key], number)
	}
	r.records = append(r.records, rec)
	return nil
}

// Header returns a header with the tasks of the run, in the order of their first lines.
func (r *Run) Header() (*event.Header, error) {
	if r.header != nil {
		return r.header, nil
	}
	if r.order == nil && r.err == nil {
		if r.err = cmp.Or(r.link(), r.linkClocks()); r.err == nil {
			r.order, r.err = r.sort()
		}
		if r.err == nil && r.mapping.operation != nil {
			r.replay, r.err = newReplay(r)
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	h := &event.Header{Version: 1, Run: r.ID, Caveat: r.caveat(), Unordered: true}
	if m := r.mapping; m.operation != nil {
		h.Version = event.Version
		h.Operations = &event.Operations{Accesses: m.operation.hasKinds(doRead, doWrite), Env: true,
			Only: m.properties()}
	}
	for _, t := range r.tasks {
		h.Tasks = append(h.Tasks, t.name)
	}
	r.header = h
	return h, nil
}

// caveat says which order may be missing.
func (r *Run) caveat() string {
	if r.unsent == 0 {
		return ""
	}
	return fmt.Sprintf("of %d of the messages that lines receive, the log has no send, so what they order looks "+
		"unordered", r.unsent)
}

// Next returns the next event.
func (r *Run) Next(e *event.Event) error {
	if _, err := r.Header(); err != nil {
		return err
	}
	if r.replay != nil {
		if operates, err := r.operate(e); operates || err != nil {
			return err
		}
	}
	if r.next == len(r.order) {
		return io.EOF
	}
	rec := &r.records[r.order[r.next]]
	r.next++
	e.Reset()
	e.Task, e.Enter, e.Exit, e.At = r.tasks[rec.task].name, rec.enter, rec.exit, r.place(rec)
	if rec.op != event.OpEnd { // otherwise it would be the last of the task
		e.Op = rec.op
	}
	e.Global = append(e.Global, rec.set...)
	for _, c := range rec.causes {
		if from := &r.records[c]; from.task != rec.task {
			e.After = append(e.After, event.Ref{Task: r.tasks[from.task].name, K: int(from.k)})
		}
	}
	return nil
}

// operate makes e the next operation, if there is one in the lines before the next event, or at the
// end. Operations are in the order of the log, whatever the order of the events is.
func (r *Run) operate(e *event.Event) (bool, error) {
	until := len(r.records)
	if r.next < len(r.order) {
		until = int(r.order[r.next])
	}
	for !r.replay.Next(e) {
		switch {
		case r.broken != nil:
			return false, r.broken
		case r.replayed < until:
			rec := &r.records[r.replayed]
			r.replayed++
			if rec.operation != nil {
				r.broken = r.replay.add(rec)
			}
		case r.next == len(r.order) && !r.replay.over:
			r.replay.finish()
		default:
			return false, nil
		}
	}
	return true, nil
}

// Pos returns "file:line" of the last event.
func (r *Run) Pos() string {
	if r.next == 0 {
		return r.name
	}
	return r.pos(&r.records[r.order[r.next-1]])
}
