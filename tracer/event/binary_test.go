package event

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestTruncated cuts a trace at every byte: all events of the blocks before the cut
// come out, and then an error.
func TestTruncated(t *testing.T) {
	es := serverEvents(60)
	b := write(t, forms["binary"], serverHeader(), es, func(i int) bool { return i%10 == 9 })
	most := 0
	for cut := range b {
		_, got, err := readAll(b[:cut])
		var ee *Error
		if !errors.As(err, &ee) {
			t.Fatalf("cut at %d of %d: %v", cut, len(b), err)
		}
		if cut >= len(BinaryMagic) && !strings.Contains(ee.Reason, "truncated") {
			t.Fatalf("cut at %d of %d: %v", cut, len(b), err)
		}
		if len(got) < most {
			t.Fatalf("cut at %d gives %d events, a shorter trace gave %d", cut, len(got), most)
		}
		most = max(most, len(got))
		for i := range got {
			if string(AppendText(nil, got[i])) != string(AppendText(nil, es[i])) {
				t.Fatalf("cut at %d: event %d is %s", cut, i+1, AppendText(nil, got[i]))
			}
		}
	}
	if most != len(es) {
		t.Errorf("the last cut gives %d events, not %d", most, len(es))
	}
}

// A task is new again when the tables have been emptied, with the number of its events.
func TestTaskAfterReset(t *testing.T) {
	if _, es, err := readAll(twoBlocks(bareShape+bareTask, bareShape+"\x00\x01a\x01")); err != nil || len(es) != 2 {
		t.Errorf("%d events, %v", len(es), err)
	}
}

// TestDamaged changes every byte of a trace in turn. What is damaged is either found
// or harmless; it is never a crash.
func TestDamaged(t *testing.T) {
	es := serverEvents(40)
	b := write(t, forms["binary"], serverHeader(), es, func(i int) bool { return i%10 == 9 })
	header := bytes.IndexByte(b, blockEvents)
	for i := range b {
		for _, mask := range []byte{1, 0x80, 0xff} {
			broken := bytes.Clone(b)
			broken[i] ^= mask
			_, got, err := readAll(broken)
			if i > header && err == nil && len(got) != len(es) {
				t.Fatalf("byte %d of %d changed: %d events and no error", i, len(b), len(got))
			}
		}
	}
}

// packer is made once because it is large.
var packer = sync.OnceValue(func() *zstd.Encoder {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		panic(err)
	}
	return z
})

// block returns a trace of one block whose bytes and count of events are given.
func block(raw string, events uint64) []byte {
	packed := packer().EncodeAll([]byte(raw), nil)
	b := appendString([]byte(BinaryMagic+"\x01"), `{"antichain":1,"tasks":["a"]}`)
	b = binary.AppendUvarint(append(b, blockEvents), events)
	b = binary.AppendUvarint(b, uint64(len(raw)))
	b = binary.AppendUvarint(b, uint64(len(packed)))
	b = append(b, packed...)
	return binary.AppendUvarint(append(b, blockEnd), events)
}

// twoBlocks returns a trace of two blocks of one event each, between which the tables are emptied.
func twoBlocks(first, second string) []byte {
	b := block(first, 1)
	b = append(b[:len(b)-2], blockReset) // instead of the end
	rest := block(second, 1)
	rest = rest[bytes.IndexByte(rest, '}')+1:]
	rest[len(rest)-1] = 2 // events in all
	return append(b, rest...)
}

// bareShape defines a shape with nothing in it, bareTask the task "a".
const (
	bareShape = "\x00" + "\x00" + "\x00\x00\x00\x00" + "\x00\x00" + "\x00\x00\x00\x00"
	bareTask  = "\x00\x01a\x00"
)

