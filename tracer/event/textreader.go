package event

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/antichain-go/antichain/internal/bom"
)

// TextReader reads the text form of a trace, which may begin with a byte order mark. It delivers
// each line as it arrives, so it reads pipes as well as files.
type TextReader struct {
	in     *bufio.Reader
	name   string
	limits Limits
	header *Header
	check  checker
	scan   scanner
	line   int // number of the line read last
	sum    lineSum
	long   []byte // backs a line that does not fit into in's buffer
	err    error  // sticky
}

// NewTextReader returns a reader of a trace in text form with default limits. The name
// is used in positions.
func NewTextReader(r io.Reader, name string) *TextReader {
	return newTextReader(r, name, Limits{})
}

func newTextReader(r io.Reader, name string, limits Limits) *TextReader {
	limits = limits.withDefaults()
	return &TextReader{
		in:     bufio.NewReaderSize(r, 1<<16),
		name:   name,
		limits: limits,
		scan:   scanner{depth: limits.Depth, pool: newPool()},
	}
}

// Pos returns "file:line" of the last event, or of the header before the first one.
func (r *TextReader) Pos() string { return r.name + ":" + strconv.Itoa(r.line) }

// Header returns the header, and reads it at the first call.
func (r *TextReader) Header() (*Header, error) {
	if r.header == nil && r.err == nil {
		r.err = r.readHeader()
	}
	return r.header, r.errBefore()
}

// errBefore returns the error that prevented the header from being read.
func (r *TextReader) errBefore() error {
	if r.header != nil {
		return nil
	}
	return r.err
}

func (r *TextReader) readHeader() error {
	line, complete, err := r.readLine()
	if err == io.EOF {
		r.line++
		return r.errorOf(&lineError{reason: "missing header: the trace is empty"}, true)
	}
	if err != nil {
		return err
	}
	r.scan.reset(line)
	h, err := parseHeader(&r.scan)
	if err != nil {
		return r.errorOf(err, complete)
	}
	if h.Sums {
		r.sum.add(line)
	}
	r.header, r.check, r.scan.version = h, newChecker(h), h.Version
	return nil
}

// Next implements Reader.
func (r *TextReader) Next(e *Event) error {
	if _, err := r.Header(); err != nil {
		return err
	}
	if r.err == nil {
		r.err = r.readEvent(e)
	}
	return r.err
}

func (r *TextReader) readEvent(e *Event) error {
	line, complete, err := r.readLine()
	for err == nil && r.header.Sums && isSum(line) {
		if err := r.sum.check(line); err != nil {
			return r.errorOf(err, complete)
		}
		line, complete, err = r.readLine()
	}
	if err == io.EOF && r.header.Sums && r.sum.lines > 0 {
		return &Error{Pos: r.Pos(), Reason: "truncated: the checksum of the last lines is missing", Remedy: RemedyCut}
	}
	if err != nil {
		return err
	}
	if r.header.Sums {
		r.sum.add(line)
	}
	r.scan.reset(line)
	e.Reset()
	if err := r.scan.event(e); err != nil {
		return r.errorOf(err, complete)
	}
	if err := r.check.next(e); err != nil {
		return r.errorOf(err, complete)
	}
	return nil
}

// readLine returns the next nonempty line, without its end; complete reports whether it had one.
// The line is valid until the next call.
func (r *TextReader) readLine() (line []byte, complete bool, err error) {
	for {
		line, err = r.rawLine()
		if err != nil && err != io.EOF {
			return nil, false, err
		}
		if r.line == 0 {
			if bom.IsUTF16(line) {
				r.line++
				return nil, false, r.errorOf(&lineError{reason: bom.ReasonUTF16, remedy: bom.RemedyUTF16}, true)
			}
			line = bom.Trim(line)
		}
		if err == nil || len(line) > 0 {
			r.line++
		}
		r.scan.reset(line)
		if r.scan.peek(); r.scan.pos < len(line) {
			return line, err == nil, nil
		}
		if err == io.EOF {
			return nil, false, io.EOF
		}
	}
}

// rawLine returns the next line; together with io.EOF the last one, which may be empty.
func (r *TextReader) rawLine() ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		r.long = r.long[:0]
		for err == bufio.ErrBufferFull && len(r.long)+len(line) <= r.limits.Line {
			r.long = append(r.long, line...)
			line, err = r.in.ReadSlice('\n')
		}
		r.long = append(r.long, line...)
		line = r.long
	}
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	if len(line) > r.limits.Line {
		r.line++
		return nil, &Error{
			Pos:    r.Pos(),
			Reason: fmt.Sprintf("line of more than %d bytes", r.limits.Line),
			Remedy: "record smaller values",
		}
	}
	if err != nil && err != io.EOF {
		return nil, ReadError(r.name+":"+strconv.Itoa(r.line+1), err)
	}
	return line, err
}

// RemedyCut is the remedy for a trace that was cut off.
const RemedyCut = "the trace was cut off; the events before the cut can be read"

// ReadError returns the error to report for a failed read of the input, which is no fault of the
// trace. An error that has a position already stays unchanged.
func ReadError(pos string, err error) error {
	if placed, ok := errors.AsType[*Error](err); ok {
		return placed
	}
	if le, ok := errors.AsType[*lineError](err); ok {
		if le.column > 0 {
			pos += ":" + strconv.Itoa(le.column)
		}
		return &Error{Pos: pos, Reason: le.reason, Remedy: le.remedy}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{Pos: pos, Reason: "truncated: the compressed data ends too early", Remedy: RemedyCut, Err: err}
	}
	return &Error{Pos: pos, Reason: "reading: " + Printable(err.Error()), Err: err}
}

// errorOf adds the position to an error of the current line.
func (r *TextReader) errorOf(err error, complete bool) error {
	if le, ok := err.(*lineError); ok && le.short && !complete {
		err = &lineError{column: le.column, reason: "truncated last line: " + le.reason, remedy: RemedyCut}
	}
	return ReadError(r.Pos(), err)
}
