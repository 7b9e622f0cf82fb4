package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// sameInBothForms writes a trace that was read in both forms and reads it again.
func sameInBothForms(t *testing.T, h *Header, es []*Event) {
	for name, form := range forms {
		gotHeader, got, err := readAll(write(t, form, h, es, nil))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff(h, gotHeader, sameTrace); d != "" {
			t.Fatalf("%s, header: %s", name, d)
		}
		if d := cmp.Diff(es, got, sameTrace); d != "" {
			t.Fatalf("%s: %s", name, d)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte(plainHeader + `{"t":"a","enter":"f","set":{"x":[1,2.5,"\u00e9"]},"after":[["b",1]],"ts":3}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, es, err := readAll(append([]byte("\n"), b...)) // never taken for another form
		if h != nil {
			sameInBothForms(t, h, es)
		}
		var ee *Error
		if err != nil && (!errors.As(err, &ee) || Printable(ee.Reason) != ee.Reason) {
			t.Fatalf("%q", err)
		}
	})
}

// FuzzBinary fuzzes what is inside a block, where no checksum protects the decoder.
func FuzzBinary(f *testing.F) {
	f.Add([]byte(bareShape+bareTask+"\x01\x00"), uint64(2))
	f.Fuzz(func(t *testing.T, raw []byte, events uint64) {
		h, es, err := readAll(block(string(raw), events))
		if h == nil {
			t.Fatal(err)
		}
		sameInBothForms(t, h, es)
	})
}

// FuzzBinaryFile fuzzes the file around the blocks.
func FuzzBinaryFile(f *testing.F) {
	f.Add(block(bareShape+bareTask+"\x01\x00", 2))
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, es, _ := readAll(b); h != nil {
			sameInBothForms(t, h, es)
		}
	})
}

func FuzzValue(f *testing.F) {
	f.Add([]byte("\x08\x01\x01x\x07\x02\x03\x05\x06\x01a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, rest, err := DecodeValue(b, Limits{})
		if skipped, ok := skipValue(b); err == nil && (!ok || len(skipped) != len(rest)) {
			t.Fatalf("%d bytes after the value, %d after skipping it, %v", len(rest), len(skipped), ok)
		}
		if err != nil {
			return
		}
		again, rest, err := DecodeValue(AppendValue(nil, v), Limits{})
		if err != nil || len(rest) != 0 || !again.Equal(v) {
			t.Fatalf("%v came back as %v, rest % x, %v", v, again, rest, err)
		}
		var fromText Value
		if err := fromText.UnmarshalJSON(v.AppendJSON(nil)); err != nil || !fromText.Equal(v) {
			t.Fatalf("%v came back as %v, %v", v, fromText, err)
		}
	})
}

// FuzzJSON compares what is taken for JSON here and by encoding/json.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"a":[1,-2.5e+7,"x\n\ud83d\udc80",null,true,false,{}]}`))
	// What encoding/json accepts and a trace does not.
	stricter := []string{"stands twice", "more than 64 bits", "beyond the range", "nested deeper"}
	f.Fuzz(func(t *testing.T, b []byte) {
		var v Value
		err := v.UnmarshalJSON(b)
		valid := json.Valid(b) && utf8.Valid(b)
		if err == nil {
			if !valid {
				t.Fatalf("%q is taken for %v", b, v)
			}
			if text := v.AppendJSON(nil); !json.Valid(text) {
				t.Fatalf("%q is written as %q", b, text)
			}
			return
		}
		for _, s := range stricter {
			if strings.Contains(err.Error(), s) {
				return
			}
		}
		if valid {
			t.Fatalf("%q is JSON, but: %v", b, err)
		}
		if bytes.ContainsRune([]byte(err.Error()), '\n') {
			t.Fatalf("%q", err)
		}
	})
}
