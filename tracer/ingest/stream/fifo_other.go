//go:build !unix

package stream

import (
	"context"
	"os"
)

// openFile opens a trace file.
func openFile(_ context.Context, path string) (*os.File, error) { return os.Open(path) }
