package prompt

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"time"

	"golang.org/x/term"
)

// Terminal is the controlling terminal of the process as a console. Its line editor is that of
// golang.org/x/term, which reads and writes where it is told to; the standard streams are the program's.
type Terminal struct {
	*editor
	tty   *os.File
	usual *term.State // to be restored
}

// OpenTerminal opens the terminal.
func OpenTerminal() (*Terminal, error) {
	tty, err := os.OpenFile(terminal, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return &Terminal{tty: tty, editor: newEditor(tty)}, nil
}

// Take takes the terminal over for a dialogue, until release; when ctx ends, reading fails. The
// terminal is in raw mode then, so that ctrl-C is a character and no signal, which the program, being in
// the same process group, would get as well.
func (t *Terminal) Take(ctx context.Context) (release func() error, err error) {
	if err := errors.Join(t.tty.SetReadDeadline(time.Time{}), t.makeRaw()); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = t.tty.SetReadDeadline(time.Unix(1, 0)) })
	return func() error {
		stop()
		return t.restore()
	}, nil
}

// Close closes the terminal.
func (t *Terminal) Close() error { return t.tty.Close() }

// terminal is the name of the controlling terminal, also where the standard streams are others.
const terminal = "/dev/tty"

// control calls f with the terminal's descriptor. File.Fd would make reads ignore their deadline.
func (t *Terminal) control(f func(fd int) error) error {
	raw, err := t.tty.SyscallConn()
	if err != nil {
		return err
	}
	var done error
	err = raw.Control(func(fd uintptr) { done = f(int(fd)) })
	return errors.Join(err, done)
}

func (t *Terminal) makeRaw() error {
	return t.control(func(fd int) (err error) {
		t.usual, err = term.MakeRaw(fd)
		return err
	})
}

func (t *Terminal) restore() error {
	return t.control(func(fd int) error { return term.Restore(fd, t.usual) })
}

// ReadLine reads a line.
func (t *Terminal) ReadLine(prompt string, complete func(string) []string) (string, error) {
	err := t.control(func(fd int) error {
		width, height, err := term.GetSize(fd)
		if err != nil || width == 0 {
			return err
		}
		return t.lines.SetSize(width, height)
	})
	if err != nil {
		return "", err
	}
	return t.editor.ReadLine(prompt, complete)
}

// Run runs a program on the terminal. Interrupts from there are for that.
func (t *Terminal) Run(cmd *exec.Cmd) error {
	tty, err := os.OpenFile(terminal, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer tty.Close()
	if err := t.restore(); err != nil {
		return err
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	return errors.Join(cmd.Run(), t.makeRaw())
}
