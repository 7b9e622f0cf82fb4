package event

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// readPart reads a part up to an error.
func readPart(r *PartReader, part []byte) (*Header, []*Event, error) {
	h, err := r.Open(part, "part")
	if err != nil {
		return nil, nil, err
	}
	var es []*Event
	var e Event
	for {
		if err := r.Next(&e); err == io.EOF {
			return h, es, nil
		} else if err != nil {
			return h, es, err
		}
		es = append(es, e.Clone())
	}
}

// A trace in parts has the events that were written, in either form, also if each part has a reader
// of its own.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHeader(t)
		es := drawEvents(t, h)
		text := rapid.Bool().Draw(t, "text")
		w, first, err := NewPartWriter(h, text)
		if err != nil {
			t.Fatal(err)
		}
		parts := [][]byte{first}
		for _, e := range es {
			if err := w.Write(e); err != nil {
				t.Fatal(err)
			}
			if rapid.IntRange(0, 3).Draw(t, "cut") == 0 {
				parts = append(parts, w.Take())
			}
		}
		if rest := w.Take(); rest != nil {
			parts = append(parts, rest)
		}
		if text && len(parts) > 1 && rapid.Bool().Draw(t, "together") {
			parts = append([][]byte{append(parts[0], parts[1]...)}, parts[2:]...)
		}
		var read []*Event
		r := NewPartReader(Limits{})
		for i, part := range parts {
			if rapid.Bool().Draw(t, "other reader") {
				r = NewPartReader(Limits{})
			}
			header, es, err := readPart(r, part)
			if err != nil {
				t.Fatalf("part %d: %v\n%q", i, err, part)
			}
			if (header != nil) != (i == 0) {
				t.Fatalf("part %d: header %v", i, header)
			}
			if i == 0 && !cmp.Equal(header.Tasks, h.Tasks) {
				t.Fatalf("%v, not %v", header, h)
			}
			read = append(read, es...)
		}
		if diff := cmp.Diff(es, read, sameTrace); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestPartErrors(t *testing.T) {
	w, _, err := NewPartWriter(&Header{Tasks: []string{"a"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&Event{Task: "a", Op: "x"}); err != nil {
		t.Fatal(err)
	}
	block := string(w.Take())
	for part, want := range map[string]string{
		`{"antichain":3,"tasks":["a"]}`:      `p:1: unknown version 3`,
		`{"tasks":["a"],"antichain":"1"}`:    `p:1: unknown version "1"`,
		`{"antichain":1,"tasks":["a"]`:       `p:1:29: bad JSON`,
		"{\"t\":\"a\"}\n\n{\"t\":\"\"}":      `p:3:6: "t" must not be empty`,
		"{\"t\":\"a\"}\n{\"antichain\":1}":   `p:2:2: repeated header`,
		`{"t":"a","after":[["a",0]]}`:        `p:1: "after" names event 0`,
		block[:len(block)-1]:                 `p:event 0: block of`,
		block + "x":                          `p:event 0: block of`,
		"B":                                  `p:event 0: `,
		"B\x01\x05\x05abcde":                 `p:event 0: damaged block`,
		"B\x00\x05\x05abcde":                 `p:event 0: block of 5 bytes with 0 events`,
		"B\x01\xff\xff\xff\xff\x0f\x05abcde": `p:event 0: block of 4294967295 bytes, more than`,
		"\x89ACT":                            `p:1:1: bad JSON`,
	} {
		r := NewPartReader(Limits{})
		_, err := r.Open([]byte(part), "p")
		for e := (Event{}); err == nil; {
			err = r.Next(&e)
		}
		var broken *Error
		if !errors.As(err, &broken) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, not %s", part, err, want)
		}
	}
}

// FuzzPart reads whatever comes.
func FuzzPart(f *testing.F) {
	w, first, err := NewPartWriter(&Header{Tasks: []string{"a"}}, false)
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range []*Event{{Task: "a", Enter: "f", Set: []Binding{{"x", IntValue(1)}}},
		{Task: "a", Exit: "f", After: []Ref{{"b", 7}}}} {
		if err := w.Write(e); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(first)
	f.Add(w.Take())
	f.Add([]byte("{\"t\":\"a\"}\n{\"t\":\"b\",\"op\":\"x\"}\n"))
	f.Fuzz(func(t *testing.T, part []byte) {
		if len(part) > 1<<16 {
			return
		}
		h, es, err := readPart(NewPartReader(Limits{}), part)
		if err != nil && !strings.HasPrefix(err.Error(), "part:") {
			t.Fatalf("an error without a position: %v", err)
		}
		if h != nil && bytes.HasPrefix(part, []byte("B")) {
			t.Fatal("a block with a header")
		}
		for _, e := range es {
			if e.Task == "" {
				t.Fatal("an event without a task")
			}
		}
	})
}
