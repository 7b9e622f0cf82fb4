package budget

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// metered returns a context with a limit of memory that holds what the function returned adds.
func metered(t *testing.T, limit int64) (ctx context.Context, hold func(int64)) {
	ctx, cancel := context.WithCancelCause(t.Context())
	bytes := int64(0)
	return context.WithValue(ctx, meterKey{}, &meter{limit, func() int64 { return bytes }, cancel}), func(more int64) {
		bytes += more
	}
}

// What would be above the limit ends the context before it is allocated.
func TestCharge(t *testing.T) {
	ctx, hold := metered(t, 100)
	hold(60)
	if err := Charge(ctx, 40); err != nil {
		t.Fatal(err)
	}
	var full *MemoryError
	if err := Charge(ctx, 41); !errors.As(err, &full) || full.Limit != 100 {
		t.Fatal(err)
	}
	if err := Charge(ctx, 0); !errors.As(err, &full) || ctx.Err() == nil {
		t.Errorf("it goes on: %v", err)
	}
	if err := Charge(t.Context(), 1<<60); err != nil {
		t.Errorf("without a limit: %v", err)
	}
}

// A slice with room grows for nothing, and one without is copied.
func TestChargeGrowth(t *testing.T) {
	ctx, hold := metered(t, 100)
	r := NewReader(ctx, strings.NewReader(""))
	hold(60)
	if err := ChargeGrowth(r, make([]int64, 5, 6)); err != nil {
		t.Fatal(err)
	}
	if err := ChargeGrowth(r, make([]int64, 4)); err != nil { // 40 bytes
		t.Fatal(err)
	}
	var full *MemoryError
	if err := ChargeGrowth(r, make([]int64, 5)); !errors.As(err, &full) { // 50 bytes
		t.Error(err)
	}
}

// endless never ends, and keeps the memory it returns.
type endless struct {
	hold  func(int64)
	bytes int64
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.bytes += int64(len(p))
	e.hold(int64(len(p)))
	return len(p), nil
}

// A reader stops close to the limit, whether or not its data are kept, and without the watch of the
// context.
func TestReaderIsBounded(t *testing.T) {
	const limit = 10 << 20
	ctx, hold := metered(t, limit)
	in := &endless{hold: hold}
	var full *MemoryError
	if _, err := io.Copy(io.Discard, NewReader(ctx, in)); !errors.As(err, &full) {
		t.Error(err)
	}
	if in.bytes < limit || in.bytes > limit+2*chargeAfter {
		t.Errorf("%d bytes were held, with a limit of %d", in.bytes, limit)
	}
	ctx, hold = metered(t, limit)
	in = &endless{hold: hold}
	if _, err := ReadAll(NewReader(ctx, in), 1<<40); !errors.As(err, &full) {
		t.Error(err)
	}
	if in.bytes > limit {
		t.Errorf("%d bytes were held of what is read as a whole, with a limit of %d", in.bytes, limit)
	}
}

// charges counts charged bytes.
type charges struct {
	io.Reader
	bytes int64
}

func (c *charges) Charge(bytes int64) error {
	c.bytes += bytes
	return nil
}

// ReadAll reads the same as io.ReadAll, within the limit, and charges all its memory.
func TestReadAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(0, 3*blockSize).Draw(t, "size")
		most := rapid.Int64Range(0, 3*blockSize).Draw(t, "most")
		text := strings.Repeat("0123456789abcde", size/15+1)[:size]
		in := &charges{Reader: strings.NewReader(text)}
		if rapid.Bool().Draw(t, "halves") {
			in.Reader = iotest.HalfReader(in.Reader)
		}
		if rapid.Bool().Draw(t, "early") {
			in.Reader = iotest.DataErrReader(in.Reader)
		}
		got, err := ReadAll(in, most)
		switch {
		case int64(size) > most:
			if err != ErrTooLong {
				t.Fatalf("%d bytes where %d may be: %v", size, most, err)
			}
		case err != nil || got != text:
			t.Fatalf("%d bytes of %d: %v", len(got), size, err)
		case in.bytes < 2*int64(size) || in.bytes > 2*int64(size)+2*blockSize:
			t.Fatalf("%d bytes are charged for %d", in.bytes, size)
		}
	})
	broken := io.MultiReader(strings.NewReader("text"), iotest.ErrReader(io.ErrUnexpectedEOF))
	if _, err := ReadAll(broken, 100); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
}
