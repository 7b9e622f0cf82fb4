// Package lines reads the lines of a log that is a text, within limits.
package lines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/internal/bom"
	"github.com/antichain-go/antichain/tracer/event"
)

// Limits bound a log, and have remedies for a log that exceeds them.
type Limits struct {
	Size       int64 // bytes of the log
	Line       int   // bytes of a line
	SizeRemedy string
	LineRemedy string
}

// Scanner reads the lines of a log that are not blank.
type Scanner struct {
	in     *input
	lines  *bufio.Scanner
	name   string
	limits Limits
	number int
	line   []byte
	indent int   // bytes of blanks before the line
	err    error // of a line
}

// NewScanner returns a scanner of a log, which may begin with a byte order mark. The name is used
// in positions.
func NewScanner(r io.Reader, name string, limits Limits) *Scanner {
	s := &Scanner{in: &input{r: r, left: limits.Size}, name: name, limits: limits}
	s.lines = bufio.NewScanner(s.in)
	s.lines.Buffer(nil, limits.Line)
	s.lines.Split(s.split)
	return s
}

// split is bufio.ScanLines, except that it drops the text before an error of the input: it may be
// half a line.
func (s *Scanner) split(data []byte, atEOF bool) (advance int, line []byte, err error) {
	if atEOF && s.in.err != nil && bytes.IndexByte(data, '\n') < 0 {
		return len(data), nil, nil
	}
	return bufio.ScanLines(data, atEOF)
}

// Scan moves to the next line. It returns false at the end of the log, or before an error.
func (s *Scanner) Scan() bool {
	for s.lines.Scan() {
		line := bom.Trim(s.lines.Bytes())
		switch {
		case s.number == 0 && bom.IsUTF16(line):
			s.err = s.errorBehind(bom.ReasonUTF16, bom.RemedyUTF16)
			return false
		case s.number > 0 && len(line) < len(s.lines.Bytes()):
			s.err = s.errorBehind("a byte order mark, as at the beginning of a log",
				"check logs that were joined one by one, or remove it")
			return false
		}
		s.number++
		if s.line = bytes.TrimSpace(line); len(s.line) > 0 {
			s.indent = bytes.Index(line, s.line)
			return true
		}
	}
	return false
}

// Line returns the line without blanks around it. It is valid until the next call of Scan.
func (s *Scanner) Line() []byte { return s.line }

// Indent returns the number of bytes of the blanks before the line.
func (s *Scanner) Indent() int { return s.indent }

// Number returns the number of the line, from 1.
func (s *Scanner) Number() int { return s.number }

// Err returns the error that stopped the scan early, nil if none did.
func (s *Scanner) Err() error {
	if s.err != nil {
		return s.err
	}
	switch err := s.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return s.errorBehind(fmt.Sprintf("a line of more than %d bytes", s.limits.Line), s.limits.LineRemedy)
	case errors.Is(err, errSize):
		return s.errorBehind(fmt.Sprintf("a log of more than %d bytes", s.limits.Size), s.limits.SizeRemedy)
	case err != nil:
		return event.ReadError(s.name, err)
	}
	return nil
}

// errorBehind returns an error about the next line.
func (s *Scanner) errorBehind(reason, remedy string) error {
	return &event.Error{Pos: fmt.Sprintf("%s:%d", s.name, s.number+1), Reason: reason, Remedy: remedy}
}

var errSize = errors.New("the log is too large")

// input remembers the error that ended it, and fails when it is too large.
type input struct {
	r    io.Reader
	left int64 // bytes
	err  error
}

func (in *input) Read(b []byte) (int, error) {
	if in.err != nil {
		return 0, in.err
	}
	n, err := in.r.Read(b)
	if in.left -= int64(n); in.left < 0 {
		n, err = max(0, n+int(in.left)), errSize
	}
	if err != io.EOF {
		in.err = err
	}
	return n, err
}
