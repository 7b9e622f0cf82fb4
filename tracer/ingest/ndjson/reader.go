package ndjson

import (
	"fmt"
	"io"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/internal/lines"
)

// Options say how a log is read. The zero Options has sensible defaults.
type Options struct {
	Size int64 // bytes that a log may have; default 1 GiB
	Line int   // bytes that a line may have; default 1 MiB
}

const (
	defaultSize = 1 << 30
	defaultLine = 1 << 20
)

func (o Options) withDefaults() Options {
	if o.Size <= 0 {
		o.Size = defaultSize
	}
	if o.Line <= 0 {
		o.Line = defaultLine
	}
	return o
}

const varEvent = "event"

// Read reads a log and returns its runs, in the order in which they begin. The name is used in
// positions. The reader of a run finds the errors in that run.
func Read(r io.Reader, name string, m *Mapping, o Options) ([]*Run, error) {
	o = o.withDefaults()
	l := newLog(r, name, m)
	scanner := lines.NewScanner(r, name, lines.Limits{
		Size: o.Size, SizeRemedy: "split it into several",
		Line: o.Line, LineRemedy: "a log has one object a line",
	})
	for scanner.Scan() {
		l.line, l.indent = scanner.Number(), scanner.Indent()
		if err := l.parse(scanner.Line()); err != nil {
			return nil, err
		}
	}
	return l.finish(scanner.Err())
}

// finish returns the runs, or the error that has ended the log.
func (l *log) finish(err error) ([]*Run, error) {
	switch {
	case err != nil:
		return nil, err
	case len(l.runs) == 0:
		return nil, &event.Error{Pos: l.name, Reason: "no event in the log",
			Remedy: `a line is one for which the condition "if" of the mapping holds`}
	}
	return l.runs, nil
}

// log is a log that is being read.
type log struct {
	from    io.Reader // to whose budget its memory is charged
	mapping *Mapping
	name    string
	line    int
	indent  int // of the line, in bytes
	runs    []*Run
	byID    map[string]*Run
}

func newLog(from io.Reader, name string, m *Mapping) *log {
	return &log{from: from, mapping: m, name: name, byID: map[string]*Run{}}
}

func (l *log) fault(reason, remedy string) error {
	return &event.Error{Pos: fmt.Sprintf("%s:%d", l.name, l.line), Reason: reason, Remedy: remedy}
}

// parse adds a line to its run.
func (l *log) parse(text []byte) error {
	var line event.Value
	if err := line.UnmarshalJSON(text); err != nil {
		pos := fmt.Sprintf("%s:%d", l.name, l.line)
		if column := event.ColumnOf(err); column > 0 {
			pos += fmt.Sprintf(":%d", l.indent+column)
		}
		return &event.Error{Pos: pos, Reason: event.Printable(err.Error()),
			Remedy: "a line is one JSON object; remove what is none, or repair it"}
	}
	if line.Kind() != event.Object {
		return l.fault(fmt.Sprintf("%.40s is no JSON object", event.Printable(line.String())),
			"a line is one JSON object; remove what is none")
	}
	return l.add(line)
}

// add adds a line, which is an object, to its run.
func (l *log) add(line event.Value) error {
	m := l.mapping
	if !m.filter.holds(line) {
		return nil
	}
	id := ""
	if m.run != nil {
		var err error
		if id, err = requiredText(line, m.run, "which names the run"); err != nil {
			return l.fault(err.Error(), `leave the line out with "if" in the mapping`)
		}
	}
	task, err := requiredText(line, m.task, "which names the task")
	if err != nil {
		return l.fault(err.Error(), `leave the line out with "if" in the mapping, or name another field as "task"`)
	}
	rec := record{line: int32(l.line)}
	if err := l.fill(&rec, line); err != nil {
		return l.fault(err.Error(), "")
	}
	if rec.clock, err = m.clockIn(line); err != nil {
		return l.fault(err.Error(), remedyClock)
	}
	var remedy string
	if rec.operation, remedy, err = m.operationIn(line); err != nil {
		return l.fault(err.Error(), remedy)
	}
	r := l.run(id)
	if err := budget.ChargeGrowth(l.from, r.records); err != nil {
		return err
	}
	return r.add(task, rec, line)
}

func (l *log) run(id string) *Run {
	r := l.byID[id]
	if r == nil {
		r = &Run{ID: id, mapping: l.mapping, name: l.name, numbers: map[string]int32{}, sent: map[string][]int32{}}
		l.byID[id] = r
		l.runs = append(l.runs, r)
	}
	return r
}

// fill reads the contents of the event from a line, but not its causes.
func (l *log) fill(rec *record, line event.Value) error {
	m := l.mapping
	if m.event != nil {
		if v, ok := m.event.lookup(line); ok {
			rec.op, _ = text(v)
		}
	}
	for _, f := range []struct {
		functions map[string]template
		name      *string
	}{{m.enter, &rec.enter}, {m.exit, &rec.exit}} {
		t, ok := f.functions[rec.op]
		if !ok {
			continue
		}
		var err error
		if *f.name, err = t.fill(line); err != nil {
			return err
		}
	}
	if m.at != nil {
		if v, ok := m.at.lookup(line); ok {
			rec.at, _ = text(v)
		}
	}
	rec.set = m.variables(line, rec.op)
	return nil
}

// variables returns the variables that a line sets. Those that the mapping names precede other
// fields of the line.
func (m *Mapping) variables(line event.Value, op string) []event.Binding {
	var set []event.Binding
	has := map[string]bool{}
	add := func(name string, v event.Value) {
		if name != "" && !has[name] {
			has[name] = true
			set = append(set, event.Binding{Name: name, Value: v})
		}
	}
	for _, s := range m.set {
		if v, ok := s.field.lookup(line); ok {
			add(s.name, v)
		}
	}
	if op != "" {
		add(varEvent, event.StringValue(op))
	}
	if m.all {
		for _, f := range line.Fields() {
			add(f.Name, f.Value)
		}
	}
	return set
}
