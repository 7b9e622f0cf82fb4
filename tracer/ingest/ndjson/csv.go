package ndjson

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/antichain-go/antichain/internal/bom"
	"github.com/antichain-go/antichain/tracer/event"
)

const remedyCSV = "the first line names the columns, and each line after it has as many cells"

// ReadCSV is [Read] for a log of cells that commas, semicolons or tabs separate. Its first line
// names the fields; a column without a name is left out. A cell that is empty is no field. One that
// is true, false or a number, as JSON writes it, is that, and any other one a string.
func ReadCSV(r io.Reader, name string, m *Mapping, o Options) ([]*Run, error) {
	o = o.withDefaults()
	in := &bounded{in: r, left: o.Size, record: o.Line + readAhead}
	buffered := bufio.NewReader(in)
	head, err := buffered.Peek(readAhead)
	if err != nil && err != io.EOF {
		return nil, event.ReadError(name, err)
	}
	if bom.IsUTF16(head) {
		return nil, &event.Error{Pos: name, Reason: bom.ReasonUTF16, Remedy: bom.RemedyUTF16}
	}
	_, _ = buffered.Discard(len(head) - len(bom.Trim(head))) // it was peeked
	cells := csv.NewReader(buffered)
	cells.Comma = separatorOf(bom.Trim(head))
	cells.ReuseRecord = true
	l := newLog(r, name, m)
	var names []string
	for {
		in.record = o.Line + readAhead
		row, err := cells.Read()
		if err == io.EOF {
			return l.finish(nil)
		}
		if err != nil {
			return nil, l.csvError(err, o)
		}
		l.line, _ = cells.FieldPos(0)
		if names == nil {
			names, err = l.columns(row)
		} else if line, bad := l.object(names, row, cells); bad != nil {
			err = bad
		} else {
			err = l.add(line)
		}
		if err != nil {
			return nil, err
		}
	}
}

// readAhead is at most what the readers have read behind a record.
const readAhead = 1 << 12

// separatorOf returns the separator that occurs most often in the first line.
func separatorOf(head []byte) rune {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	best := ','
	for _, separator := range ";\t" {
		if bytes.Count(line, []byte(string(separator))) > bytes.Count(line, []byte(string(best))) {
			best = separator
		}
	}
	return best
}

// columns returns the names of the columns.
func (l *log) columns(row []string) ([]string, error) {
	names, has := make([]string, len(row)), map[string]bool{}
	for i, name := range row {
		names[i] = strings.TrimSpace(name)
		switch {
		case has[names[i]] && names[i] != "":
			return nil, l.fault(fmt.Sprintf("two columns %.60q", names[i]), remedyCSV)
		case !utf8.ValidString(name):
			return nil, l.fault(fmt.Sprintf("the name of a column, %.60q, is not in UTF-8", name), "convert the log")
		}
		has[names[i]] = true
	}
	return names, nil
}

// object returns the object that a row is.
func (l *log) object(names, row []string, cells *csv.Reader) (event.Value, error) {
	var fields []event.Binding
	for i, cell := range row {
		if cell == "" || names[i] == "" {
			continue
		}
		if !utf8.ValidString(cell) {
			line, column := cells.FieldPos(i)
			return event.Value{}, &event.Error{Pos: fmt.Sprintf("%s:%d:%d", l.name, line, column),
				Reason: fmt.Sprintf("%.40q is not in UTF-8", cell), Remedy: "convert the log"}
		}
		fields = append(fields, event.Binding{Name: names[i], Value: valueOf(strings.Clone(cell))})
	}
	return event.ObjectValue(fields), nil
}

// valueOf returns the value of a cell. A number that would lose digits remains a string.
func valueOf(cell string) event.Value {
	var v event.Value
	if err := v.UnmarshalJSON([]byte(cell)); err != nil || v.String() != cell {
		return event.StringValue(cell)
	}
	switch v.Kind() {
	case event.Bool, event.Int, event.Uint, event.Float:
		return v
	}
	return event.StringValue(cell)
}

// csvError returns the error that has ended a log.
func (l *log) csvError(err error, o Options) error {
	at := new(csv.ParseError)
	switch {
	case errors.Is(err, errRecord):
		return &event.Error{Pos: fmt.Sprintf("%s:%d", l.name, l.line+1),
			Reason: fmt.Sprintf("a line of more than %d bytes", o.Line), Remedy: "is a quote left open?"}
	case errors.Is(err, errWhole):
		return l.fault(fmt.Sprintf("a log of more than %d bytes", o.Size), "split it into several")
	case errors.As(err, &at):
		return &event.Error{Pos: fmt.Sprintf("%s:%d:%d", l.name, at.Line, at.Column),
			Reason: event.Printable(at.Err.Error()), Remedy: remedyCSV}
	}
	return event.ReadError(l.name, err)
}

var errRecord, errWhole = errors.New("a record is too long"), errors.New("the log is too large")

// bounded fails when a record or the whole log is too long.
type bounded struct {
	in     io.Reader
	left   int64 // bytes of the log
	record int   // bytes up to the end of the record
}

func (b *bounded) Read(p []byte) (int, error) {
	switch {
	case b.record <= 0:
		return 0, errRecord
	case b.left < 0:
		return 0, errWhole
	}
	n, err := b.in.Read(p[:min(len(p), readAhead)])
	b.left -= int64(n)
	b.record -= n
	return n, err
}
