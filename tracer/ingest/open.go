package ingest

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/chrome"
	"github.com/antichain-go/antichain/tracer/ingest/gotrace"
	"github.com/antichain-go/antichain/tracer/ingest/jaeger"
	"github.com/antichain-go/antichain/tracer/ingest/ndjson"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/shiviz"
	"github.com/antichain-go/antichain/tracer/ingest/std"
	"github.com/antichain-go/antichain/tracer/ingest/zipkin"
)

// Format names a format of traces and logs.
type Format string

// The formats.
const (
	// antichain's own, in the text or the binary form; package tracer/event
	Trace   Format = "trace"
	ShiViz  Format = "shiviz"  // events with vector clocks; package shiviz
	STD     Format = "std"     // logs of race detectors in the STD format of RAPID; package std
	NDJSON  Format = "ndjson"  // JSON objects, one a line, with a mapping; package ndjson
	CSV     Format = "csv"     // lines of cells, with a mapping; package ndjson
	OTLP    Format = "otlp"    // spans of OpenTelemetry; package otlp
	Jaeger  Format = "jaeger"  // traces of Jaeger; package jaeger
	Zipkin  Format = "zipkin"  // traces of Zipkin; package zipkin
	Chrome  Format = "chrome"  // trace events of Chrome; package chrome
	Gotrace Format = "gotrace" // Go execution traces; package gotrace
)

// Formats returns all formats.
func Formats() []Format {
	return []Format{Trace, ShiViz, STD, NDJSON, CSV, OTLP, Jaeger, Zipkin, Chrome, Gotrace}
}

// formatNames lists the formats for messages.
func formatNames() string {
	var names []string
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return wording.List(names)
}

// Options say how an input is read. The zero Options detect the format and have the limits of each.
type Options struct {
	// Format of the input. If it is empty, the format is detected: NDJSON if there is a mapping,
	// ShiViz if there is an expression, else by the beginning of the input.
	Format Format

	// Mapping gives the fields of a log in NDJSON or CSV their meaning. These formats need one.
	Mapping *ndjson.Mapping

	// Unfolded bounds the size in bytes to which an input that was compressed with gzip or zstd is
	// decompressed; 0 is 64 GiB.
	Unfolded int64

	// Options and limits of the formats.
	Trace   event.Limits
	ShiViz  shiviz.Options
	STD     std.Options
	NDJSON  ndjson.Options // also of CSV
	OTLP    otlp.Options   // also of Jaeger and Zipkin
	Spans   otlp.Limits    // likewise
	Chrome  chrome.Options
	Gotrace gotrace.Options
}

// OmitOperations makes a reader of a run omit operations that only serve built-in properties, for
// callers that check none of these. It is called before anything is read.
func OmitOperations(r event.Reader) {
	if r, ok := r.(interface{ OmitOperations() }); ok {
		r.OmitOperations()
	}
}

// Warnings returns the assumptions that the reader of a run has made where its log is irregular. It
// is called after Header.
func Warnings(r event.Reader) []string {
	if r, ok := r.(interface{ Warnings() []string }); ok {
		return r.Warnings()
	}
	return nil
}

const defaultUnfolded = 64 << 30

// Run is one run of an input.
type Run struct {
	ID string // "" for the only run of an input that gives its runs no names
	event.Reader
}

// Open returns the runs of an input, at least one. The input may be compressed with gzip or zstd.
// The name is used in positions.
//
// Reading fails when the context ends, in Open and later, with the cause of that end. A read of r
// that does not return is not interrupted.
//
// Formats in which a log can have several runs, ShiViz, NDJSON, CSV and those of spans, are read to
// their end by then. Others are read while their runs are read. The reader of a run finds the
// errors in that run. Mistakes in the input are an *event.Error.
func Open(ctx context.Context, r io.Reader, name string, o Options) ([]Run, error) {
	again := againOf(ctx, r)
	r = &contextReader{ctx, r}
	o.Unfolded = cmp.Or(o.Unfolded, defaultUnfolded)
	format := o.chosen()
	if format == Trace {
		return o.open(format, r, name) // it decompresses by itself
	}
	unfolded, err := event.Uncompressed(r, name, o.Unfolded)
	if err != nil {
		return nil, err
	}
	plain := io.Reader(budget.NewReader(ctx, unfolded))
	if again != nil && o.STD.Again == nil {
		o.STD.Again = func() (io.Reader, error) {
			r, err := again()
			if err != nil {
				return nil, err
			}
			unfolded, err := event.Uncompressed(r, name, o.Unfolded)
			return budget.NewReader(ctx, unfolded), err
		}
	}
	if format == "" {
		in := bufio.NewReaderSize(plain, window)
		if format, err = detect(in, name); err != nil {
			return nil, err
		}
		plain = budget.NewReader(ctx, in)
	}
	return o.open(format, plain, name)
}

