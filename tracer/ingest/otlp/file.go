package otlp

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/antichain-go/antichain/internal/bom"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tracer/event"
)

// Limits bound the input from a file. A field that is not positive means its default.
type Limits struct {
	Message int   // bytes of a message; default 16 MiB
	Memory  int64 // bytes that the spans take in memory, about; default 1 GiB
}

// Trace are the spans of a file with one trace id, in the order of the file.
type Trace struct {
	ID    TraceID
	Spans []Span
	name  string // of the file
}

// Build makes the run. Positions begin with the name of the file.
func (t *Trace) Build(o Options) (*Run, error) {
	r, err := Build(t.Spans, o)
	if bad, ok := errors.AsType[*event.Error](err); ok {
		bad.Pos = t.name + ":" + bad.Pos
		return nil, bad
	}
	r.name = t.name + ":"
	return r, nil
}

// Read reads a file of spans, and returns the traces in the order of their first spans. The name is
// used in positions. After an error it also returns the traces up to there.
//
// A file has messages in JSON, each on a line or laid out over several, also as elements of arrays;
// or messages in protocol buffers or JSON, each after its length in 4 bytes, highest first, and
// each compressed with zstd or not; or one message in protocol buffers. As a whole it may be
// compressed with gzip or zstd. The form is detected.
func Read(r io.Reader, name string, l Limits) ([]Trace, error) {
	f := newFile(name, l.withDefaults(), remedyMessage)
	f.decode = func(message []byte) ([]Span, error) { return Decode(message, IsJSON(message)) }
	return f.finish(f.read(r), remedyFile)
}

// ReadJSON is [Read] for a file of JSON objects that decode turns into spans: one after the other,
// and as elements of arrays. An error of decode is an [*event.Error] without position. The remedy
// says how such a file comes about.
func ReadJSON(r io.Reader, name string, l Limits, decode func(object []byte) ([]Span, error),
	remedy string) ([]Trace, error) {
	f := newFile(name, l.withDefaults(), remedy)
	f.decode = func(object []byte) ([]Span, error) {
		if err := guardJSON(object); err != nil {
			return nil, &event.Error{Reason: event.Printable(err.Error()), Remedy: remedy}
		}
		return decode(object)
	}
	_, err := f.open(r)
	if err == nil {
		err = f.documents()
	}
	return f.finish(err, remedy)
}

func newFile(name string, l Limits, remedy string) *file {
	return &file{name: name, limits: l, remedy: remedy, byID: make(map[TraceID]int)}
}

// finish returns the traces, with the error that ended the file, if one did.
func (f *file) finish(err error, remedy string) ([]Trace, error) {
	if err == nil && len(f.traces) == 0 {
		return nil, f.errorAt(0, "no spans in the file", remedy)
	}
	return f.traces, err
}

const remedyFile = "spans are read as the collector's file exporter writes them: messages in JSON, or messages in " +
	"protocol buffers"

func (l Limits) withDefaults() Limits {
	if l.Message <= 0 {
		l.Message = 16 << 20
	}
	if l.Memory <= 0 {
		l.Memory = 1 << 30
	}
	return l
}

// file is a file that is being read.
type file struct {
	name   string
	limits Limits
	decode func(message []byte) ([]Span, error)
	remedy string    // for what is no message
	from   io.Reader // which may be a *budget.Reader
	in     *bufio.Reader
	unit   string  // in front of the number of a message in positions
	memory int64   // of the spans so far
	source *Source // of the last span
	traces []Trace
	byID   map[TraceID]int
	zstd   *zstd.Decoder // of single messages; nil before the first
}

// errorAt is about the n-th message, or the whole file if n is 0.
func (f *file) errorAt(n int, reason, remedy string) *event.Error {
	return &event.Error{Pos: f.pos(n), Reason: reason, Remedy: remedy}
}

func (f *file) pos(n int) string {
	if n == 0 {
		return f.name
	}
	return fmt.Sprintf("%s%s%d", f.name, f.unit, n)
}

func (f *file) tooLong(n int) error {
	return f.errorAt(n, fmt.Sprintf("a message of more than %d bytes", f.limits.Message),
		"let the collector's batch processor make smaller ones")
}

// cut reports that a message could not be read.
func (f *file) cut(n int, err error) error {
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	bad := f.errorAt(n, "truncated: the message ends too early", "the file was cut off; take it anew")
	bad.Err = err
	return bad
}

