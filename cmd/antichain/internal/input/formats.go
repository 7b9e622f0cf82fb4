package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/spans"
	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest"
	"github.com/antichain-go/antichain/tracer/ingest/ndjson"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/antichain-go/antichain/tracer/ingest/shiviz"
	"github.com/antichain-go/antichain/tracer/snapshot"
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
	Snapshot(a *snapshot.Codec) error
	Stats() runs.Stats
	Close(cut tlcheck.Truncation)
	Drop()
}

// Opener returns the runs of a log, at least one. That of a format in which a log can have several
// has read all of it by then; that of another may read it bit by bit.
type Opener func(ctx context.Context, r io.Reader, name string) ([]ingest.Run, error)

func openerOf(o ingest.Options) Opener {
	return func(ctx context.Context, r io.Reader, name string) ([]ingest.Run, error) {
		return ingest.Open(ctx, r, name, o)
	}
}

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
	f := NewFormat(string(ingest.ShiViz), "a log whose events carry vector clocks, as ShiViz draws it", `
Hosts are tasks. The text of an event is the variable event of its host. An event comes after those
that its clock counts. Two layouts are recognized without --shiviz-regexp: a line with the host and its
clock, as in web {"web":2, "db":1}, before or after the line with the text.`)
	expression := f.flags.String("shiviz-regexp", "", "regular `EXPRESSION` for an event of the log, with groups host, clock and event; guessed if not given")
	f.Prepare = func() (Opener, error) {
		o := shiviz.Options{Expression: *expression}
		if _, err := shiviz.NewReader(nil, "", o); err != nil {
			return nil, fmt.Errorf("--shiviz-regexp: %w", err)
		}
		return openerOf(ingest.Options{Format: ingest.ShiViz, ShiViz: o}), nil
	}
	return f
}

func stdFormat() *Format {
	f := NewFormat(string(ingest.STD), "a log of a race detector in the STD format of RAPID", `
A line is like T1|acq(L34)|120: thread, operation with operand, place in the program. The operations
are r, w, acq, rel, fork, join, begin, end, wait, notify and notifyAll. Threads are tasks; those
that no thread forks exist from the start. Where forks name threads otherwise than their lines do, as
fork(2) for T2, or fork a thread twice, a warning says what is assumed. wait releases its lock, which the thread acquires again
by its next acq of that lock; notify and notifyAll order nothing by themselves. A release comes
before the next acquire of its lock, a fork before everything in its thread, and everything in a
thread before its join. begin and end delimit a frame called atomic. Each thread has the variables
op and obj (operation and operand of its last line) and locks (the list of locks that it holds).
check, and monitor with --builtin, look for the built-in properties deadlock and race in it. With
--predict locks, check lets the sections of locks come in other orders than in the log, and says
of a state that it is certain if each read in it sees the write that was the last one before it in
the log; none is in a log without reads, or with wait. In a formula, two threads race for x if this
property is violated:

    not (t1:(op == "w" and obj == "x") and t2:((op == "w" or op == "r") and obj == "x")) if t1 != t2`)
	f.Prepare = func() (Opener, error) {
		return openerOf(ingest.Options{Format: ingest.STD}), nil
	}
	return f
}

