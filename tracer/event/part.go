package event

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/klauspost/compress/zstd"
)

// Parts are independent pieces of a trace: whole lines of the text form, or one block of the binary
// form, whose tables are empty where it begins. The header is a line of text, and so is the part
// with it.

// PartWriter writes the parts of the trace of one source.
type PartWriter struct {
	text   bool
	summed bool // since version 2
	check  checker
	enc    encoder
	zstd   *zstd.Encoder
	lines  []byte // the current part, in the text form
	size   int    // capacity for the next part
	events int    // number of events in it
	total  int    // number of events in all parts, including the current one
}

// NewPartWriter returns a writer of parts, and the first part, which is the header. Unless text is
// set, the other parts are binary blocks.
func NewPartWriter(h *Header, text bool) (w *PartWriter, first []byte, err error) {
	if err := headerError(h); err != nil {
		return nil, nil, err
	}
	w = &PartWriter{text: text, check: newChecker(h), summed: h.Version >= 2}
	if !text {
		w.enc.init()
		w.zstd, err = newBlockEncoder()
	}
	first = appendHeader(nil, h)
	if w.summed {
		var sum lineSum
		sum.add(first)
		first = append(append(first, '\n'), sum.finishLine()...)
	}
	return w, append(first, '\n'), err
}

// Write adds an event to the current part. After an error nothing was added, and the writer is
// unusable.
func (w *PartWriter) Write(e *Event) error {
	w.total++
	err := w.check.next(e)
	if err == nil {
		if w.text {
			if w.lines == nil {
				w.lines = make([]byte, 0, w.size)
			}
			w.lines = append(AppendText(w.lines, e), '\n')
		} else {
			err = w.enc.event(e)
		}
	}
	if err != nil {
		return eventError(w.total, err)
	}
	w.events++
	return nil
}

// Events returns the number of events in the current part.
func (w *PartWriter) Events() int { return w.events }

// Size returns the size of the current part in bytes, before compression.
func (w *PartWriter) Size() int { return len(w.lines) + len(w.enc.raw) }

// Take returns the current part, which the caller owns, and begins another one. It returns nil if
// there are no events.
func (w *PartWriter) Take() []byte {
	if w.events == 0 {
		return nil
	}
	w.events = 0
	if w.text {
		part := w.lines
		if w.summed {
			var sum lineSum
			sum.add(part[:len(part)-1])
			part = append(append(part, sum.finishLine()...), '\n')
		}
		w.lines, w.size = nil, len(part)+len(part)/8 // the next part is mostly as long
		return part
	}
	packed := w.zstd.EncodeAll(w.enc.raw, nil)
	part := appendBlock(make([]byte, 0, len(packed)+40), &w.enc, packed, w.summed)
	w.enc.raw, w.enc.events = w.enc.raw[:0], 0
	w.enc.reset()
	w.enc.ts = 0
	return part
}

// HasHeader reports whether a part begins with the header of a trace.
func HasHeader(part []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(part, "\r\n\t "), []byte("\n"))
	switch {
	case bytes.HasPrefix(line, []byte(`{"`+headerMark+`"`)):
		return true // reading it reports its faults
	case !bytes.Contains(line, []byte(`"`+headerMark+`"`)):
		return false
	}
	pairs, err := headerPairs(&scanner{line: line, depth: Limits{}.withDefaults().Depth, pool: new(pool)})
	if err != nil {
		return false
	}
	_, ok := ObjectValue(pairs).Field(headerMark)
	return ok
}

// PartReader reads parts, in sequence and of any traces. It knows only the current part, so the
// builder of the net finds events that do not match those of other parts.
type PartReader struct {
	limits Limits
	name   string
	rest   []byte // of a part in the text form
	line   int    // number of the line read last
	scan   scanner
	check  checker

	// the header that was read last, and its line, nil if there was none, or a long one: of many
	// short traces it is mostly the same
	latest     Header
	latestLine []byte

	blocks    blockDecoder
	dec       decoder
	events    uint64 // of the block, read so far
	remaining uint64 // events left in the block
	block     bool   // the current part is a block
	summed    bool   // it has a checksum
}

// NewPartReader returns a reader with the given limits.
func NewPartReader(limits Limits) *PartReader {
	limits = limits.withDefaults()
	p := newPool()
	return &PartReader{
		limits: limits, dec: newDecoder(limits, p.recent), check: checker{anyShared: true},
		blocks: blockDecoder{limit: limits.block(), remedy: "send fewer events in a part"},
		scan:   scanner{depth: limits.Depth, pool: p},
	}
}

