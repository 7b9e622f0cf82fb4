package event

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/cespare/xxhash/v2"
)

// BinaryReader reads the binary form of a trace; Open makes one.
type BinaryReader struct {
	in        *bufio.Reader
	name      string
	limits    Limits
	header    *Header
	blocks    blockDecoder
	check     checker
	dec       decoder
	remaining uint64 // number of events left in the current block
	events    uint64 // number of events read so far
	total     int64  // size of all blocks before compression
	frame     []byte // backs the compressed block
	stream    bool   // the input may stay open after the end of the trace
	err       error  // sticky
}

func newBinaryReader(r *bufio.Reader, name string, limits Limits) *BinaryReader {
	limits = limits.withDefaults()
	b := &BinaryReader{in: r, name: name, limits: limits, dec: newDecoder(limits, new(recentStrings)),
		blocks: blockDecoder{limit: limits.block(),
			remedy: "record the run again, with smaller values if the file is not damaged"}}
	b.dec.counts = make(map[string]int)
	return b
}

// Pos returns "file:event N" of the last event.
func (r *BinaryReader) Pos() string { return r.name + ":event " + strconv.FormatUint(r.events, 10) }

// Header returns the header, and reads it at the first call.
func (r *BinaryReader) Header() (*Header, error) {
	if r.header == nil && r.err == nil {
		if err := r.readHeader(); err != nil {
			r.err = r.errorAt(r.name+":header", err)
		}
	}
	if r.header == nil {
		return nil, r.err
	}
	return r.header, nil
}

func (r *BinaryReader) readHeader() error {
	start := make([]byte, len(BinaryMagic)+1)
	if _, err := io.ReadFull(r.in, start); err != nil {
		return noEOF(err)
	}
	if string(start[:len(BinaryMagic)]) != BinaryMagic {
		return lineErrorf("not a binary trace")
	}
	v := start[len(BinaryMagic)]
	if v < 1 || v > Version {
		return &lineError{
			reason: fmt.Sprintf("unknown version %d of the binary trace", v),
			remedy: fmt.Sprintf("this program reads versions up to %d", Version),
		}
	}
	line, err := r.readBytes(uint64(r.limits.Line), "header")
	if err != nil {
		return err
	}
	if v >= 2 {
		if err := r.checkSum(appendString(start, string(line))); err != nil {
			return err
		}
	}
	h, err := parseHeader(&scanner{line: line, depth: r.limits.Depth, pool: new(pool)})
	if err != nil {
		return err
	}
	if max(h.Version, 1) != int(v) {
		return lineErrorf("a header of version %d in a binary trace of version %d", h.Version, v)
	}
	r.header, r.check = h, newChecker(h)
	return nil
}

// checkSum reads the checksum of the bytes in read, and compares it.
func (r *BinaryReader) checkSum(read ...[]byte) error {
	var sum [sumSize]byte
	if _, err := io.ReadFull(r.in, sum[:]); err != nil {
		return noEOF(err)
	}
	digest := xxhash.New()
	for _, piece := range read {
		digest.Write(piece)
	}
	if digest.Sum64() != binary.LittleEndian.Uint64(sum[:]) {
		return errBlockSum
	}
	return nil
}

// Next implements Reader.
func (r *BinaryReader) Next(e *Event) error {
	if _, err := r.Header(); err != nil {
		return err
	}
	for r.err == nil && r.remaining == 0 {
		r.err = r.readBlock()
	}
	if r.err != nil {
		return r.err
	}
	r.remaining--
	r.events++
	e.Reset()
	k, err := r.dec.event(e)
	if err != nil {
		err = lineErrorf("damaged event: %v", err)
	} else {
		err = r.check.check(e, k)
	}
	if err == nil && r.remaining == 0 && len(r.dec.raw) > 0 {
		err = lineErrorf("%d bytes too many in the block that ends here", len(r.dec.raw))
	}
	if err != nil {
		r.err = r.errorAt(r.Pos(), err)
	}
	return r.err
}

