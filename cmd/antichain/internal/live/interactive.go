package live

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/monitor"
	"github.com/antichain-go/antichain/cmd/antichain/internal/prompt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// dialogueTime bounds the work on one answer of a dialogue, which cannot be interrupted.
const dialogueTime = 10 * time.Second

// AskUser makes the user at the terminal decide how a halted program continues, if there is one:
// input and messages are a terminal.
func (l *Session) AskUser(stdin, stderr *os.File) error {
	if l.monitor.JSON || !terminal.IsTerminal(stdin) || !terminal.IsTerminal(stderr) {
		return nil
	}
	t, err := console.OpenTerminal()
	if err != nil {
		return err
	}
	l.interactive = true
	l.decide = func(h *haltedProgram) decision { return l.ask(t, h) }
	return nil
}

// AskUserApart is TalkAt for a terminal where reports are not shown until the program has ended.
func (l *Session) AskUserApart() error {
	t, err := console.OpenTerminal()
	if err != nil {
		return err
	}
	l.interactive = true
	l.decide = func(h *haltedProgram) decision {
		d, err := l.introduce(t, h)
		if err != nil {
			l.monitor.ReportError(fmt.Errorf("the terminal: %w", err))
		}
		return l.decisionOf(d)
	}
	return nil
}

// introduce holds the dialogue on a terminal that has not shown yet that the program is halted.
func (l *Session) introduce(t *console.Terminal, h *haltedProgram) (prompt.Decision, error) {
	var text strings.Builder
	if err := h.write(&text, l.root); err != nil {
		return prompt.Decision{Action: prompt.Detach}, err
	}
	return l.onTerminal(t, h, text.String()+helpHint+"\n")
}

// ask is a dialogue about the halted program.
func (l *Session) ask(t *console.Terminal, h *haltedProgram) decision {
	m := l.monitor
	if err := h.write(m.Stderr, l.root); err != nil {
		m.ReportError(err)
	}
	fmt.Fprintln(m.Stderr, helpHint)
	d, err := l.onTerminal(t, h, "")
	if err != nil {
		m.ReportError(fmt.Errorf("the terminal: %w", err))
	}
	return l.decisionOf(d)
}

const helpHint = "help lists what you can do now."

// decisionOf returns how the program continues.
func (l *Session) decisionOf(d prompt.Decision) decision {
	m := l.monitor
	switch {
	case l.halt.HasEnded(): // others may have killed it; a decision comes too late
		fmt.Fprintln(m.Stderr, "antichain: the program has ended meanwhile")
		return decision{}
	case d.Action == prompt.End:
		return decision{end: errEnded}
	case d.Action == prompt.Detach:
		return decision{detach: true}
	}
	fmt.Fprintln(m.Stderr, "antichain: the program continues"+l.howToHalt())
	return decision{replace: d.Properties}
}

// howToHalt says how the person can halt the program.
func (l *Session) howToHalt() string {
	switch {
	case l.canBeAsked():
		return "; ctrl-C halts it"
	case l.process != nil:
		return "; ctrl-C detaches"
	}
	return "" // an interrupt is the program's
}

// onTerminal has the dialogue on a terminal, which shows a text before.
func (l *Session) onTerminal(t *console.Terminal, h *haltedProgram, text string) (d prompt.Decision, err error) {
	if err := t.Take(); err != nil {
		return prompt.Decision{Action: prompt.Detach}, err
	}
	defer func() { err = errors.Join(err, t.Release()) }()
	if _, err := io.WriteString(t, text); err != nil {
		return prompt.Decision{Action: prompt.Detach}, err
	}
	return l.dialogue(t, h)
}

func (l *Session) dialogue(c console.Console, h *haltedProgram) (prompt.Decision, error) {
	m := l.monitor
	options := m.Options
	options.Time = dialogueTime
	return prompt.Run(m.Checking, &prompt.HaltedProgram{
		Program: h.Session, Root: l.root, Package: l.pkg, TaskName: h.TaskName, DisplayName: h.DisplayName,
		Net: h.Net, Properties: m.Properties, Violations: h.Violations, Options: options, Attached: l.process != nil,
		Load: func(name string) ([]*spec.Property, error) { return loadAgain(m, h.Net.Header(), name) },
	}, c, m.Style)
}

// loadAgain reads a specification that can be checked on a run with that header from here on.
func loadAgain(m *monitor.Monitor, h *event.Header, name string) ([]*spec.Property, error) {
	if _, err := os.Stat(name); err == nil && !input.IsRegular(name) {
		return nil, fmt.Errorf("%s is not a regular file: name a specification file", event.Printable(name))
	}
	specs := specfile.Source{Files: []string{name}}
	files, err := specs.Load()
	if err != nil {
		return nil, err
	}
	loaded := specfile.Properties(files)
	return loaded, m.Kinds(h, loaded).Err()
}

// haltAtInterrupt makes an interrupt halt the program, for a dialogue or to detach from it, until
// stop. Another one before it is halted ends antichain, and the program goes on as if that had been
// killed.
func (l *Session) haltAtInterrupt() (stop func()) {
	c, done := make(chan os.Signal, 1), make(chan struct{})
	if !signal.Ignored(os.Interrupt) { // as for a job in the background: it stays so
		signal.Notify(c, os.Interrupt)
	}
	go func() {
		for {
			select {
			case <-c:
				if !l.wanted.CompareAndSwap(false, true) {
					os.Exit(interrupt.ExitCode)
				}
			case <-done:
				return
			}
		}
	}()
	return sync.OnceFunc(func() {
		signal.Stop(c)
		close(done)
	})
}
