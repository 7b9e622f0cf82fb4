// Package ctxreader makes reads end with a context.
package ctxreader

import (
	"context"
	"io"
)

// New returns a reader that fails with the cause of the context's end, even during a read of r: a
// pipe may never get data.
func New(ctx context.Context, r io.Reader) io.Reader {
	out, in := io.Pipe()
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { in.CloseWithError(context.Cause(ctx)) })
	return out
}
