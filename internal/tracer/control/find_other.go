//go:build !linux

package control

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
)

var errUnsupported = errors.New("tracing needs Linux; traces that were made there can be checked here")

// Find returns an error.
func Find(int) (string, error) { return "", errUnsupported }

func connect(context.Context, string) (net.Conn, int, error) { return nil, 0, errUnsupported }

// Host is a checker that waits for a person; there is none here.
type Host struct{}

// NewHost returns an error.
func NewHost(string) (*Host, error) { return nil, errUnsupported }

// Close does nothing.
func (*Host) Close() error { return nil }

// Visitor returns an error.
func (*Host) Visitor() (*Visitor, error) { return nil, errUnsupported }

// Visitor is a person at another terminal; there is none here.
type Visitor struct{ Terminal, In, Out *os.File }

// Read returns an error.
func (*Visitor) Read([]byte) (int, error) { return 0, errUnsupported }

// Close does nothing.
func (*Visitor) Close() error { return nil }

// HostOf is empty.
func HostOf(string) string { return "" }

// VisitTerminal returns an error.
func VisitTerminal(context.Context, string, *os.File) error { return errUnsupported }

// VisitScript returns an error.
func VisitScript(context.Context, string, *os.File, *os.File) error { return errUnsupported }

// Serve returns an error.
func Serve(string, func(io.WriteCloser)) (io.Closer, error) { return nil, errUnsupported }

// TraceOf returns an error.
func TraceOf(int) (string, error) { return "", errUnsupported }

// Where returns an error.
func Where(context.Context, int, io.Writer) error { return errUnsupported }

// WhereBelow finds none.
func WhereBelow(context.Context, int, io.Writer) int { return 0 }
