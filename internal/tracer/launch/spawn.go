//go:build unix

package launch

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// StartWaiting starts a program that waits for another checker. This run has no events, only an
// end. The fields of cfg about a trace are ignored.
func StartWaiting(ctx context.Context, cfg Config) (*Run, error) {
	r := &Run{cfg: cfg, exited: make(chan struct{}), done: make(chan struct{})}
	if err := r.spawn(ctx, ring.EnvTrace+"="+control.TraceWait); err != nil {
		return nil, err
	}
	go func() {
		defer close(r.done)
		<-r.exited
		r.exitStatus()
	}()
	return r, nil
}

// spawn starts the program with one more variable in its environment, and passes signals on
// until it has ended.
func (r *Run) spawn(ctx context.Context, variable string) error {
	r.cmd = exec.CommandContext(ctx, r.cfg.Binary, r.cfg.Args...)
	r.cmd.Cancel = r.kill
	r.cmd.Dir = r.cfg.Dir
	env := r.cfg.Env
	if env == nil {
		env = os.Environ()
	}
	r.cmd.Env = append(env[:len(env):len(env)], variable)
	r.cmd.Stdin, r.cmd.Stdout, r.cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if r.cfg.Stdin != nil {
		r.cmd.Stdin = r.cfg.Stdin
	}
	if r.cfg.Stdout != nil {
		r.cmd.Stdout = r.cfg.Stdout
	}
	if r.cfg.Stderr != nil {
		r.cmd.Stderr = r.cfg.Stderr
	}
	signals := catchSignals()
	r.cmd.SysProcAttr = signals.procAttr()
	if err := r.cmd.Start(); err != nil {
		signals.stop()
		return err
	}
	go func() {
		_ = r.cmd.Wait() // the exit status is in ProcessState
		close(r.exited)
	}()
	go signals.forward(r.cmd.Process, r.cfg.Quit, r.exited)
	return nil
}

// lookMost bounds how long a program that is to be killed looks for goroutines that wait for ever.
const lookMost = time.Second

// kill ends the program, which first looks for goroutines that wait for ever.
func (r *Run) kill() error {
	if r.ring != nil {
		_ = r.ring.Look(lookMost) // it may have ended
	}
	return r.cmd.Process.Kill()
}

// exitStatus turns the program's end into an exit code, as shells do.
func (r *Run) exitStatus() {
	if r.cmd == nil {
		r.result.ExitCode = -1
		return
	}
	state := r.cmd.ProcessState
	if state == nil { // another part of this process has waited for our child
		r.result.ExitCode = -1
		r.err = errors.Join(r.err, errors.New("the exit code of the program is unknown"))
		return
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		r.result.Signal = status.Signal()
		r.result.ExitCode = 128 + int(status.Signal())
		return
	}
	r.result.ExitCode = state.ExitCode()
}
