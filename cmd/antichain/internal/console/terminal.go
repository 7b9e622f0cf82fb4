package console

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"

	"golang.org/x/term"
)

// Terminal is a terminal, usually the controlling one of the process, as a console. Its line editor
// is that of golang.org/x/term, which does not use the standard streams: they are the program's.
type Terminal struct {
	*editor
	tty   *os.File
	usual *term.State // the mode to restore
}

// OpenTerminal opens the terminal, which may differ from the standard streams.
func OpenTerminal() (*Terminal, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return TerminalAt(tty, tty), nil
}

// TerminalAt uses an open terminal, which may differ from that of the process. It reads typed
// characters from keys.
func TerminalAt(tty *os.File, keys io.Reader) *Terminal {
	return &Terminal{tty: tty, editor: newEditor(struct {
		io.Reader
		io.Writer
	}{keys, tty})}
}

// TTY returns the file that the terminal is.
func (t *Terminal) TTY() *os.File { return t.tty }

// OnTerminal runs a dialogue on the terminal.
func OnTerminal(talk func(*Terminal) error) error {
	t, err := OpenTerminal()
	if err != nil {
		return err
	}
	defer t.Close()
	if err := t.Take(); err != nil {
		return err
	}
	return errors.Join(talk(t), t.Release())
}

// Take takes over the terminal for a dialogue, until Release. It switches to raw mode, in which
// ctrl-C is a character. As a signal it would also reach the program, which is in the same process
// group.
func (t *Terminal) Take() (err error) {
	t.usual, err = term.MakeRaw(int(t.tty.Fd()))
	return err
}

// Release restores the terminal.
func (t *Terminal) Release() error { return term.Restore(int(t.tty.Fd()), t.usual) }

// Close closes the terminal.
func (t *Terminal) Close() error { return t.tty.Close() }

func (t *Terminal) ReadLine(prompt string, complete func(string) []string) (string, error) {
	if width, height, err := term.GetSize(int(t.tty.Fd())); err == nil && width > 0 {
		if err := t.lines.SetSize(width, height); err != nil {
			return "", err
		}
	}
	return t.editor.ReadLine(prompt, complete)
}

// Interruptible returns a context that ctrl-C ends, for long operations. Until done is called the
// terminal is released, which makes ctrl-C a signal.
func (t *Terminal) Interruptible(parent context.Context) (ctx context.Context, done func() error, err error) {
	if err := t.Release(); err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancelCause(parent)
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		select {
		case <-interrupts:
			cancel(ErrInterrupted)
		case <-ctx.Done():
		}
	}()
	return ctx, func() error {
		signal.Stop(interrupts)
		cancel(nil)
		return t.Take()
	}, nil
}

// Run runs a program on the terminal, which also gets its interrupts.
func (t *Terminal) Run(cmd *exec.Cmd) error {
	if err := t.Release(); err != nil {
		return err
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = t.tty, t.tty, t.tty
	return errors.Join(cmd.Run(), t.Take())
}
