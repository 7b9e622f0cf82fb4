package event

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A trace of version 2 in which one bit is another one is an error, wherever the bit is, or the
// same trace.
func TestFlippedBits(t *testing.T) {
	for name, form := range forms {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			h := drawHeader(t)
			h.Version, h.Sums = 2, true
			es := drawEvents(t, h)
			whole := write(t, form, h, es, nil)
			bit := rapid.IntRange(0, 8*len(whole)-1).Draw(t, "bit")
			damaged := bytes.Clone(whole)
			damaged[bit/8] ^= 1 << (bit % 8)
			header, got, err := readAll(damaged)
			if err == nil && !(cmp.Equal(h, header, sameTrace) && cmp.Equal(es, got, sameTrace)) {
				t.Fatalf("bit %d of byte %d of %d: no error\n%q\n%q", bit%8, bit/8, len(whole), whole, damaged)
			}
		}))
	}
}

// The same of the parts of a trace.
func TestFlippedBitsOfParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHeader(t)
		h.Version, h.Sums = 2, true
		w, first, err := NewPartWriter(h, rapid.Bool().Draw(t, "text"))
		if err != nil {
			t.Fatal(err)
		}
		es := drawEvents(t, h)
		for _, e := range es {
			if err := w.Write(e); err != nil {
				t.Fatal(err)
			}
		}
		part := w.Take()
		if part == nil || rapid.Bool().Draw(t, "first") {
			part, es = first, nil
		}
		bit := rapid.IntRange(0, 8*len(part)-1).Draw(t, "bit")
		damaged := bytes.Clone(part)
		damaged[bit/8] ^= 1 << (bit % 8)
		_, got, err := readPart(NewPartReader(Limits{}), damaged)
		if err == nil && !cmp.Equal(es, got, sameTrace) {
			t.Fatalf("bit %d of byte %d: no error\n%q\n%q", bit%8, bit/8, part, damaged)
		}
	})
}

// A text that breaks off at the end of a line, and one that was changed, are distinguished. Without
// sums nothing is missed.
func TestCutText(t *testing.T) {
	h := &Header{Version: 2, Tasks: []string{"a"}}
	var out bytes.Buffer
	w := NewTextWriter(&out, h)
	for range 3 {
		if err := w.Write(&Event{Task: "a"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(out.String(), "\n")
	for name, c := range map[string]struct {
		text, want string
		events     int
	}{
		"whole": {out.String(), "", 3},
		"cut":   {strings.Join(lines[:3], ""), "trace:3: truncated: the checksum of the last lines is missing", 2},
		"no line": {strings.Join(slices.Delete(slices.Clone(lines), 2, 3), ""),
			"trace:4: damaged: the checksum of the lines before is another one", 2},
		"more":      {out.String() + lines[1], "trace:6: truncated", 4},
		"two sums":  {out.String() + lines[4], "trace:6: damaged", 3},
		"by hand":   {strings.ReplaceAll(lines[0], `,"sums":true`, "") + lines[1], "", 1},
		"no header": {strings.Join(slices.Delete(slices.Clone(lines), 1, 4), ""), "trace:2: damaged", 0},
	} {
		_, es, err := readAll([]byte(c.text))
		if len(es) != c.events || (err == nil) != (c.want == "") || err != nil &&
			!strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %d events, %v", name, len(es), err)
		}
	}
}

// A sum covers no more than so many lines, so the reader of a growing trace does not wait for
// long.
func TestSumsOfManyLines(t *testing.T) {
	var out bytes.Buffer
	w := NewTextWriter(&out, &Header{Version: 2, Tasks: []string{"a"}})
	for range 3 * sumLines {
		if err := w.Write(&Event{Task: "a"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), sumPrefix); n != 4 {
		t.Errorf("%d sums", n)
	}
	if _, es, err := readAll(out.Bytes()); err != nil || len(es) != 3*sumLines {
		t.Errorf("%d events, %v", len(es), err)
	}
	r, _ := Open(io.LimitReader(bytes.NewReader(out.Bytes()), int64(out.Len()-30)), "trace")
	var e Event
	var err error
	for err == nil {
		err = r.Next(&e)
	}
	if err == io.EOF {
		t.Error("no error without the last sum")
	}
}
