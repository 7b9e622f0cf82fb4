//go:build linux

// Package ptytest runs commands on pseudo terminals in tests. A command whose controlling terminal
// is a pseudo terminal behaves as it does when a person types.
package ptytest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Open makes a pseudo terminal: what is written to the master is typed at the slave.
func Open(t testing.TB) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close() })
	return master, slave
}

// Start starts a command with a terminal of its own, which is its standard input, and its standard
// output and error if they are nil. The end of the test kills the command.
func Start(t testing.TB, cmd *exec.Cmd) *Screen {
	t.Helper()
	master, slave := Open(t)
	cmd.Stdin = slave
	if cmd.Stdout == nil {
		cmd.Stdout = slave
	}
	if cmd.Stderr == nil {
		cmd.Stderr = slave
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	slave.Close() // then the master ends with the command and its children
	return &Screen{t: t, master: master}
}

// Screen is the display of a terminal.
type Screen struct {
	t      testing.TB
	master *os.File
	unread []byte // displayed, not awaited yet
}

// Type types text, in which \r is the return key and \x03 ctrl-C.
func (s *Screen) Type(text string) {
	s.t.Helper()
	if _, err := s.master.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// Insist types keys repeatedly until the terminal shows text, and returns everything up to its end.
func (s *Screen) Insist(keys, text string) string {
	s.t.Helper()
	seen, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for again := time.NewTicker(20 * time.Millisecond); ; {
			if _, err := s.master.WriteString(keys); err != nil {
				return // Await reports the failure
			}
			select {
			case <-seen:
				again.Stop()
				return
			case <-again.C:
			}
		}
	}()
	defer func() { close(seen); <-stopped }()
	return s.Await(text)
}

// Await waits until the terminal shows text after the previously awaited one, and returns
// everything up to its end.
func (s *Screen) Await(text string) string {
	s.t.Helper()
	for {
		if before, _, found := bytes.Cut(s.unread, []byte(text)); found {
			shown := string(s.unread[:len(before)+len(text)])
			s.unread = s.unread[len(shown):]
			return shown
		}
		if !s.more() {
			s.t.Fatalf("the terminal does not show %q but %q", text, s.unread)
		}
	}
}

// Rest waits until no process has the terminal open, and returns the rest of the display.
func (s *Screen) Rest() string {
	for s.more() {
	}
	rest := string(s.unread)
	s.unread = nil
	return rest
}

// more reads more output. It returns false at the end.
func (s *Screen) more() bool {
	buf := make([]byte, 1<<12)
	n, err := s.master.Read(buf)
	s.unread = append(s.unread, buf[:n]...)
	return err == nil
}
