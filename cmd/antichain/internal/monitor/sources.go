package monitor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/internal/filekind"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/stream"
)

// Serve checks the runs of sources other than topics.
func (m *Monitor) Serve(ctx context.Context, words []string, from *input.Flags, o stream.Options) error {
	sources, err := m.open(ctx, words, from, o)
	if err == nil {
		err = stream.Serve(ctx, sources, m)
		if unopened := new(stream.OpenError); !errors.As(err, &unopened) {
			return err
		}
	}
	for _, word := range words {
		m.Refuse(word, "not read: "+err.Error())
	}
	return err
}

// Unbegun gives every property the verdict unknown on a source without a run.
func (m *Monitor) Unbegun(source string) {
	why := "no run began"
	if cause := context.Cause(m.Reading); cause != nil {
		why += ": " + cause.Error()
	}
	m.Refuse(source, why)
}

func (m *Monitor) open(ctx context.Context, words []string, from *input.Flags,
	o stream.Options) (sources []stream.Source, err error) {
	if from.Format == "" {
		sources, err = m.OpenSources(words, o)
	} else {
		sources, err = m.OpenLogs(ctx, from, words, o.Stdin)
	}
	return sources, input.Unread(ctx, err, 0)
}

// OpenLogs opens the runs of logs of another format. The end of the context closes them.
func (m *Monitor) OpenLogs(ctx context.Context, from *input.Flags, words []string,
	stdin io.Reader) ([]stream.Source, error) {
	var sources []stream.Source
	for _, word := range words {
		in, err := from.Open(ctx, word, stdin)
		if err != nil {
			return nil, err
		}
		context.AfterFunc(ctx, func() { in.Close() })
		for _, t := range in.Traces {
			m.Named = m.Named || t.Run != ""
			sources = append(sources, stream.FromReader(t.Name, separateRun{t, m.Stderr}))
		}
	}
	return sources, nil
}

// separateRun is a run of a log, which no other run can join, whatever its name.
type separateRun struct {
	input.Trace
	warnings io.Writer
}

func (r separateRun) Header() (*event.Header, error) {
	h, err := r.Trace.Header()
	if err != nil {
		return nil, err
	}
	input.Warn(r.warnings, r.Reader)
	unnamed := *h
	unnamed.Run = ""
	return &unnamed, nil
}

// OpenSources opens sources of traces, and prints warnings to Stderr. It reports all errors
// together.
func (m *Monitor) OpenSources(words []string, o stream.Options) ([]stream.Source, error) {
	var sources []stream.Source
	var mistakes []error
	seen := map[string]bool{}
	o.Note = func(text string) { fmt.Fprintln(m.Stderr, "antichain:", event.Printable(text)) }
	o.Listening = func(address string) { fmt.Fprintln(m.Stderr, "antichain: listening on", event.Printable(address)) }
	for _, word := range words {
		source, err := stream.Parse(word, o)
		if err == nil {
			err = filekind.CheckTrace(word)
		}
		switch {
		case err != nil:
		case seen[word]:
			err = fmt.Errorf("%s is named twice: a source can be read only once", event.Printable(word))
		case isRawFile(word):
			err = fmt.Errorf("%s is the trace of a traced executable, which can be checked when the program has ended: use antichain check", event.Printable(word))
		case stream.Exposed(word):
			fmt.Fprintf(m.Stderr, "antichain: warning: %s: peers are not authenticated: whoever can reach this address can send events\n", event.Printable(word))
		}
		if terminal.IsTerminal(m.Stderr) && !o.UntilEOF && err == nil && input.IsRegular(word) {
			fmt.Fprintf(m.Stderr, "antichain: following %s; ctrl-C ends it\n", event.Printable(word))
		}
		seen[word] = true
		m.Named = m.Named || err == nil && source.Many()
		sources, mistakes = append(sources, source), append(mistakes, err)
	}
	return sources, errors.Join(mistakes...)
}

// isRawFile reports whether the word names a file that a traced executable writes.
func isRawFile(word string) bool {
	if !input.IsRegular(word) {
		return false
	}
	f, err := os.Open(word)
	if err != nil {
		return false // opening it later reports the error
	}
	defer f.Close()
	return input.IsRaw(f)
}

// CheckFollowed refuses to follow the names of sources where no file is followed.
func CheckFollowed(sources []string, untilEOF bool, format string) error {
	switch {
	case untilEOF:
		return errors.New("--follow-name cannot be combined with --until-eof, which does not follow a file")
	case format != "":
		return errors.New("--follow-name cannot be combined with --format: a log is read to its current end, and not followed")
	case !slices.ContainsFunc(sources, input.IsRegular):
		return errors.New("--follow-name is for a trace file that is there, and no SOURCE is one")
	}
	return nil
}
