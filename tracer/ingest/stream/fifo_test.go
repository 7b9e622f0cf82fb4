//go:build unix

package stream

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A named pipe ends when its writers are gone, and need not have any for the context to end.
func TestNamedPipe(t *testing.T) {
	pipe := func() (path string, s Source) {
		path = filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Parse(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return path, s
	}
	path, source := pipe()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupt"))
	d := &diary{}
	if err := Serve(ctx, []Source{source}, d); err != nil || len(d.lines) != 1 || d.lines[0] != "no run: "+path {
		t.Errorf("without a writer: %v, %q", err, d.lines)
	}
	path, source = pipe()
	go func() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		defer f.Close()
		_, _ = f.WriteString(`{"antichain":1,"tasks":["a"]}` + "\n" + lineA)
	}()
	d = &diary{}
	if err := Serve(t.Context(), []Source{source}, d); err != nil || len(d.lines) != 3 || d.lines[2] != path+
		" is over" {
		t.Errorf("with a writer: %v, %q", err, d.lines)
	}
}
