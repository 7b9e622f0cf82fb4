//go:build unix

package stream

import (
	"context"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// openFile opens a trace file. It opens a named pipe without waiting for a writer, and then polls
// it until there has been one: a blocking open that a signal interrupts, and the Go runtime sends
// many, can miss a writer that comes and goes meanwhile.
func openFile(ctx context.Context, path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil || isRegular(f) {
		return f, err
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return f, nil // not a file that can be polled
	}
	for {
		ready := true
		if err := raw.Control(func(fd uintptr) {
			fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			n, err := unix.Poll(fds, 0)
			ready = n > 0 || err != nil && err != unix.EINTR
		}); err != nil || ready {
			return f, nil
		}
		select {
		case <-ctx.Done():
			return f, nil
		case <-time.After(followEvery):
		}
	}
}