func ndjsonFormat() *Format {
	f := NewFormat(string(ingest.NDJSON), "any log of JSON objects, one a line, with a mapping that says what its fields mean", `
The mapping is a small JSON file that you write for the log. For example, this one

    {"task": "svc", "event": "msg",
     "send":    {"key": "id", "if": {"msg": "order"}},
     "receive": {"key": "id", "if": {"msg": "order received"}},
     "set":     {"state.stock": "stock"}}

is for lines like {"svc":"web","msg":"order","id":"o1","state":{"stock":7}}. Only task is required:

    task       the field with the name of the task; "a.b" is the field b in a
    event      the field that says what happened: the variable event of its task
    enter      with this event the task enters, or leaves, this function: {"begin": "handle"};
    exit       {path} in the name of the function stands for a field: {"begin": "{func}"}
    send       the field with the key of a message that a line sends, or receives, where a
    receive    condition holds; a receive comes after the send of its key, wherever in the log that is
    unmatched  "accept" allows receives without a send, which otherwise are mistakes
    set        fields, and the variables of the task that they set; "*": "*" takes all
    run        the field that says which run a line belongs to, if there are several
    if         a condition: fields and their values; other lines are left out
    at         the field with a position in the source, like file.go:12

Nothing else orders the lines of different tasks, not even a clock. Lines of one task are in order.

For built-in properties (check, and monitor with --builtin), lines can say what tasks do to synchronise:

    operation  the field with the kind of an operation, where a condition holds, and words for kinds:
               {"field": "op", "kinds": {"acquired": "lock", "*": "none"}, "if": {"level": "debug"}}
    object     the field with the lock, channel, WaitGroup or variable that it is on
    other      the field with the task that is started or joined
    count      the field with how much add or done counts; else 1
    capacity   the field with the capacity of a channel, or a number for all; -1 is no bound

The kinds are lock, unlock, rlock, runlock, send, receive, close, add, done, wait, start, join, end,
read, write and none; locking, rlocking, sending, receiving and waiting begin what may have to wait.
Operations happened in the order of the lines. Each kind that has a word is logged whenever it happens.
deadlock needs lock and unlock. closed, waitgroup and unlock need capacity and all from lock to join,
even if some never occur. race needs read and write besides, stuck those that begin to wait. A deadlock
is also reported if only an order that the log does not show, as of start and join, excludes it.`)
	name := f.flags.String("mapping", "", "`FILE` that maps the fields of a log of JSON objects; antichain help formats shows one")
	f.Prepare = func() (Opener, error) {
		if *name == "" {
			return nil, errors.New("--format ndjson needs --mapping FILE, which says what the fields mean: antichain help formats shows one")
		}
		mapping, err := readMapping(*name)
		if err != nil {
			return nil, err
		}
		return openerOf(ingest.Options{Format: ingest.NDJSON, Mapping: mapping}), nil
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
	f := NewFormat(string(ingest.OTLP), "spans of OpenTelemetry, as the file exporter of its collector writes them", `
Messages are in JSON, one a line or laid out over several, or in protocol buffers. All spans with one trace ID, wherever they are
in the file, form a run that has this ID as its name. A span is a task. While it is open, the task is in
a function with the name of the span; attributes and status of the span are the function's variables.
Attributes of the resource are the task's own variables. The span's events set event.name and their
attributes.

    t:(in."GET /cart" and http.response.status_code == 500 -> otel.status_code == "ERROR")

A span begins after its parent has begun, and after the spans that it links to. Nothing else is ordered.
Time stamps do not order spans either, since the clocks of services differ. Two flags tell antichain more:

    --otlp-sync           a span ends after its children end, except those of the kinds PRODUCER and
                          CONSUMER. So does what it does later by the clock of its own process.
                          One process is one resource; copies of a service need service.instance.id
    --otlp-skew DURATION  clocks differ by no more than this: a span that ends longer than that before
                          another one begins precedes it; 0 says that all services have one clock`)
	sync := f.flags.Bool("otlp-sync", false, "spans wait for their children, except for those at the other end of a message queue")
	skew := f.flags.Duration("otlp-skew", 0, "clocks of services differ by at most this `DURATION`, 0 for a single clock; unknown if not given")
	options := func() otlp.Options {
		o := otlp.Options{Sync: *sync}
		if f.flags.Changed("otlp-skew") {
			o.Skew = skew
		}
		return o
	}
	f.Prepare = func() (Opener, error) {
		if *skew < 0 {
			return nil, fmt.Errorf("--otlp-skew %v: must not be negative", *skew)
		}
		return openerOf(ingest.Options{Format: ingest.OTLP, OTLP: options()}), nil
	}
	f.Records = func(c runs.Config, to runs.Reporter) Runs {
		return spans.New(c, options(), to)
	}
	return f
}

func gotraceFormat() *Format {
	f := NewFormat(string(ingest.Gotrace), "a Go execution trace, as runtime/trace, go test -trace and net/http/pprof write it", `
Goroutines are tasks: main, and others by function and number, as "main.worker 18". Events are the
annotations of the program with runtime/trace, and the creation and the end of goroutines:

    in.main.worker, in."load page"    the function of a goroutine's go statement, and its regions
    state == "idle"                   after trace.Log(ctx, "state", "idle"); without a category
                                      log == "idle"
    begun.type, ended.type            the type of the trace task that the goroutine last began or ended
    task.type                         the type of the trace task of the region it is in

The order is coarse. A goroutine that was waiting comes after what the one that woke it had done. The
start of a trace task comes before the work for it. The trace lacks the order that comes from a free
lock, an atomic operation or a channel with room. So a violation may be in a state that the program
cannot reach; each verdict says so. antichain run records that order.`)
	f.Prepare = func() (Opener, error) {
		return openerOf(ingest.Options{Format: ingest.Gotrace}), nil
	}
	return f
}
