package input

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
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

// Format is a format that --format can name.
type Format struct {
	Name  string
	About string         // what it is, in a line
	Text  string         // how it is read
	flags *pflag.FlagSet // those that are about this format alone

	// options returns the options that the flags describe, or an error if they are wrong.
	options func() (ingest.Options, error)

	// Prepare returns the opener that the flags describe, or an error if they are wrong.
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

// NewFormats returns all formats, with flags of their own for each verb.
func NewFormats() []*Format {
	objects, spans := ndjsonFormat(), otlpFormat()
	return []*Format{
		shivizFormat(),
		NewFormat(ingest.STD, "a log of a race detector in the STD format of RAPID"),
		objects,
		objects.variant(ingest.CSV, "lines of cells below a line that names them, with a mapping as for ndjson"),
		spans,
		spans.variant(ingest.Jaeger, "traces of Jaeger, as its user interface exports them and its API returns them"),
		spans.variant(ingest.Zipkin, "traces of Zipkin, as its user interface exports them and its API returns them"),
		NewFormat(ingest.Chrome,
			"trace events in the JSON of Chrome, which Perfetto and many profilers read and write"),
		NewFormat(ingest.Gotrace, "a Go execution trace, as runtime/trace, go test -trace and net/http/pprof write it"),
	}
}

//go:embed formats/*.txt
var texts embed.FS

// NewFormat returns a format without flags.
func NewFormat(name ingest.Format, about string) *Format {
	text, _ := texts.ReadFile("formats/" + string(name) + ".txt") // each of NewFormats has one
	f := &Format{
		Name: string(name), About: about, Text: string(text),
		flags:   pflag.NewFlagSet(string(name), pflag.ContinueOnError),
		options: func() (ingest.Options, error) { return ingest.Options{}, nil },
	}
	f.Prepare = f.prepare
	return f
}

// variant returns another format with the same flags.
func (f *Format) variant(name ingest.Format, about string) *Format {
	v := NewFormat(name, about)
	v.flags, v.options = f.flags, f.options
	return v
}

func (f *Format) prepare() (Opener, error) {
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	o.Format = ingest.Format(f.Name)
	return func(ctx context.Context, r io.Reader, name string) ([]ingest.Run, error) {
		return ingest.Open(ctx, r, name, o)
	}, nil
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
	f := NewFormat(ingest.ShiViz, "a log whose events carry vector clocks, as ShiViz draws it")
	expression := f.flags.String("shiviz-regexp", "", "regular `EXPRESSION` for an event of the log, with groups host, clock and event; guessed if not given")
	delimiter := f.flags.String("shiviz-delimiter", "",
		"regular `EXPRESSION` for what lies between two runs, with a group trace for the name of the one behind; guessed if not given")
	f.options = func() (ingest.Options, error) {
		o := shiviz.Options{Expression: *expression}
		if _, err := shiviz.NewReader(nil, "", o); err != nil {
			return ingest.Options{}, fmt.Errorf("--shiviz-regexp: %w", err)
		}
		o.Delimiter = *delimiter
		if _, err := shiviz.NewReader(nil, "", o); err != nil {
			return ingest.Options{}, fmt.Errorf("--shiviz-delimiter: %w", err)
		}
		return ingest.Options{ShiViz: o}, nil
	}
	return f
}

func ndjsonFormat() *Format {
	f := NewFormat(ingest.NDJSON, "any log of JSON objects, one a line, with a mapping that says what its fields mean")
	name := f.flags.String("mapping", "", "`FILE` that maps the fields of a log of JSON objects; antichain help formats shows one")
	f.options = func() (ingest.Options, error) {
		if *name == "" {
			return ingest.Options{},
				errors.New("--mapping FILE is missing, which says what the fields mean: antichain help formats shows one")
		}
		mapping, err := readMapping(*name)
		return ingest.Options{Mapping: mapping}, err
	}
	return f
}

// maxMapping bounds a mapping in bytes: a file can be endless.
const maxMapping = 1 << 20

func readMapping(name string) (*ndjson.Mapping, error) {
	text, err := limits.ReadFile(name, maxMapping)
	if err == nil && len(text) > maxMapping {
		err = fmt.Errorf("%s: mapping of more than %d bytes: is it the log?", event.Printable(name), maxMapping)
	}
	if err != nil {
		return nil, err
	}
	return ndjson.ParseMapping(name, text)
}

func otlpFormat() *Format {
	f := NewFormat(ingest.OTLP, "spans of OpenTelemetry, as the file exporter of its collector writes them")
	sync := f.flags.Bool("otlp-sync", false, "spans wait for their children, except for those at the other end of a message queue")
	skew := f.flags.Duration("otlp-skew", 0, "clocks of services differ by at most this `DURATION`, 0 for a single clock; unknown if not given")
	options := func() otlp.Options {
		o := otlp.Options{Sync: *sync}
		if f.flags.Changed("otlp-skew") {
			o.Skew = skew
		}
		return o
	}
	f.options = func() (ingest.Options, error) {
		if *skew < 0 {
			return ingest.Options{}, fmt.Errorf("--otlp-skew %v: must not be negative", *skew)
		}
		return ingest.Options{OTLP: options()}, nil
	}
	f.Records = func(c runs.Config, to runs.Reporter) Runs {
		return spans.New(c, options(), to)
	}
	return f
}
