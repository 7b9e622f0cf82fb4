package event

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// A binary trace on a connection that stays open ends with its end marker.
func TestOpenStream(t *testing.T) {
	var trace bytes.Buffer
	w := NewBinaryWriter(&trace, &Header{Tasks: []string{"a"}})
	if err := w.Write(&Event{Task: "a"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	in, out := io.Pipe()
	go func() { _, _ = out.Write(trace.Bytes()) }()
	r, err := OpenStream(in, "stream")
	if err != nil {
		t.Fatal(err)
	}
	var e Event
	if err := r.Next(&e); err != nil {
		t.Fatal(err)
	}
	if err := r.Next(&e); !errors.Is(err, io.EOF) {
		t.Errorf("behind the end marker: %v", err)
	}
	// What is there all the same is a mistake.
	r, err = OpenStream(strings.NewReader(trace.String()+"more"), "stream")
	for err == nil {
		err = r.Next(&e)
	}
	if !strings.Contains(err.Error(), "something follows the end of the trace") {
		t.Error(err)
	}
}