// Open begins with a part, which must not be changed before the next call of Open. The name is used
// in positions. It returns the part's header, nil if it has none.
func (r *PartReader) Open(part []byte, name string) (*Header, error) {
	r.name, r.rest, r.line, r.events, r.remaining = name, nil, 0, 0, 0
	r.check.version, r.scan.version = 0, 0
	if r.block = len(part) > 0 && (part[0] == blockEvents || part[0] == blockSummed); r.block {
		return nil, r.openBlock(part)
	}
	r.rest = part
	if r.summed = endsInSum(part); r.summed {
		if err := checkPart(part); err != nil {
			return nil, r.errorOf(err)
		}
	}
	if !HasHeader(part) {
		return nil, nil
	}
	line, err := r.nextLine()
	if err != nil {
		return nil, err
	}
	h, err := r.header(line)
	if err != nil {
		return nil, r.errorOf(err)
	}
	r.scan.version = h.Version
	return h, nil
}

// header reads a header, whose parts it may share with earlier ones.
func (r *PartReader) header(line []byte) (*Header, error) {
	if r.latestLine != nil && bytes.Equal(line, r.latestLine) {
		h := r.latest
		return &h, nil
	}
	r.scan.reset(line)
	h, err := parseHeader(&r.scan)
	if err != nil {
		return nil, err
	}
	const most = 4 << 10
	if r.latestLine = nil; len(line) <= most {
		r.latest, r.latestLine = *h, bytes.Clone(line)
	}
	return h, nil
}

func (r *PartReader) openBlock(block []byte) error {
	if r.summed = block[0] == blockSummed; r.summed {
		var err error
		if block, err = cutBlockSum(block); err != nil {
			return r.errorOf(err)
		}
	}
	block = block[1:]
	var sizes [3]uint64 // events, bytes, and compressed
	for i := range sizes {
		u, n := binary.Uvarint(block)
		if n <= 0 {
			return r.errorOf(lineErrorf("%v", errBadVarint))
		}
		sizes[i], block = u, block[n:]
	}
	events, size, packed := sizes[0], sizes[1], sizes[2]
	if err := r.blocks.check(events, size); err != nil {
		return r.errorOf(err)
	}
	if packed != uint64(len(block)) {
		return r.errorOf(lineErrorf("block of %d compressed bytes in a part with %d", packed, len(block)))
	}
	raw, err := r.blocks.decode(block, size)
	if err != nil {
		return r.errorOf(err)
	}
	r.dec.reset()
	r.dec.ts = 0
	r.dec.raw, r.remaining = raw, events
	return nil
}

// Pos returns "name:line" or "name:event N" of the last event.
func (r *PartReader) Pos() string {
	if r.block {
		return r.name + ":event " + strconv.FormatUint(r.events, 10)
	}
	return r.name + ":" + strconv.Itoa(r.line)
}

// Next reads the next event into e, as Reader does. After an error the reader ignores the rest of
// the part.
func (r *PartReader) Next(e *Event) error {
	err := r.next(e)
	if err != nil {
		r.rest, r.remaining = nil, 0
	}
	return err
}

func (r *PartReader) next(e *Event) error {
	k := math.MaxInt // the event's number within its task is unknown
	if r.block {
		if r.remaining == 0 {
			return io.EOF
		}
		r.remaining--
		r.events++
		e.Reset()
		var err error
		if k, err = r.dec.event(e); err != nil {
			return r.errorOf(lineErrorf("damaged event: %v", err))
		}
		if r.remaining == 0 && len(r.dec.raw) > 0 {
			return r.errorOf(lineErrorf("%d bytes too many in the block", len(r.dec.raw)))
		}
	} else {
		line, err := r.nextLine()
		if err != nil {
			return err
		}
		r.scan.reset(line)
		e.Reset()
		if err := r.scan.event(e); err != nil {
			return r.errorOf(err)
		}
	}
	if err := r.check.check(e, k); err != nil {
		return r.errorOf(err)
	}
	return nil
}

// nextLine returns the next nonempty line.
func (r *PartReader) nextLine() ([]byte, error) {
	for len(r.rest) > 0 {
		var line []byte
		line, r.rest, _ = bytes.Cut(r.rest, []byte("\n"))
		r.line++
		if len(line) > r.limits.Line {
			return nil, r.errorOf(&lineError{
				reason: fmt.Sprintf("line of more than %d bytes", r.limits.Line), remedy: "record smaller values"})
		}
		r.scan.reset(line)
		if r.scan.peek(); r.scan.pos < len(line) && !(r.summed && isSum(line)) {
			return line, nil
		}
	}
	return nil, io.EOF
}

// errorOf adds the position to an error of the current event.
func (r *PartReader) errorOf(err error) error { return ReadError(r.Pos(), err) }
