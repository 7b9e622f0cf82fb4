package input

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/filekind"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/ctxreader"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/trace"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest"
)

// Stdin is the name of standard input in messages.
const Stdin = "standard input"

// Trace is a trace, or one run of a log, that is being read.
type Trace struct {
	Name string // of the file, followed by ":RUN" if the run has a name
	Run  string // "" if it has none
	event.Reader

	raw *rawTrace // if it is one
}

// Lost says which records the trace lacks, or "". It is known at the end.
func (t *Trace) Lost() string {
	if t.raw != nil {
		return t.raw.Missing()
	}
	return ""
}

// input is a file that is being read, or standard input.
type input struct {
	Traces []Trace // at least one
	io.Closer
}

// Open opens a file, or standard input for "-". What is wrong with a run of several is found when
// it is read.
func (f *Flags) Open(ctx context.Context, path string, stdin io.Reader) (*input, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	format, err := f.Chosen()
	if err != nil {
		return nil, err
	}
	if path == "-" {
		stdin = ctxreader.New(ctx, stdin)
	} else if err := filekind.CheckTrace(path); err != nil {
		return nil, err
	}
	if format == nil {
		r, closer, err := openForm(ctx, path, stdin)
		if err == nil {
			err = otherFormat(r, path)
		}
		if err != nil {
			if closer != nil {
				closer.Close()
			}
			return nil, err
		}
		raw, _ := r.(*rawTrace)
		return &input{[]Trace{{Name: path, Reader: r, raw: raw}}, closer}, nil
	}
	in, name := io.NopCloser(stdin), Stdin
	if path != "-" {
		if in, err = open(ctx, path); err != nil {
			return nil, err
		}
		name = path
	}
	runs, err := f.read(ctx, format, in, name)
	if err != nil {
		in.Close()
		return nil, err
	}
	return &input{tracesOf(path, runs), in}, nil
}

// otherFormat returns the mistake in the header of a file that is a log in another format, with the
// flags that it seems to need.
func otherFormat(r event.Reader, path string) error {
	if path == "-" {
		return nil
	}
	var flags []string
	for _, likely := range ingest.Likely(filekind.HeadOf(path)) {
		flag := "--format " + string(likely)
		if likely == ingest.NDJSON || likely == ingest.CSV {
			flag += " --mapping FILE"
		}
		flags = append(flags, flag)
	}
	if flags == nil {
		return nil
	}
	_, err := r.Header()
	bad := new(event.Error)
	if !errors.As(err, &bad) {
		return nil // what else is wrong is found again
	}
	with := *bad
	with.Remedy = "this looks like a log in another format: add " + strings.Join(flags, " or ")
	return &with
}

// tracesOf names the runs of a file.
func tracesOf(path string, runs []ingest.Run) []Trace {
	traces := make([]Trace, len(runs))
	for i, r := range runs {
		traces[i] = Trace{Name: path, Run: r.ID, Reader: r.Reader}
		if r.ID != "" {
			traces[i].Name += ":" + r.ID
		}
	}
	return traces
}

// open opens a file. To open a pipe, and to read it, may take any time: both end with the context.
func open(ctx context.Context, path string) (io.ReadCloser, error) {
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		return os.Open(path)
	}
	var f *os.File
	var err error
	if !interrupt.Do(ctx, func() { f, err = os.Open(path) }) {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{ctxreader.New(ctx, f), f}, nil
}

// OpenText opens a file that is no trace, and returns its name in messages.
func OpenText(ctx context.Context, stdin io.Reader, path string) (io.ReadCloser, string, error) {
	if path == "-" {
		return io.NopCloser(ctxreader.New(ctx, stdin)), Stdin, nil
	}
	f, err := open(ctx, path)
	if err != nil {
		return nil, "", err
	}
	return struct {
		io.Reader
		io.Closer
	}{ctxreader.New(ctx, f), f}, path, nil
}

