package input

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/antichain-go/antichain/internal/snapshot"
	"github.com/antichain-go/antichain/onthefly"
	"github.com/antichain-go/antichain/onthefly/runs"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/gotrace"
	"github.com/antichain-go/antichain/tracer/ingest/ndjson"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/ingest/shiviz"
	"github.com/antichain-go/antichain/tracer/ingest/std"
	"github.com/spf13/pflag"
)

// Format is one that --format names.
type Format struct {
	Name  string
	About string         // what it is, in a line
	Text  string         // how it is read
	flags *pflag.FlagSet // those that are about this format alone

	// Prepare reports, as an error, what is wrong with the flags.
	Prepare func() (Opener, error)

	// Records returns what checks the records of a topic; nil if there are no such topics.
	Records func(c runs.Config, to runs.Reporter) Runs
}

// Runs are the runs of a partition.
type Runs interface {
	Take(r *record.Record, now time.Time)
	Tick(now time.Time) bool
	Archive(a *snapshot.Archive) error
	Stats() runs.Stats
	Close(cut onthefly.Truncation)
	Drop()
}

// Opener returns the runs of a log, at least one. That of a format in which a log can have several has
// read all of it by then; that of another may read it bit by bit.
type Opener func(r io.Reader, name string) ([]LogRun, error)

// NewFormats returns all formats, with flags of their own for each verb.
func NewFormats() []*Format {
	return []*Format{shivizFormat(), stdFormat(), ndjsonFormat(), otlpFormat(), gotraceFormat()}
}

func NewFormat(name, about, text string) *Format {
	return &Format{Name: name, About: about, Text: text, flags: pflag.NewFlagSet(name, pflag.ContinueOnError)}
}

// given returns the flags of the format that the user gave.
func (f *Format) given() (given []*pflag.Flag) {
	f.flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Changed {
			given = append(given, flag)
		}
	})
	return given
}

func shivizFormat() *Format {
	f := NewFormat("shiviz", "a log whose events carry vector clocks, as ShiViz draws it", `
Hosts are tasks, and the text of an event is the variable event of its host. An event comes after those
that its clock counts. Two layouts are known without --shiviz-regexp: a line with the host and its clock,
as in web {"web":2, "db":1}, before or behind the line with the text.`)
	expression := f.flags.String("shiviz-regexp", "", "regular `EXPRESSION` for an event of the log, with groups host, clock and event; if not given it is guessed")
	f.Prepare = func() (Opener, error) {
		o := shiviz.Options{Expression: *expression}
		if _, err := shiviz.NewReader(nil, "", o); err != nil {
			return nil, fmt.Errorf("--shiviz-regexp: %w", err)
		}
		return func(r io.Reader, name string) ([]LogRun, error) {
			log, err := shiviz.NewReader(r, name, o)
			return []LogRun{{Reader: log}}, err
		}, nil
	}
	return f
}

func stdFormat() *Format {
	f := NewFormat("std", "a log of a race detector in the STD format of RAPID", `
A line is like T1|acq(L34)|120: thread, operation with operand, place in the program. The operations
are r, w, acq, rel, fork, join, begin and end. Threads are tasks; those that nobody forks are there from the
start. A release comes before the next acquire of its lock, a fork before all of its thread, and that before
the join. Begin and end are the borders of a frame called atomic. Each thread has the variables op and
obj, operation and operand of its last line, and locks, the list of those that it holds. Two threads
race for x if this is violated:

    not (t1:(op == "w" and obj == "x") and t2:((op == "w" or op == "r") and obj == "x")) if t1 != t2`)
	f.Prepare = func() (Opener, error) {
		return func(r io.Reader, name string) ([]LogRun, error) {
			return []LogRun{{Reader: std.NewReader(r, name, std.Options{})}}, nil
		}, nil
	}
	return f
}

