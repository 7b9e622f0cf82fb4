package budget

import (
	"context"
	"errors"
	"io"
	"runtime/debug"
	"strings"
	"unsafe"
)

type meterKey struct{}

// meter decides whether there is memory for more.
type meter struct {
	limit  int64
	held   func() int64
	cancel context.CancelCauseFunc
}

// Charge returns the cause of the end of a context. It ends a context of WithMemory if this many
// more bytes would exceed the limit. Work that may allocate faster than the memory is measured
// calls it before it allocates.
func Charge(ctx context.Context, bytes int64) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	m, ok := ctx.Value(meterKey{}).(*meter)
	if !ok || m.held()+bytes <= m.limit {
		return nil
	}
	debug.FreeOSMemory() // much of it may be garbage
	if m.held()+bytes > m.limit {
		m.cancel(&MemoryError{m.limit})
		return context.Cause(ctx)
	}
	return nil
}

// Reader charges the bytes it reads to a context. It ends with the cause of the end of the context.
type Reader struct {
	ctx       context.Context
	in        io.Reader
	uncharged int // bytes since the last charge
}

// NewReader returns a Reader of in.
func NewReader(ctx context.Context, in io.Reader) *Reader { return &Reader{ctx: ctx, in: in} }

// chargeAfter is the number of bytes that are read between two charges.
const chargeAfter = 1 << 16

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if r.uncharged >= chargeAfter {
		r.uncharged = 0
		if err := Charge(r.ctx, 0); err != nil {
			return 0, err
		}
	}
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	n, err := r.in.Read(p)
	r.uncharged += n
	return n, err
}

// Charge charges bytes that the caller is about to allocate.
func (r *Reader) Charge(bytes int64) error { return Charge(r.ctx, bytes) }

// ChargeTo charges bytes that the caller is about to allocate to a Reader. Other readers have no
// budget.
func ChargeTo(r io.Reader, bytes int64) error {
	if r, ok := r.(interface{ Charge(int64) error }); ok {
		return r.Charge(bytes)
	}
	return nil
}

// ChargeGrowth charges to a Reader what the next append to a slice allocates: nothing, or room for
// a copy of all elements and some more.
func ChargeGrowth[T any](r io.Reader, s []T) error {
	if len(s) < cap(s) {
		return nil
	}
	var element T
	return ChargeTo(r, int64(len(s))*int64(unsafe.Sizeof(element))*5/4)
}

// blockSize is the number of bytes that ReadAll reads at once.
const blockSize = 1 << 20

// ErrTooLong reports that an input exceeds the limit of ReadAll.
var ErrTooLong = errors.New("too long")

// ReadAll reads an input of at most a number of bytes into memory. It charges a Reader before it
// allocates, and never holds more than twice the input.
func ReadAll(r io.Reader, most int64) (string, error) {
	var blocks [][]byte
	size := int64(0)
	for ended := false; !ended; {
		if err := ChargeTo(r, blockSize); err != nil {
			return "", err
		}
		block, err := readBlock(r)
		if ended = err == io.EOF; err != nil && !ended {
			return "", err
		}
		if size += int64(len(block)); size > most {
			return "", ErrTooLong
		}
		blocks = append(blocks, block)
	}
	if err := ChargeTo(r, size); err != nil {
		return "", err
	}
	var text strings.Builder
	text.Grow(int(size))
	for _, block := range blocks {
		text.Write(block)
	}
	return text.String(), nil
}

// readBlock reads up to a block, and returns io.EOF at the end.
func readBlock(r io.Reader) ([]byte, error) {
	block := make([]byte, 0, blockSize)
	for len(block) < cap(block) {
		n, err := r.Read(block[len(block):cap(block)])
		block = block[:len(block)+n]
		if err != nil {
			return block, err
		}
	}
	return block, nil
}
