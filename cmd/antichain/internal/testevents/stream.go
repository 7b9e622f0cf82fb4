package testevents

import (
	"bytes"
	"encoding/json"
	"io"
	"time"
)

// Stream takes what go test -json prints.
type Stream struct {
	Record Record

	lines
	out      io.Writer
	printer  *printer // nil: the events are passed on
	findings func(pkg string) []Finding
}

// Print returns a stream that prints what go test prints without -json, on out and, of builds, on
// err.
func Print(out, err io.Writer, verbose, benches bool) *Stream {
	s := &Stream{out: out, printer: &printer{out: out, err: err, verbose: verbose, benches: benches}}
	s.Record.reports = !verbose && !benches
	s.line = s.read
	return s
}

// PassOn returns a stream that passes on the events as they are. Before the end of a package stands
// what findings returns of it then, as tests, and the package fails if one of them does.
func PassOn(out io.Writer, findings func(pkg string) []Finding) *Stream {
	s := &Stream{out: out, findings: findings}
	s.line = s.read
	return s
}

// End takes the exit code of go test, which has printed everything.
func (s *Stream) End(code int) error {
	if err := s.lines.flush(); err != nil {
		return err
	}
	if s.printer == nil {
		return nil
	}
	return s.printer.finish(code)
}

// read takes a line.
func (s *Stream) read(line []byte) error {
	e, ok := parse(line)
	if !ok {
		_, err := s.out.Write(line)
		return err
	}
	of := s.Record.add(e)
	switch {
	case s.printer == nil:
		return s.passOn(e, line)
	case of == nil:
		return s.printer.build(e)
	}
	return s.printer.print(e, of)
}

// passOn passes on an event. line is its JSON.
func (s *Stream) passOn(e *Event, line []byte) error {
	if e.Package != "" && e.Test == "" && e.ends() {
		fails, err := s.reportFindings(e.Package)
		if err != nil {
			return err
		}
		if fails {
			line = bytes.Replace(line, []byte(`"Action":"pass"`), []byte(`"Action":"fail"`), 1)
		}
	}
	_, err := s.out.Write(line)
	return err
}

// reportFindings passes on the findings in a package, and reports whether the package fails for
// them.
func (s *Stream) reportFindings(pkg string) (fails bool, err error) {
	events, fails := eventsOf(pkg, s.findings(pkg), time.Now())
	encoder := json.NewEncoder(s.out)
	encoder.SetEscapeHTML(false)
	for _, e := range events {
		if err := encoder.Encode(e); err != nil {
			return false, err
		}
	}
	return fails, nil
}
