//go:build unix

package launch

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// passedOn are the signals that are for the program.
var passedOn = []os.Signal{
	syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2,
	syscall.SIGWINCH, syscall.SIGALRM,
}

// fromTerminal are those that a terminal sends to the whole foreground process group.
var fromTerminal = map[os.Signal]bool{syscall.SIGINT: true, syscall.SIGQUIT: true, syscall.SIGWINCH: true}

// signals are the signals that arrive while the program runs.
type signals struct {
	c        chan os.Signal
	terminal *os.File // the controlling terminal, nil if there is none
}

// catchSignals begins to catch signals. It is called before the program starts: no signal is lost,
// and none ends this process first.
func catchSignals() *signals {
	s := &signals{c: make(chan os.Signal, 16)}
	var caught []os.Signal
	for _, sig := range passedOn {
		// An ignored signal (nohup) stays ignored: the program inherits that.
		if !signal.Ignored(sig) {
			caught = append(caught, sig)
		}
	}
	signal.Notify(s.c, caught...)
	if tty, err := os.OpenFile("/dev/tty", os.O_RDONLY|unix.O_NOCTTY, 0); err == nil {
		s.terminal = tty
	}
	return s
}

// procAttr says how the program is started.
func (s *signals) procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: s.terminal == nil}
}

// forward passes signals on until the program has ended.
func (s *signals) forward(p *os.Process, exited <-chan struct{}) {
	defer s.stop()
	for {
		select {
		case sig := <-s.c:
			if !fromTerminal[sig] || !s.inForeground() {
				// It may have ended by itself in the meantime.
				_ = p.Signal(sig)
			}
		case <-exited:
			return
		}
	}
}

// inForeground reports whether the terminal's signals go to our process group.
func (s *signals) inForeground() bool {
	if s.terminal == nil {
		return false
	}
	group, err := unix.IoctlGetInt(int(s.terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

func (s *signals) stop() {
	signal.Stop(s.c)
	if s.terminal != nil {
		s.terminal.Close()
	}
}
