package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/prompt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/control"
)

// awaitVisitor lets the halted program stand until somebody has come with antichain attach, and
// decides as he does.
func (l *Session) awaitVisitor(h *haltedProgram) decision {
	m := l.monitor
	if !m.JSON {
		if err := h.write(m.Stderr, l.root); err != nil {
			m.ReportError(err)
		}
	}
	host, err := h.host(m.Reading)
	if err != nil {
		m.ReportError(fmt.Errorf("nobody can come to look at the program: %w", err))
		return decision{}
	}
	defer host.Close()
	fmt.Fprintf(l.notes, "antichain: to look at it, type in another terminal: antichain attach %d\n", h.PID())
	for {
		v, err := host.Visitor()
		if err != nil { // the program has ended
			return l.decided(prompt.Decision{})
		}
		d, err := l.receive(v, h)
		v.Close()
		if err == nil || l.halt.HasEnded() {
			return l.decided(d)
		}
		fmt.Fprintln(l.notes, "antichain: who looked at the program is gone; it stays halted:", err)
	}
}

// receive has the dialogue with a visitor.
func (l *Session) receive(v *control.Visitor, h *haltedProgram) (prompt.Decision, error) {
	if v.Terminal == nil {
		return l.dialogue(console.NewScript(v.In, v.Out), h)
	}
	return l.introduce(console.TerminalAt(v.Terminal, v), h)
}

// IsHalted reports whether the program is halted by the antichain that has started it, which waits
// for a visitor.
func (p *Process) IsHalted() bool { return control.HostOf(p.socket) != "" }

// Visit brings this terminal, or the commands of the standard input, to the antichain that has
// halted the program.
func (p *Process) Visit(ctx context.Context, s terminal.Streams) error {
	host := control.HostOf(p.socket)
	in, out := terminal.FileOf(s.In), terminal.FileOf(s.Out)
	if !terminal.IsTerminal(in) || !terminal.IsTerminal(out) {
		if in == nil || out == nil {
			return errors.New("standard input and output must be files")
		}
		return control.VisitScript(ctx, host, in, out)
	}
	t, err := console.OpenTerminal()
	if err != nil {
		return err
	}
	defer t.Close()
	signal.Ignore(os.Interrupt) // it is for what runs on the terminal meanwhile
	return control.VisitTerminal(ctx, host, t.TTY())
}
