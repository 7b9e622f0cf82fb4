//go:build linux && (amd64 || arm64)

package control

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// A process writes a trace if it shares a mapping of one, whose file is where it was.
func TestTraceOf(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a directory")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	isTrace := func(path string, want bool) {
		t.Helper()
		got, err := TraceOf(os.Getpid())
		if err != nil || (got == path) != want {
			t.Errorf("the trace is %q, %v; %s is it: want %t", got, err, path, want)
		}
	}
	share := func(name string, mode uint32) string {
		t.Helper()
		path := filepath.Join(dir, name)
		head := make([]byte, ring.HeaderSize)
		binary.LittleEndian.PutUint64(head[ring.OffMagic:], ring.Magic)
		binary.LittleEndian.PutUint32(head[ring.OffMode:], mode)
		if err := os.WriteFile(path, head, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		mem, err := unix.Mmap(int(f.Fd()), 0, len(head), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { unix.Munmap(mem) })
		return path
	}
	isTrace(share("of a consumer", ring.ModeWrap), false)
	path := share("a trace", ring.ModeAppend)
	isTrace(path, true)
	moved := filepath.Join(dir, "moved")
	if err := os.Rename(path, moved); err != nil {
		t.Fatal(err)
	}
	isTrace(moved, true)
	if err := os.Rename(filepath.Join(dir, "of a consumer"), moved); err != nil {
		t.Fatal(err)
	}
	isTrace(moved, false)
	if _, err := TraceOf(1 << 30); err == nil {
		t.Error("there is no such process")
	}
}