// open opens a file, and returns its first byte without reading it.
func (f *file) open(r io.Reader) (first []byte, err error) {
	in, err := event.Uncompressed(r, f.name, maxUnfolded)
	if err != nil {
		return nil, err
	}
	f.from, f.in = r, bufio.NewReaderSize(in, 1<<16)
	head, _ := f.in.Peek(bom.Length)
	if bom.IsUTF16(head) {
		return nil, f.errorAt(0, bom.ReasonUTF16, bom.RemedyUTF16)
	}
	f.in.Discard(len(head) - len(bom.Trim(head)))
	first, err = f.in.Peek(1)
	if err == io.EOF {
		err = nil
	}
	return first, err
}

// read reads a file of any form.
func (f *file) read(r io.Reader) error {
	first, err := f.open(r)
	switch {
	case err != nil || len(first) == 0:
		return err
	}
	f.unit = ":message "
	switch c := first[0]; {
	case bytes.IndexByte([]byte("{[ \t\r"), c) >= 0:
		return f.documents()
	case int(c)<<24 <= f.limits.Message:
		return f.frames()
	case c == 1<<3|wireLength: // the first field of a message
		return f.whole()
	}
	return f.errorAt(0, "not a file of spans", remedyFile)
}

// maxUnfolded bounds the bytes of a decompressed file, since a small one can decompress to very many.
const maxUnfolded = 64 << 30

// frames reads messages after their lengths.
func (f *file) frames() error {
	var head [4]byte
	for n := 1; ; n++ {
		switch _, err := io.ReadFull(f.in, head[:]); {
		case err == io.EOF:
			return nil
		case err != nil:
			return f.cut(n, err)
		}
		size := binary.BigEndian.Uint32(head[:])
		if int64(size) > int64(f.limits.Message) {
			return f.tooLong(n)
		}
		message, err := f.take(int64(size))
		if err == nil && len(message) < int(size) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return f.cut(n, err)
		}
		if message, err = f.unfold(n, message); err != nil {
			return err
		}
		if err := f.add(n, message); err != nil {
			return err
		}
	}
}

// take reads up to size bytes, without trusting that there are as many.
func (f *file) take(size int64) ([]byte, error) {
	var b bytes.Buffer
	_, err := io.CopyN(&b, f.in, size)
	if err == io.EOF {
		err = nil
	}
	return b.Bytes(), err
}

// whole reads one message.
func (f *file) whole() error {
	message, err := f.take(int64(f.limits.Message) + 1)
	switch {
	case err != nil:
		return err
	case len(message) > f.limits.Message:
		return f.tooLong(1)
	}
	return f.add(1, message)
}

// unfold decompresses a compressed message.
func (f *file) unfold(n int, message []byte) ([]byte, error) {
	if !bytes.HasPrefix(message, []byte("\x28\xb5\x2f\xfd")) {
		return message, nil
	}
	if f.zstd == nil {
		limit := zstd.WithDecoderMaxMemory(uint64(f.limits.Message))
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), limit)
		if err != nil {
			return nil, err
		}
		f.zstd = d
	}
	plain, err := f.zstd.DecodeAll(message, nil)
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		return nil, f.tooLong(n)
	case err != nil:
		return nil, f.errorAt(n, "bad compressed message: "+event.Printable(err.Error()), remedyFile)
	}
	return plain, nil
}

// add adds the spans of a message, on that line or with that number.
func (f *file) add(n int, message []byte) error {
	spans, err := f.decode(message)
	var bad *event.Error
	// the collector may write logs and metrics to the same file
	if errors.As(err, &bad) && !errors.Is(err, errNoSpans) {
		bad.Pos = f.pos(n)
		return bad
	}
	for i := range spans {
		s := &spans[i]
		if f.memory += int64(s.Size()); s.Source != f.source {
			f.source = s.Source
			f.memory += int64(s.Source.Size())
		}
		if f.memory > f.limits.Memory {
			return f.errorAt(n, fmt.Sprintf("the spans take more than %d bytes of memory", f.limits.Memory),
				"split the file, with all spans of a trace in one part")
		}
		t, ok := f.byID[s.Trace]
		if !ok {
			t = len(f.traces)
			f.byID[s.Trace] = t
			f.traces = append(f.traces, Trace{ID: s.Trace, name: f.name})
		}
		spans := f.traces[t].Spans
		if err := budget.ChargeGrowth(f.from, spans); err != nil {
			return err
		}
		f.traces[t].Spans = append(spans, *s)
	}
	return nil
}
