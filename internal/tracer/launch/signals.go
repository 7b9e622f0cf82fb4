//go:build unix

package launch

import (
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// passedOn are the signals that are for the program.
var passedOn = []os.Signal{
	syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2,
	syscall.SIGWINCH, syscall.SIGALRM,
}

// fromTerminal are the signals that a terminal sends to its whole foreground process group.
var fromTerminal = map[os.Signal]bool{syscall.SIGINT: true, syscall.SIGQUIT: true, syscall.SIGWINCH: true}

// terminalSet has a bit for each of fromTerminal, as /proc shows sets of signals.
const terminalSet = 1<<(syscall.SIGINT-1) | 1<<(syscall.SIGQUIT-1) | 1<<(syscall.SIGWINCH-1)

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

// forward passes signals on until the program has ended. quit, unless it is nil, takes SIGQUIT.
func (s *signals) forward(p *os.Process, quit func(), exited <-chan struct{}) {
	defer s.stop()
	for {
		select {
		case sig := <-s.c:
			if sig == syscall.SIGQUIT && quit != nil {
				quit()
				continue
			}
			if !fromTerminal[sig] || !s.inForeground() {
				// It may have ended by itself in the meantime.
				_ = p.Signal(sig)
			}
		case <-exited:
			if s.inForeground() {
				awaitHandled()
			}
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

// awaitHandled waits until no thread is about to handle a signal. A terminal sends one to the
// program and to this process at once, and the program may have ended by it before this process has
// handled it: without a handler it would end this process, too. The wait is short, but for threads
// that block signals all the time.
func awaitHandled() {
	const often, atMost = time.Millisecond, time.Second
	for began := time.Now(); isHandling() && time.Since(began) < atMost; {
		time.Sleep(often)
	}
}

// isHandling reports whether a signal of the terminal is pending, or a thread blocks all of them,
// as it does in a handler. It is false where Linux's /proc is missing.
func isHandling() bool {
	threads, _ := filepath.Glob("/proc/self/task/*/status") // the pattern is right
	for _, name := range threads {
		status, _ := os.ReadFile(name) // empty if the thread has ended
		for line := range strings.Lines(string(status)) {
			key, value, _ := strings.Cut(line, ":")
			set, err := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
			switch {
			case err != nil:
			case (key == "SigPnd" || key == "ShdPnd") && set&terminalSet != 0,
				key == "SigBlk" && set&terminalSet == terminalSet:
				return true
			}
		}
	}
	return false
}

func (s *signals) stop() {
	signal.Stop(s.c)
	if s.terminal != nil {
		s.terminal.Close()
	}
}
