//go:build unix

package view

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipe refuses to write over a pipe, and does not wait for a reader.
func TestPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := CheckOverwritable(pipe); err == nil || strings.Contains(err.Error(), ".antichain-") {
		t.Error(err)
	}
}
