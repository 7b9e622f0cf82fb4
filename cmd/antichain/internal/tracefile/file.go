// Package tracefile writes trace files atomically: a file is complete, or it is not there.
package tracefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/atomicfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/tracer/event"
)

// Form is one of the forms of a trace.
type Form string

// The forms of a trace.
const (
	Text   Form = "text"
	Binary Form = "binary"
)

// FormOf returns the form for the name of a file: text for .jsonl and .json.
func FormOf(path string) Form {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".jsonl", ".json":
		return Text
	}
	return Binary
}

// File is a trace that is being written. It gets its name when it is complete, so a
// reader never sees half of one and a failure leaves the old file alone.
type File struct {
	event.Writer
	buffer *bufio.Writer
	file   *os.File // nil if the trace goes to a stream
	path   string
}

// Create starts a trace file. Values of the traced program are in it, so it is for the
// user alone (0600). Only another trace is ever overwritten.
func Create(path string, form Form, h *event.Header) (*File, error) {
	if err := CheckOverwritable(path); err != nil {
		return nil, err
	}
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	f, err := os.CreateTemp(dir, "."+base+".*") // mode 0600
	if err != nil {
		return nil, err
	}
	t := NewStream(f, form, h)
	t.file, t.path = f, path
	return t, nil
}

// NewStream starts a trace on a stream.
func NewStream(w io.Writer, form Form, h *event.Header) *File {
	t := &File{buffer: bufio.NewWriterSize(w, 1<<16)}
	if form == Text {
		t.Writer = event.NewTextWriter(t.buffer, h)
	} else {
		t.Writer = event.NewBinaryWriter(t.buffer, h)
	}
	return t
}

// Finish ends the trace and gives the file its name.
func (t *File) Finish() error {
	err := t.Writer.Close()
	if err == nil {
		err = t.buffer.Flush()
	}
	if t.file == nil {
		return err
	}
	if cerr := t.file.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(t.file.Name(), t.path)
	}
	if err != nil {
		os.Remove(t.file.Name())
	}
	return err
}

// Abandon throws the unfinished trace away.
func (t *File) Abandon() {
	if t.file != nil {
		t.file.Close()
		os.Remove(t.file.Name())
	}
}

// CheckOverwritable returns an error if path holds something that is not a trace, or if
// no file could be there.
func CheckOverwritable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return atomicfile.Writable(path)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file: choose another name for the trace", path)
	}
	if err := atomicfile.Writable(path); err != nil || info.Size() == 0 {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if input.IsRaw(f) {
		return nil
	}
	r, err := event.Open(f, path)
	if err == nil {
		_, err = r.Header()
	}
	if err != nil {
		return fmt.Errorf("%s exists and is not a trace: remove it or choose another name for the trace", path)
	}
	return nil
}
