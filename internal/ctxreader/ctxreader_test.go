package ctxreader_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/ctxreader"
)

func TestReader(t *testing.T) {
	text, err := io.ReadAll(ctxreader.New(t.Context(), strings.NewReader("text")))
	if string(text) != "text" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	broken := errors.New("the disk is gone")
	in, out := io.Pipe()
	out.CloseWithError(broken)
	if _, err := io.ReadAll(ctxreader.New(t.Context(), in)); err != broken {
		t.Error(err)
	}
}

// TestContextEnds reads from a pipe without a writer.
func TestContextEnds(t *testing.T) {
	pipe, out := io.Pipe()
	defer out.Close()
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	r := ctxreader.New(ctx, pipe)
	cancel(enough)
	if _, err := io.ReadAll(r); err != enough {
		t.Error(err)
	}
}
