//go:build !linux

package launch

import (
	"context"
	"errors"
)

// Attach returns an error.
func Attach(context.Context, string, Config) (*Run, error) {
	return nil, errors.New("tracing needs Linux; traces that were made there can be checked here")
}

// Executable is the executable of a process; it is not known here.
func Executable(int) string { return "" }