// againOf returns a function that returns to the present position of the input, nil if that is
// impossible, as in a pipe.
func againOf(ctx context.Context, r io.Reader) func() (io.Reader, error) {
	in, ok := r.(io.Seeker)
	if !ok {
		return nil
	}
	begin, err := in.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil
	}
	return func() (io.Reader, error) {
		_, err := in.Seek(begin, io.SeekStart)
		return &contextReader{ctx, r}, err
	}
}

// contextReader fails when the context ends.
type contextReader struct {
	ctx context.Context
	in  io.Reader
}

func (r *contextReader) Read(b []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.in.Read(b)
}

// chosen returns the format as far as it is known without the input.
func (o *Options) chosen() Format {
	switch {
	case o.Format != "":
		return o.Format
	case o.Mapping != nil:
		return NDJSON
	case o.ShiViz.Expression != "":
		return ShiViz
	}
	return ""
}

// open returns the runs of an input that is not compressed any more.
func (o *Options) open(format Format, r io.Reader, name string) ([]Run, error) {
	switch format {
	case Trace:
		return one(event.OpenLimited(r, name, o.limits()))
	case ShiViz:
		return o.openShiViz(r, name)
	case STD:
		return one(std.NewReader(r, name, o.STD), nil)
	case NDJSON:
		return o.openMapped(ndjson.Read, "JSON objects", r, name)
	case CSV:
		return o.openMapped(ndjson.ReadCSV, "cells", r, name)
	case OTLP:
		return o.openSpans(otlp.Read, r, name)
	case Jaeger:
		return o.openSpans(jaeger.Read, r, name)
	case Zipkin:
		return o.openSpans(zipkin.Read, r, name)
	case Chrome:
		return one(chrome.NewReader(r, name, o.Chrome), nil)
	case Gotrace:
		return one(gotrace.NewReader(r, name, o.Gotrace), nil)
	}
	return nil, fmt.Errorf("%q is not a format: the formats are %s", string(format), formatNames())
}

// limits returns the limits for traces.
func (o *Options) limits() event.Limits {
	l := o.Trace
	l.Total = cmp.Or(l.Total, o.Unfolded)
	return l
}

// one returns the only run of an input.
func one[R event.Reader](r R, err error) ([]Run, error) {
	if err != nil {
		return nil, err
	}
	return []Run{{Reader: r}}, nil
}

func (o *Options) openShiViz(r io.Reader, name string) (all []Run, err error) {
	runs, err := shiviz.Read(r, name, o.ShiViz)
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		all = append(all, Run{ID: run.ID, Reader: run})
	}
	return all, nil
}

// readMapped reads the runs of a log by a mapping.
type readMapped func(r io.Reader, name string, m *ndjson.Mapping, o ndjson.Options) ([]*ndjson.Run, error)

func (o *Options) openMapped(read readMapped, lines string, r io.Reader, name string) (all []Run, err error) {
	if o.Mapping == nil {
		return nil, &event.Error{Pos: name, Reason: "a log of " + lines + " without a mapping",
			Remedy: "give a mapping that says what its fields mean"}
	}
	runs, err := read(r, name, o.Mapping, o.NDJSON)
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		all = append(all, Run{ID: run.ID, Reader: run})
	}
	return all, nil
}

// readSpans reads the traces of a file of spans.
type readSpans func(r io.Reader, name string, l otlp.Limits) ([]otlp.Trace, error)

func (o *Options) openSpans(read readSpans, r io.Reader, name string) (all []Run, err error) {
	traces, err := read(r, name, o.Spans)
	if err != nil {
		return nil, err
	}
	for _, t := range traces {
		all = append(all, Run{ID: t.ID.String(), Reader: &spanRun{trace: t, options: o.OTLP}})
	}
	return all, nil
}