func ndjsonFormat() *Format {
	f := NewFormat("ndjson", "any log of JSON objects, one a line, with a mapping that says what its fields mean", `
The mapping is a small JSON file that is written for the log, as this one,

    {"task": "svc", "event": "msg",
     "send":    {"key": "id", "if": {"msg": "order"}},
     "receive": {"key": "id", "if": {"msg": "order received"}},
     "set":     {"state.stock": "stock"}}

for lines like {"svc":"web","msg":"order","id":"o1","state":{"stock":7}}. All but task can be left out:

    task       the field with the name of the task; "a.b" is the field b in a
    event      the field that says what happened: the variable event of its task
    enter      with this event the task enters, or leaves, this function: {"begin": "handle"};
    exit       {path} in the name of the function stands for a field: {"begin": "{func}"}
    send       the field with the key of a message that a line sends, or receives, where a
    receive    condition holds: a receive comes after the send of its key, wherever that stands
    unmatched  "accept" if there may be receives without a send, which else are mistakes
    set        fields, and the variables of the task that they are; "*": "*" takes all
    run        the field that says which run a line belongs to, if there are several
    if         a condition: fields and their values; other lines are left out
    at         the field with a position in the source, as file.go:12

Nothing else orders the lines of different tasks, and no clock does. Those of one task stand in order.`)
	name := f.flags.String("mapping", "", "`FILE` that says what the fields of a log of JSON objects mean; antichain help formats shows one")
	f.Prepare = func() (Opener, error) {
		if *name == "" {
			return nil, errors.New("--format ndjson needs --mapping FILE, which says what the fields mean: antichain help formats shows one")
		}
		mapping, err := readMapping(*name)
		if err != nil {
			return nil, err
		}
		return func(r io.Reader, name string) (runs []LogRun, err error) {
			all, err := ndjson.Read(r, name, mapping, ndjson.Options{})
			for _, run := range all {
				runs = append(runs, LogRun{ID: run.ID, Reader: run})
			}
			return runs, err
		}, nil
	}
	return f
}

// maxMapping bounds a mapping in bytes: a file can be endless.
const maxMapping = 1 << 20

func readMapping(name string) (*ndjson.Mapping, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxMapping+1))
	if err == nil && len(text) > maxMapping {
		err = fmt.Errorf("%s: mapping of more than %d bytes: is it the log?", event.Printable(name), maxMapping)
	}
	if err != nil {
		return nil, err
	}
	return ndjson.ParseMapping(name, text)
}

func otlpFormat() *Format {
	f := NewFormat("otlp", "spans of OpenTelemetry, as the file exporter of its collector writes them", `
Messages are in JSON, one a line, or in protocol buffers. All spans with one trace id are a run, named by
that id, wherever they stand in the file. A span is a task, and while it is open in the function that is
called like the span, with its attributes and its status as variables. Those of the resource are the task's
own variables. The span's events set event.name and their attributes.

    t:(in."GET /cart" and http.response.status_code == 500 -> otel.status_code == "ERROR")

A span begins after its parent has begun, and after the spans that it links to. Nothing else is ordered, not
by time stamps either, since the clocks of services differ. What is known beside that is for you to say:

    --otlp-sync           a span ends, and what it does later by a clock of its own process comes,
                          after the ends of its children, except those of the kinds PRODUCER and CONSUMER.
                          One process is one resource; copies of a service need service.instance.id
    --otlp-skew DURATION  clocks differ by no more than this: a span that ends longer than that before
                          another one begins precedes it`)
	sync := f.flags.Bool("otlp-sync", false, "spans wait for their children, unless these are at the other end of a message queue")
	skew := f.flags.Duration("otlp-skew", 0, "clocks of services differ by no more than this `DURATION`; if not given it is not known by how much")
	f.Prepare = func() (Opener, error) {
		if *skew < 0 {
			return nil, fmt.Errorf("--otlp-skew %v: a difference between clocks is not negative", *skew)
		}
		return func(r io.Reader, name string) (all []LogRun, err error) {
			traces, err := otlp.Read(r, name, otlp.Limits{})
			for _, t := range traces {
				all = append(all, LogRun{ID: t.ID.String(), Reader: &spanRun{trace: t, options: otlp.Options{Sync: *sync, Skew: *skew}}})
			}
			return all, err
		}, nil
	}
	f.Records = func(c runs.Config, to runs.Reporter) Runs {
		return runs.NewSpans(c, otlp.Options{Sync: *sync, Skew: *skew}, to)
	}
	return f
}

func gotraceFormat() *Format {
	f := NewFormat("gotrace", "a Go execution trace, as runtime/trace, go test -trace and net/http/pprof write it", `
Goroutines are tasks: main, and others by function and number, as "main.worker 18". Events are what the
program annotates with runtime/trace, beside the creation and the end of goroutines: a goroutine is in the
function of its go statement and in its regions, in.main.worker and in."load page"; trace.Log(ctx, "state", "idle")
is state == "idle", without a category log == "idle"; begun.type and ended.type are the tasks that a
goroutine has begun and ended last, task.type is that of the region it is in.

The order is coarse. A goroutine that was waiting comes after what the one that woke it had done, and a
task's start comes before what is done for it; what a lock that is free, an atomic operation or a channel
with room orders is not in the trace. So a violation may be in a state in which the program cannot be; each
verdict says so. antichain run sees all of it.`)
	f.Prepare = func() (Opener, error) {
		return func(r io.Reader, name string) ([]LogRun, error) {
			return []LogRun{{Reader: gotrace.NewReader(r, name, gotrace.Options{})}}, nil
		}, nil
	}
	return f
}
