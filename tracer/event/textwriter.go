package event

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// TextWriter writes the text form of a trace: keys in a fixed order, without white space and absent
// fields. Reading it yields the same events.
type TextWriter struct {
	out    *bufio.Writer
	check  checker
	events int
	line   []byte
	sum    *lineSum // nil before version 2
	err    error    // sticky
}

// NewTextWriter returns a writer of a trace in text form. If no reader would accept the header, the
// first Write, Flush or Close returns an error.
func NewTextWriter(w io.Writer, h *Header) *TextWriter {
	t := &TextWriter{out: bufio.NewWriterSize(w, 1<<16)}
	if t.err = headerError(h); t.err == nil {
		t.check = newChecker(h)
		if h.Version >= 2 {
			t.sum = new(lineSum)
		}
		t.writeLine(appendHeader(nil, h))
	}
	return t
}

// headerError returns an error for a header that a writer cannot write.
func headerError(h *Header) error {
	if err := h.check(); err != nil {
		return &Error{Pos: "header", Reason: err.Error()}
	}
	return nil
}

// eventError returns an error for the n-th written event.
func eventError(n int, err error) error {
	return &Error{Pos: fmt.Sprintf("event %d", n), Reason: err.Error()}
}

// Write implements Writer.
func (t *TextWriter) Write(e *Event) error {
	if t.err != nil {
		return t.err
	}
	t.events++
	if err := t.check.next(e); err != nil {
		t.err = eventError(t.events, err)
		return t.err
	}
	t.writeLine(AppendText(t.line[:0], e))
	return t.err
}

func (t *TextWriter) writeLine(line []byte) {
	if t.sum != nil {
		t.sum.add(line)
	}
	t.line = append(line, '\n')
	_, t.err = t.out.Write(t.line)
	if t.sum != nil && t.sum.full() {
		t.writeSum()
	}
}

func (t *TextWriter) writeSum() {
	if t.err == nil {
		_, t.err = t.out.Write(append(t.sum.finishLine(), '\n'))
	}
}

// Flush implements Writer.
func (t *TextWriter) Flush() error {
	if t.err == nil {
		t.err = t.out.Flush()
	}
	return t.err
}

// Close implements Writer. Readers treat a trace of version 2 that was not closed as truncated.
func (t *TextWriter) Close() error {
	if t.sum != nil && t.sum.lines > 0 {
		t.writeSum()
	}
	return t.Flush()
}

// AppendText appends the line of e in the text form, without its end.
func AppendText(dst []byte, e *Event) []byte {
	switch {
	case e.Record != nil:
		return appendRecord(dst, e)
	case e.Code != nil:
		return append(e.Code.toValue().AppendJSON(append(dst, `{"code":`...)), '}')
	}
	dst = appendJSONString(append(dst, `{"t":`...), e.Task)
	dst = appendText(dst, keyEnter, e.Enter)
	dst = appendText(dst, keyExit, e.Exit)
	dst = appendText(dst, keySpawn, e.Spawn)
	dst = appendVars(dst, keySet, e.Set)
	dst = appendVars(dst, keyGlobal, e.Global)
	dst = appendVars(dst, keyWrite, e.Write)
	dst = appendRefs(dst, keyAfter, e.After)
	dst = appendRefs(dst, keyWith, e.With)
	dst = appendText(dst, keyOp, e.Op)
	dst = appendText(dst, keyObj, e.Obj)
	dst = appendText(dst, keyAt, e.At)
	if e.TS != 0 {
		dst = strconv.AppendInt(appendKey(dst, eventKeys[keyTS]), e.TS, 10)
	}
	return append(appendExtra(dst, e.Extra), '}')
}

func appendText(dst []byte, k eventKey, s string) []byte {
	if s == "" {
		return dst
	}
	return appendJSONString(appendKey(dst, eventKeys[k]), s)
}

func appendVars(dst []byte, k eventKey, bs []Binding) []byte {
	if len(bs) == 0 {
		return dst
	}
	return appendBindings(appendKey(dst, eventKeys[k]), bs)
}

func appendRefs(dst []byte, k eventKey, refs []Ref) []byte {
	if len(refs) == 0 {
		return dst
	}
	dst = append(appendKey(dst, eventKeys[k]), '[')
	for i, r := range refs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendJSONString(append(dst, '['), r.Task), ',')
		dst = append(strconv.AppendInt(dst, int64(r.K), 10), ']')
	}
	return append(dst, ']')
}
