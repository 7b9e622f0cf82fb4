package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/clause"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/internal/tracer/process/exe"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// rawTrace reads what an executable made by "antichain build" has written. What its records
// mean stands in the executable, which must still be there.
type rawTrace struct {
	name    string
	records *ring.FileReader
	process *process.Process
	emit    func(*event.Event) error // keep
	to      *event.Event             // where Next wants the event; nil once it is there
	pending []*event.Event           // emitted by one record, not yet delivered
	room    []event.Record           // for records to be delivered
	ended   bool
	count   int
	err     error
}

// IsRaw reports whether a file is such a trace.
func IsRaw(f *os.File) bool {
	head := make([]byte, ring.HeaderSize)
	n, err := f.ReadAt(head, 0)
	return (err == nil || errors.Is(err, io.EOF)) && ring.IsFile(head[:n])
}

// openRawTrace opens a trace and the executable that wrote it.
func openRawTrace(path string) (*rawTrace, error) {
	records, err := ring.OpenFile(path)
	if err != nil {
		return nil, err
	}
	p, err := interpreter(records.Identity(), nil)
	if err != nil {
		records.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r := &rawTrace{name: path, records: records, process: p}
	r.emit = r.keep
	return r, nil
}

// interpreter makes sense of the records of the executable that they name. With a watcher it passes
// the operations to that, else it puts them into the trace.
func interpreter(id ring.Identity, watch op.Watcher) (*process.Process, error) {
	if info, err := os.Stat(id.Exe); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the executable that wrote it, %q, is missing: the trace can be read only beside it", id.Exe)
	}
	tables, err := instrument.ReadTables(id.Exe)
	if err != nil && !errors.Is(err, instrument.ErrNotTraced) {
		return nil, err
	}
	ids := make([]string, len(tables))
	for i, t := range tables {
		ids[i] = t.SpecID
	}
	if strings.Join(ids, ",") != id.Spec {
		return nil, fmt.Errorf("%q has been rebuilt with another specification since it wrote this trace: run it again", id.Exe)
	}
	table, err := instrument.TableOf(id.Exe)
	if err != nil {
		return nil, err
	}
	symbols, err := exe.Open(id.Exe, exe.Options{Root: table.Root})
	if err != nil {
		return nil, err
	}
	symbols.Rebase(id.Text)
	if watch != nil {
		return process.New(table, symbols, process.Options{Env: symbols.HasUnstarted(), Program: id.Exe, Watch: watch})
	}
	return process.New(table, symbols, process.Options{
		Full: len(table.Sites) == 0, Env: symbols.HasUnstarted(), Program: id.Exe,
		Record: id.Operations, Accesses: id.Accesses, Hidden: instrument.HiddenInExecutable, Behind: clause.Pairs(report.Source{Dirs: []string{table.Root}}.File),
	})
}

// Header reads on until the header is known.
func (r *rawTrace) Header() (*event.Header, error) {
	for r.process.Header() == nil && r.err == nil {
		r.advance()
	}
	if r.process.Header() == nil {
		return nil, r.err
	}
	return r.process.Header(), nil
}

// Next returns the next event.
func (r *rawTrace) Next(e *event.Event) error {
	if len(r.pending) > 0 {
		e.CopyFrom(r.pending[0])
		r.pending = r.pending[1:]
		r.count++
		return nil
	}
	r.to = e
	for r.to != nil {
		if r.err != nil {
			r.to = nil
			return r.err
		}
		r.advance()
	}
	r.count++
	return nil
}

// keep takes an event, which is emitted and reused.
func (r *rawTrace) keep(e *event.Event) error {
	to := r.to
	if r.to = nil; to == nil {
		to = new(event.Event)
		r.pending = append(r.pending, to)
	}
	to.CopyFrom(e)
	if e.Record != nil {
		to.Record = r.clone(e.Record)
	}
	return nil
}

// clone returns a copy of a record. As there are many, they get their memory by the hundred.
func (r *rawTrace) clone(rec *event.Record) *event.Record {
	if len(r.room) == 0 {
		r.room = make([]event.Record, 100)
	}
	c := &r.room[0]
	r.room = r.room[1:]
	*c = *rec
	c.Payload = bytes.Clone(rec.Payload)
	return c
}

// Pos says where the last event came from.
func (r *rawTrace) Pos() string { return r.name + ":event " + strconv.Itoa(r.count) }

// advance reads one record, or ends the trace.
func (r *rawTrace) advance() {
	if r.ended {
		r.err = io.EOF
		return
	}
	rec, err := r.records.Next()
	switch {
	case err == nil:
		r.err = r.process.Feed(rec, r.emit)
	case errors.Is(err, io.EOF):
		r.ended = true
		r.err = r.process.Finish(r.emit)
	default:
		r.err = err
	}
}

// Missing says why the trace supports no verdict, and what to do, or "".
func (r *rawTrace) Missing() string {
	return missing(r.records.Stats(), r.process.Stats())
}

func missing(file ring.Stats, read process.Stats) string {
	n := file.Missing() + read.Corrupt
	if n == 0 {
		return ""
	}
	why := read.First
	switch {
	case file.Lost > 0:
		why = "the trace file could not grow; run it again where there is room for a larger one, or build it with a specification that names less"
	case file.Corrupt > 0:
		why = "a part of the trace file makes no sense; run the program again"
	}
	return LostRecords(n, why)
}

// Close closes the file.
func (r *rawTrace) Close() error { return r.records.Close() }

// LostRecords says that a program recorded more than there is.
func LostRecords(records uint64, why string) string {
	return fmt.Sprintf("at least %s of the program lost: %s", wording.Plural(int(records), "record"), why)
}

// IsRegular reports whether the word is of a file that can grow.
func IsRegular(word string) bool {
	info, err := os.Stat(word)
	return err == nil && info.Mode().IsRegular()
}
