package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
)

// TestInterrupt ends one that waits for a question.
func TestInterrupt(t *testing.T) {
	questions, ask := io.Pipe()
	defer ask.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(interrupt.Err)
	if err := Run(ctx, terminal.Streams{In: questions, Out: io.Discard}, nil); err != interrupt.Err {
		t.Errorf("%v, want %v", err, interrupt.Err)
	}
}

// TestLongLine has a line that is too long, between others, and one without an end.
func TestLongLine(t *testing.T) {
	in := `{"id":1}` + "\n" + strings.Repeat("x", maxQuestion+1) + "\n" + `{"id":2}` + "\n" + strings.Repeat("y",
		maxQuestion+1)
	var out bytes.Buffer
	echo := func(_ context.Context, line []byte) (any, json.RawMessage, error) {
		return json.RawMessage(line), nil, nil
	}
	if err := Run(t.Context(), terminal.Streams{In: strings.NewReader(in), Out: &out},
		echo); err != exit.Code(exit.Error) {
		t.Errorf("%v, want exit code %d", err, exit.Error)
	}
	want := `{"id":1}
{"error":"line 2: the line is longer than the limit of 16 MiB"}
{"id":2}
{"error":"line 4: the line is longer than the limit of 16 MiB"}
`
	if out.String() != want {
		t.Errorf("%.300s\nwant\n%s", out.String(), want)
	}
}

// TestByteOrderMark has one in front of the first question.
func TestByteOrderMark(t *testing.T) {
	var out bytes.Buffer
	echo := func(_ context.Context, line []byte) (any, json.RawMessage, error) {
		return strings.TrimSpace(string(line)), nil, nil
	}
	if err := Run(t.Context(), terminal.Streams{In: strings.NewReader("\ufeffa\n\ufeffb\n"), Out: &out},
		echo); err != nil {
		t.Fatal(err)
	}
	if want := "\"a\"\n\"\ufeffb\"\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
