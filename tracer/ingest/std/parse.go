package std

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/internal/lines"
	"github.com/cespare/xxhash/v2"
)

// operation is the operation of a line.
type operation uint8

const (
	read operation = iota
	write
	acquire
	release
	fork
	join
	begin
	end
	wait
	notify
	notifyAll
	request
)

// operations are the words of the format.
var operations = [...]string{
	read: "r", write: "w", acquire: "acq", release: "rel", fork: "fork", join: "join", begin: "begin", end: "end",
	wait: "wait", notify: "notify", notifyAll: "notifyAll", request: "req",
}

// operationValues are the words as values.
var operationValues = func() (values [len(operations)]event.Value) {
	for o, word := range operations {
		values[o] = event.StringValue(word)
	}
	return values
}()

// record is a line. Threads, operands and places are indexes of names.
type record struct {
	thread, operand, place, line int32
	operation                    operation
}

// log is the content of a log, up to the first error.
type log struct {
	name    string
	names   []string         // each once; the first is ""
	values  []event.Value    // the names as values
	numbers map[string]int32 // of names
	// unless the log can be read again; in blocks, all full but the last: a single slice would need
	// its memory twice while it grows
	records [][]record
	count   int // of records
	has     [len(operations)]bool
	sum     *xxhash.Digest // of the lines of the records
	initial []int32        // threads that are never forked, in the order in which they appear
	threads map[int32]*thread
	twins   map[int32]int32 // threads by other names that forks and joins use
	broken  error           // the error after the last record, if any

	warnings []string
}

const (
	maxLine  = 1 << 16 // bytes
	maxNames = math.MaxInt32
	block    = 1 << 15 // records
)

// parse reads lines until one is wrong, and keeps their records if keep is set.
func parse(in io.Reader, name string, size int64, keep bool) *log {
	l := &log{name: name, names: []string{""}, values: []event.Value{event.StringValue("")},
		numbers: map[string]int32{"": 0}, threads: map[int32]*thread{}, twins: map[int32]int32{}, sum: xxhash.New()}
	scanner := l.scanner(in, size)
	for l.broken == nil && scanner.Scan() {
		l.broken = l.add(scanner.Line(), int32(scanner.Number()), keep)
	}
	l.broken = cmp.Or(l.broken, scanner.Err())
	l.assume()
	return l
}

func (l *log) scanner(in io.Reader, size int64) *scanner {
	return &scanner{Scanner: lines.NewScanner(in, l.name, lines.Limits{
		Size: size, SizeRemedy: "check a part of it",
		Line: maxLine, LineRemedy: "this is no log in the STD format",
	})}
}

// scanner reads the lines of a log. It skips lines with further frames of a stack: loggers indent
// these below the operation.
type scanner struct {
	*lines.Scanner
	begun bool // a line was read
}

func (s *scanner) Scan() bool {
	for s.Scanner.Scan() {
		if !s.begun || s.Indent() == 0 || bytes.IndexByte(s.Line(), '|') >= 0 {
			s.begun = true
			return true
		}
	}
	return false
}

func (l *log) fault(line int32, reason, remedy string) error {
	return &event.Error{Pos: l.pos(line), Reason: reason, Remedy: remedy}
}

func (l *log) pos(line int32) string { return fmt.Sprintf("%s:%d", l.name, line) }

const remedyLine = "a line is like T1|acq(L34)|120: the thread, the operation with its operand, the place in the " +
	"program"

// add adds the record of a line.
func (l *log) add(line []byte, n int32, keep bool) error {
	r, err := l.record(line, n)
	if err == nil {
		err = l.noteInitial(&r)
	}
	if err != nil {
		return err
	}
	l.count++
	l.has[r.operation] = true
	if keep {
		l.keep(r)
	} else {
		sumLine(l.sum, line, n)
	}
	return nil
}

func (l *log) keep(r record) {
	last := len(l.records) - 1
	if last < 0 || len(l.records[last]) == block {
		l.records = append(l.records, make([]record, 0, block))
		last++
	}
	l.records[last] = append(l.records[last], r)
}

// sumLine adds a line and its number to a checksum.
func sumLine(sum *xxhash.Digest, line []byte, n int32) {
	var number [4]byte
	binary.LittleEndian.PutUint32(number[:], uint32(n))
	_, _ = sum.Write(number[:])
	_, _ = sum.Write(line)
}

// record reads a line.
func (l *log) record(line []byte, n int32) (r record, err error) {
	thread, rest, ok := bytes.Cut(line, []byte("|"))
	if !ok || len(thread) == 0 {
		return r, l.fault(n, fmt.Sprintf("%.60q is no operation of a thread", line), remedyLine)
	}
	what, place, ok := bytes.Cut(rest, []byte("|"))
	if !ok {
		return r, l.fault(n, fmt.Sprintf("%.60q has no place", line), remedyLine)
	}
	word, operand, ok := operandOf(what)
	if !ok {
		return r, l.fault(n, fmt.Sprintf("the operand of %.60q has no end", what), remedyLine)
	}
	r = record{thread: l.number(thread), operand: l.number(operand), place: l.number(place), line: n}
	if r.operation, ok = operationOf(word); !ok {
		return r, l.fault(n, fmt.Sprintf("unknown operation %.60q", word),
			"the operations are r, w, acq, rel, fork, join, begin, end, wait, notify, notifyAll and req")
	}
	if r.operand == 0 && r.operation != begin && r.operation != end {
		return r, l.fault(n, fmt.Sprintf("%s without an operand", operations[r.operation]), remedyLine)
	}
	return r, nil
}

// operandOf splits "acq(L34)". The operand may contain parentheses.
func operandOf(what []byte) (word, operand []byte, ok bool) {
	word, operand, ok = bytes.Cut(what, []byte("("))
	if !ok {
		return word, nil, true
	}
	operand, ok = bytes.CutSuffix(operand, []byte(")"))
	return word, operand, ok
}

func operationOf(word []byte) (operation, bool) {
	for o, w := range operations {
		if string(word) == w {
			return operation(o), true
		}
	}
	return 0, false
}

func (l *log) number(name []byte) int32 {
	n, ok := l.numbers[string(name)]
	if !ok {
		n = int32(len(l.names))
		l.names = append(l.names, string(name))
		l.values = append(l.values, event.StringValue(l.names[n]))
		l.numbers[l.names[n]] = n
	}
	return n
}