func (r *BinaryReader) readBlock() error {
	err := r.nextBlock()
	if err == nil || err == io.EOF {
		return err
	}
	return r.errorAt(fmt.Sprintf("%s:after event %d", r.name, r.events), err)
}

func (r *BinaryReader) nextBlock() error {
	kind, err := r.in.ReadByte()
	if err != nil {
		return noEOF(err)
	}
	switch kind {
	case blockEvents, blockSummed:
		if summed := kind == blockSummed; summed != (r.header.Version >= 2) {
			return lineErrorf("block %#02x in a trace of version %d", kind, r.header.Version)
		}
		return r.eventBlock(kind)
	case blockReset:
		r.dec.reset()
		return nil
	case blockEnd:
		return r.end()
	}
	return lineErrorf("unknown block %#02x", kind)
}

func (r *BinaryReader) eventBlock(kind byte) error {
	events, err := r.uvarint()
	if err != nil {
		return err
	}
	size, err := r.uvarint()
	if err != nil {
		return err
	}
	if err := r.blocks.check(events, size); err != nil {
		return err
	}
	if r.total += int64(size); r.total > r.limits.Total {
		return errTotal(r.limits.Total)
	}
	// Incompressible data is stored with a few bytes of frame for each 128 KiB.
	compressed, err := r.readBytes(size+size>>8+1<<10, "block")
	if err != nil {
		return err
	}
	if kind == blockSummed {
		head := binary.AppendUvarint([]byte{kind}, events)
		head = binary.AppendUvarint(binary.AppendUvarint(head, size), uint64(len(compressed)))
		if err := r.checkSum(head, compressed); err != nil {
			return err
		}
	}
	r.dec.raw, err = r.blocks.decode(compressed, size)
	r.remaining = events
	return err
}

// end reads the end marker of the trace.
func (r *BinaryReader) end() error {
	events, err := r.uvarint()
	if err != nil {
		return err
	}
	if events != r.events {
		return lineErrorf("the trace has %d events, but its end says %d", r.events, events)
	}
	if r.stream && r.in.Buffered() == 0 {
		return io.EOF
	}
	if _, err := r.in.ReadByte(); err == nil {
		return lineErrorf("something follows the end of the trace")
	} else if err != io.EOF {
		return err
	}
	return io.EOF
}

func (r *BinaryReader) uvarint() (uint64, error) {
	var u uint64
	for shift := 0; shift < 64; shift += 7 {
		c, err := r.in.ReadByte()
		if err != nil {
			return 0, noEOF(err)
		}
		if shift == 63 && c > 1 {
			break
		}
		u |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return u, nil
		}
	}
	return 0, lineErrorf("%v", errBadVarint)
}

// readBytes reads a length and that many bytes. It reads them piece by piece, so a wrong length
// takes no more memory than the file has bytes.
func (r *BinaryReader) readBytes(limit uint64, what string) ([]byte, error) {
	n, err := r.uvarint()
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, lineErrorf("%s of %d bytes, more than %d", what, n, limit)
	}
	const piece = 1 << 20
	r.frame = r.frame[:0]
	for left := int(n); left > 0; {
		size := min(left, piece)
		have := len(r.frame)
		r.frame = append(r.frame, make([]byte, size)...)
		if _, err := io.ReadFull(r.in, r.frame[have:]); err != nil {
			return nil, noEOF(err)
		}
		left -= size
	}
	return r.frame, nil
}

// noEOF replaces a premature end of the input by another error.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// errorAt adds the position to err.
func (r *BinaryReader) errorAt(pos string, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{Pos: pos, Reason: "truncated: the trace ends too early", Remedy: RemedyCut, Err: err}
	}
	return ReadError(pos, err)
}

func errTotal(limit int64) error {
	return &lineError{
		reason: fmt.Sprintf("the compressed trace unfolds to more than %d bytes", limit),
		remedy: "record a shorter run, or fewer values",
	}
}
