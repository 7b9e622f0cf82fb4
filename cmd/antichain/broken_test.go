package main

import (
	"bytes"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/event"
)

// A trace that breaks off anywhere has the verdicts of what is there of it, and the exit code of a
// mistake.
func TestMonitorOfEveryPrefix(t *testing.T) {
	const soFar = "unknown: the run was cut off; the property holds in what came before, and what would have come next may violate it\n"
	header := &event.Header{Tasks: []string{"main"}}
	events := []*event.Event{
		{Task: "main", Enter: "f", Set: []event.Binding{{Name: "x", Value: event.StringValue("a longer value")}}},
		{Task: "main", Exit: "f", At: "main.go:7"},
		{Task: "main", Op: "rest"},
	}
	for form, writer := range map[string]func(io.Writer) event.Writer{
		"text":   func(w io.Writer) event.Writer { return event.NewTextWriter(w, header) },
		"binary": func(w io.Writer) event.Writer { return event.NewBinaryWriter(w, header) },
	} {
		var trace bytes.Buffer
		w := writer(&trace)
		for _, e := range events {
			if err := w.Write(e); err != nil {
				t.Fatal(err)
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for n := range trace.Len() + 1 {
			head := trace.Bytes()[:n]
			count, whole := complete(head)
			// When f has been left nothing is open any more.
			want, first, last := exit.Unknown, "", ""
			switch {
			case count < 0: // not even a header
				want = exit.Error
			case whole:
				want, first = exit.Holds, "-e 1: holds\n"
				if form == "text" && count == 1 {
					want, first = exit.Violated, "-e 1: violated\n"
				}
				last = "-e 2: holds\n"
			case count == 1:
				first = "-e 1: unknown: the run was cut off, and the verdict rests on what would have come next\n"
			default:
				first = "-e 1: " + soFar
			}
			if first != "" && !whole {
				last = "-e 2: " + soFar
			}
			code, stdout, stderr := verb("monitor", "--until-eof", "--keep-going", "-e", "t:(start.f) -> next t:(term.f)", "-e", "t:(not in.g)", written(t, form, string(head)))
			if code != want || !strings.HasPrefix(stdout, first) || !strings.HasSuffix(stdout, last) || (stderr == "") != whole {
				t.Errorf("%d bytes of %s, %d events: exit code %d, want %d\n%s%s", n, form, count, code, want, stdout, stderr)
			}
		}
	}
}

// complete returns how many events of a trace are there, -1 if its header is not, and whether it
// ends in order.
func complete(trace []byte) (events int, whole bool) {
	r, err := event.Open(bytes.NewReader(trace), "trace")
	if err == nil {
		_, err = r.Header()
	}
	if err != nil {
		return -1, false
	}
	var e event.Event
	for err = r.Next(&e); err == nil; err = r.Next(&e) {
		events++
	}
	return events, err == io.EOF
}

// A peer that says nothing, and one that says half a line, do not keep others from being checked.
func TestSilentPeers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	listening, said := io.Pipe()
	var out bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- mainerr([]string{"monitor", "-e", "t:(not in.f)", "unix:" + path}, terminal.Streams{In: strings.NewReader(""), Out: &out, Err: said})
	}()
	if _, err := listening.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, listening) }()
	for _, trace := range []string{"", `{"antichain":1,"ta`, `{"antichain":1,"tasks":["a"]}` + "\n" + `{"t":"a","enter":"f"}` + "\n"} {
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close() // not before the end
		if _, err := io.WriteString(conn, trace); err != nil {
			t.Fatal(err)
		}
	}
	if code := <-ended; code != exit.Violated || !strings.HasPrefix(out.String(), "unix:"+path+"#3: -e: violated\n") {
		t.Errorf("exit code %d, %s", code, out.String())
	}
}
