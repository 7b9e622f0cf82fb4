package launch

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/antichain-go/antichain/tracer/control"
	"github.com/antichain-go/antichain/tracer/ingest/process/exe"
)

// Attach starts a program that waits for a checker (package control), and delivers its
// events. target is its process id or the path of its socket. Of cfg, what is for starting
// a program is not used; Binary must be that of the process (control.Resolve, Executable).
//
// When the run has ended, the exit code is unknown: others are waiting for it.
func Attach(ctx context.Context, target string, cfg Config) (*Run, error) {
	r := &Run{cfg: cfg, exited: make(chan struct{}), done: make(chan struct{})}
	r.emit, r.ballast = r.event, newBallast()
	var err error
	if r.symbols, err = exe.Open(cfg.Binary, exe.Options{Root: cfg.Root}); err != nil {
		return nil, fmt.Errorf("traced program: %w", err)
	}
	a, err := control.Attach(ctx, target, cfg.ringOptions())
	if err != nil {
		return nil, err
	}
	r.ring, r.cleanup = a.Ring, a.Remove
	go r.consume() // or the program cannot answer
	if err := r.greet(ctx, a); err != nil {
		close(r.exited)
		<-r.done
		return nil, err
	}
	return r, nil
}

// greet begins the conversation with the program, and awaits its end.
func (r *Run) greet(ctx context.Context, a *control.Attachment) (err error) {
	if r.session, err = a.Session(ctx); err != nil {
		return err
	}
	process, err := unix.PidfdOpen(a.PID, 0)
	if err != nil {
		return errors.Join(fmt.Errorf("process %d: %w", a.PID, err), r.session.Close())
	}
	go r.awaitExit(process)
	return nil
}

// awaitExit waits until the process has ended or is not traced any more.
func (r *Run) awaitExit(process int) {
	defer unix.Close(process)
	defer close(r.exited)
	fds := []unix.PollFd{{Fd: int32(process), Events: unix.POLLIN}}
	for fds[0].Revents == 0 && !r.session.Detached() {
		// The end of a session is not an event of the process.
		if _, err := unix.Poll(fds, 50); err != nil && err != unix.EINTR {
			return
		}
	}
}

// Executable is the executable of a process, also if its file has been replaced.
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