// openForm opens a trace in one of the forms of traces.
func openForm(ctx context.Context, path string, stdin io.Reader) (event.Reader, io.Closer, error) {
	if path == "-" {
		in := bufio.NewReader(stdin)
		if head, _ := in.Peek(ring.OffMagic + 8); ring.IsFile(head) {
			return nil, nil, errors.New("the trace of a traced executable cannot be read from standard input: name the file, or use antichain convert")
		}
		r, err := event.Open(in, Stdin)
		return r, io.NopCloser(stdin), err
	}
	f, err := open(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	if regular, ok := f.(*os.File); ok && IsRaw(regular) {
		f.Close()
		raw, err := openRawTrace(path)
		return raw, raw, err
	}
	r, err := event.Open(f, path)
	if err != nil {
		f.Close()
	}
	return r, f, err
}

// Reading is a run that was read, or the error.
type Reading struct {
	Trace
	Net     *san.Net // nil if there is none
	Useless string   // why the trace supports no verdict, "" if it does
	Err     error    // a *limits.ReadStoppedError if the budget ran out
}

// Read reads the runs of a file one after the other and builds their nets, each within the budget.
// A file that cannot be opened is a run that cannot be read. With partial, what was read before a
// mistake comes back together with the mistake; a mistake in the header leaves no net.
func Read(ctx context.Context, f *limits.Limits, path string, s terminal.Streams, from *Flags, partial bool) iter.Seq[*Reading] {
	return ReadWatched(ctx, f, path, s, from, partial, nil)
}

// ReadWatched is Read with a function that may put a reader of its own between a run and its net.
// If it reports that there is no need for a net, that stays nil.
func ReadWatched(ctx context.Context, f *limits.Limits, path string, s terminal.Streams, from *Flags, partial bool, watch func(*Trace) (netless bool)) iter.Seq[*Reading] {
	return func(yield func(*Reading) bool) {
		shown := terminal.Working(s.Err, "reading "+event.Printable(path))
		bound, stop := f.Bound(ctx)
		defer stop()
		in, err := from.Open(bound, path, s.In)
		if err != nil {
			shown.Done()
			yield(&Reading{Trace: Trace{Name: path}, Err: Unread(bound, err, 0)})
			return
		}
		defer in.Close()
		for i, t := range in.Traces {
			if i > 0 { // what is left to be done for this one has a budget of its own
				shown = terminal.Working(s.Err, "reading "+event.Printable(t.Name))
				bound, stop = f.Bound(ctx)
				defer stop()
			}
			if watch == nil {
				ingest.OmitOperations(t.Reader)
			}
			log := t.Reader
			var r *Reading
			if watch != nil && watch(&t) {
				r = t.skim(bound)
			} else {
				r = t.build(bound, partial)
			}
			shown.Done()
			Warn(s.Err, log)
			if !yield(r) {
				return
			}
		}
	}
}

// Warn says what was assumed of a log whose header was read.
func Warn(w io.Writer, log event.Reader) {
	if run, ok := log.(ingest.Run); ok {
		log = run.Reader
	}
	for _, text := range ingest.Warnings(log) {
		fmt.Fprintln(w, "antichain: warning:", event.Printable(text))
	}
}

// ReadOne reads a file that has one run, for a verb that needs one that supports a verdict.
func ReadOne(ctx context.Context, f *limits.Limits, path string, s terminal.Streams, from *Flags) (*san.Net, error) {
	for r := range Read(ctx, f, path, s, from, false) {
		if r.Err == nil && r.Useless != "" {
			r.Err = fmt.Errorf("%s: %s", r.Name, r.Useless)
		}
		return r.Net, r.Err
	}
	panic("a file without a run")
}

// build builds the net of a run until the context ends.
func (t Trace) build(ctx context.Context, partial bool) *Reading {
	net, err := trace.ReadNet(ctx, t)
	r := &Reading{Trace: t, Err: withRemedy(err)}
	if err == nil || partial {
		r.Net = net
	}
	if net != nil {
		r.Useless = cmp.Or(t.Lost(), net.Header().Untraced())
	}
	return r
}

// skim reads a run without building its net.
func (t Trace) skim(ctx context.Context) *Reading {
	r := &Reading{Trace: t}
	h, err := trace.HeaderOf(ctx, t)
	if err == nil {
		events := 0
		err = EachEvent(t.Reader, func(*event.Event) error {
			if events++; ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return nil
		})
		r.Err = Unread(ctx, err, events)
		r.Useless = cmp.Or(t.Lost(), h.Untraced())
		return r
	}
	r.Err = Unread(ctx, err, 0)
	return r
}

// withRemedy names the flag that allows more if a budget ran out.
func withRemedy(err error) error {
	if stopped, ok := errors.AsType[*trace.ReadStoppedError](err); ok {
		return &limits.ReadStoppedError{Events: stopped.Events, Cause: stopped.Cause}
	}
	return err
}

// Unread is a *limits.ReadStoppedError if the error is that the context has ended.
func Unread(ctx context.Context, err error, events int) error {
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
		return &limits.ReadStoppedError{Events: events, Cause: cause}
	}
	return err
}

// EachEvent calls f with the events of a trace until one of them fails.
func EachEvent(r event.Reader, f func(*event.Event) error) error {
	var e event.Event
	for {
		switch err := r.Next(&e); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := f(&e); err != nil {
			return err
		}
	}
}