func TestBinaryErrors(t *testing.T) {
	bomb := packer().EncodeAll(make([]byte, 1<<28), nil)
	start := string(appendString([]byte(BinaryMagic+"\x01"), `{"antichain":1,"tasks":["a"]}`))
	size := func(n uint64) string { return string(binary.AppendUvarint(nil, n)) }
	tests := []struct {
		name  string
		trace []byte
		pos   string
		want  string
	}{
		{"version", []byte(BinaryMagic + "\x03"), "trace:header", "unknown version 3 of the binary trace"},
		{"no header", []byte(BinaryMagic + "\x01"), "trace:header", "truncated"},
		{"header version", append([]byte(BinaryMagic+"\x01"), "\x0f"+`{"antichain":9}`...), "trace:header",
			"unknown version 9"},
		{"long header", []byte(BinaryMagic + "\x01" + size(1<<40)), "trace:header", "header of 1099511627776 bytes"},
		{"length of header", []byte(BinaryMagic + "\x01" + strings.Repeat("\xff", 11)), "trace:header",
			"more than 64 bits"},
		{"unknown block", []byte(start + "?"), "trace:after event 0", "unknown block 0x3f"},
		{"huge block", []byte(start + "B\x01" + size(1<<40)), "trace:after event 0", "block of 1099511627776 bytes"},
		{"huge compressed block", []byte(start + "B\x01\x02" + size(1<<40)), "trace:after event 0",
			"block of 1099511627776 bytes"},
		{"no events", []byte(start + "B\x00\x02"), "trace:after event 0", "block of 2 bytes with 0 events"},
		{"more events than bytes", []byte(start + "B\x03\x02"), "trace:after event 0",
			"block of 2 bytes with 3 events"},
		{"no zstd", []byte(start + "B\x01\x02\x02ab"), "trace:after event 0", "damaged block"},
		{"bomb", []byte(start + "B\x01" + size(1<<20) + size(uint64(len(bomb))) + string(bomb)), "trace:after event 0",
			"damaged block"},
		{"wrong end", []byte(start + "E\x01"), "trace:after event 0", "has 0 events, but its end says 1"},
		{"something after the end", []byte(start + "E\x00\x00"), "trace:after event 0", "follows the end"},

		{"shape that is not there", block("\x02", 1), "trace:event 1", "reference beyond the table"},
		{"unknown flag", block("\x00\x40", 1), "trace:event 1", "unknown flags"},
		{"string that is not there", block("\x00\x00\x05", 1), "trace:event 1", "reference beyond the table"},
		{"string too long", block("\x00\x00\x01\x05a", 1), "trace:event 1", "ends too early"},
		{"too many references", block("\x00\x00\x00\x00\x00\x00\x7f", 1), "trace:event 1", "ends too early"},
		{"too many names", block("\x00\x00\x00\x00\x00\x00\x00\x00\x7f", 1), "trace:event 1", "ends too early"},
		{"no task", block(bareShape, 1), "trace:event 1", "ends too early"},
		{"task that is not there", block(bareShape+"\x02\x01a\x00", 1), "trace:event 1", "reference beyond the table"},
		{"task before the table", block(bareShape+"\x01", 1), "trace:event 1", "reference beyond the table"},
		{"task without a name", block(bareShape+"\x00\x00\x00", 1), "trace:event 1", `"t" is missing or empty`},
		{"count of a task", block(bareShape+"\x00\x01a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 1), "trace:event 1",
			"more than 64 bits"},
		{"wrong count of a task", block(bareShape+"\x00\x01a\x02", 1), "trace:event 1",
			"wrong number of earlier events"},
		{"task twice", block(bareShape+bareTask+"\x01\x02\x01a\x01", 2), "trace:event 2", "twice in the table"},
		{"wrong count of a task after the tables were emptied", twoBlocks(bareShape+bareTask, bareShape+bareTask),
			"trace:event 2", "wrong number of earlier events"},
		{"bytes too many", block(bareShape+bareTask+"\x00", 1), "trace:event 1", "1 bytes too many"},
		{"too few bytes", block(bareShape+bareTask, 2), "trace:event 2", "ends too early"},
		{"object that is empty", block("\x00\x02"+bareShape[2:]+bareTask+"\x00", 1), "trace:event 1",
			"announced and absent"},
		{"after itself", block("\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00"+bareTask+"\x00\x00", 1),
			"trace:event 1", "names the event itself"},
		{"event after the end", block("\x00\x00\x00\x00\x01\x03end\x00\x00\x00\x00\x00\x00\x00"+bareTask+"\x01\x00", 2),
			"trace:event 2", "after its end"},
		{"bad value", block("\x00\x00\x00\x00\x00\x00\x00\x00\x01\x01\x01x\x00\x00\x00"+bareTask+"\x09", 1),
			"trace:event 1", "unknown kind of value"},
		{"extra key that is ours",
			block("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x01\x01t"+bareTask+"\x00", 1), "trace:event 1",
			`extra key "t"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := readAll(tt.trace)
			var ee *Error
			if !errors.As(err, &ee) {
				t.Fatalf("got %v, want an *Error", err)
			}
			if ee.Pos != tt.pos || !strings.Contains(ee.Reason, tt.want) {
				t.Errorf("got  %v\nwant %s: %s", err, tt.pos, tt.want)
			}
		})
	}
	if _, es, err := readAll(block(bareShape+bareTask+"\x01\x00", 2)); err != nil || len(es) != 2 {
		t.Errorf("the trace that the others are made from: %d events, %v", len(es), err)
	}
}

func TestTooManyElements(t *testing.T) {
	raw := "\x00\x00\x00\x00\x00\x00\x00\x00\x01\x01\x01x\x00\x00\x00" + bareTask + "\x07\xe8\x07" +
		strings.Repeat("\x00", 1000)
	for line, ok := range map[int]bool{2000: true, 1998: false} {
		r, err := OpenLimited(bytes.NewReader(block(raw, 1)), "trace", Limits{Line: line})
		if err != nil {
			t.Fatal(err)
		}
		var e Event
		if err := r.Next(&e); (err == nil) != ok {
			t.Errorf("with a line of %d: %v", line, err)
		}
	}
}

func TestOpenCompressed(t *testing.T) {
	es := serverEvents(1000)
	pack := map[string]func(io.Writer) io.WriteCloser{
		"gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"zstd": func(w io.Writer) io.WriteCloser {
			z, err := zstd.NewWriter(w)
			if err != nil {
				t.Fatal(err)
			}
			return z
		},
	}
	for form := range forms {
		plain := write(t, forms[form], serverHeader(), es, nil)
		for name, compress := range pack {
			var b bytes.Buffer
			w := compress(&b)
			if _, err := w.Write(plain); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if _, got, err := readAll(b.Bytes()); err != nil || len(got) != len(es) {
				t.Errorf("%s in %s: %d events, %v", form, name, len(got), err)
			}
			if _, _, err := readAll(b.Bytes()[:b.Len()/2]); err == nil || !strings.Contains(err.Error(), "truncated") {
				t.Errorf("half of %s in %s: %v", form, name, err)
			}
			for _, limit := range []int64{int64(len(plain)), int64(len(plain)) - 1} {
				r, err := OpenLimited(bytes.NewReader(b.Bytes()), "trace", Limits{Total: limit})
				var e Event
				for err == nil {
					err = r.Next(&e)
				}
				if within := limit == int64(len(plain)); form == "text" && within != (err == io.EOF) {
					t.Errorf("%s in %s, at most %d bytes: %v", form, name, limit, err)
				}
			}
		}
	}
}

func TestTotalOfBlocks(t *testing.T) {
	b := write(t, forms["binary"], serverHeader(), serverEvents(1000), func(i int) bool { return i%100 == 99 })
	r, err := OpenLimited(bytes.NewReader(b), "trace", Limits{Total: 2000})
	n := -1
	var e Event
	for err == nil {
		err = r.Next(&e)
		n++
	}
	if n == 0 || n >= 1000 ||
		!strings.Contains(err.Error(), "unfolds to more than 2000 bytes (record a shorter run, or fewer values)") {
		t.Errorf("%d events, %v", n, err)
	}
}

func TestWriteAfterClose(t *testing.T) {
	w := NewBinaryWriter(io.Discard, serverHeader())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	if err := w.Write(&Event{Task: "main"}); err == nil {
		t.Error("an event after the end was written")
	}
}
