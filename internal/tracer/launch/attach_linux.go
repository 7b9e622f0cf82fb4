package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/process/exe"
)

// Attach starts a program that waits for a checker (package control), and delivers its events.
// target is its process id or the path of its socket. The fields of cfg for starting a program are
// ignored, and Binary must be that of the process (control.Resolve, Executable).
//
// The exit code stays unknown, since only the parent of a process receives it.
func Attach(ctx context.Context, target string, cfg Config) (*Run, error) {
	r := &Run{cfg: cfg, exited: make(chan struct{}), done: make(chan struct{})}
	r.emit, r.ballast = r.event, newBallast()
	var err error
	if r.symbols, err = exe.Open(cfg.Binary, exe.Options{Root: cfg.Root}); err != nil {
		return nil, fmt.Errorf("traced program: %w", err)
	}
	pid, socket, err := control.Resolve(ctx, target)
	if err != nil {
		return nil, err
	}
	// The program still waits. Once it runs it may end, and its parent may reap it.
	process, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return nil, fmt.Errorf("process %d: %w", pid, err)
	}
	a, err := control.Attach(ctx, socket, r.ringOptions())
	if err != nil {
		return nil, errors.Join(err, unix.Close(process))
	}
	r.otherPID, r.ring, r.cleanup = pid, a.Ring, a.Remove
	go r.consume() // or the program cannot answer
	r.session, err = a.Session(ctx)
	if err != nil && (!errors.Is(err, control.ErrEnded) || !waitEnd(process, endTime)) {
		close(r.exited)
		<-r.done
		return nil, errors.Join(err, unix.Close(process))
	}
	go r.awaitExit(process)
	return r, nil
}

// endTime is the time that a program may take to end after its connection has ended.
const endTime = time.Second

// awaitExit waits until the process has ended or is no longer traced.
func (r *Run) awaitExit(process int) {
	defer unix.Close(process)
	defer close(r.exited)
	// The end of a session is not an event of the process.
	for !waitEnd(process, 50*time.Millisecond) && !r.detached() && !r.ring.IsAbandoned() {
	}
}

// waitEnd waits for the end of a process. It reports true as well if it cannot wait for that
// process.
func waitEnd(process int, most time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(process), Events: unix.POLLIN}}
	for deadline := time.Now().Add(most); ; {
		n, err := unix.Poll(fds, int(max(time.Until(deadline), 0).Milliseconds()))
		if err != unix.EINTR || time.Now().After(deadline) {
			return n > 0 || err != nil && err != unix.EINTR
		}
	}
}

// Executable returns the path of a process's executable, even if that file has been replaced.
func Executable(pid int) string {
	link := fmt.Sprintf("/proc/%d/exe", pid)
	if path, err := os.Readlink(link); err == nil {
		now, err1 := os.Stat(path)
		then, err2 := os.Stat(link)
		if err1 == nil && err2 == nil && os.SameFile(now, then) {
			return path
		}
	}
	return link
}
