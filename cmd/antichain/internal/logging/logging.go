// Package logging writes the log of services, as JSON lines or for people on a terminal.
//
// It limits how many lines of the same kind are written.
package logging

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/rs/zerolog"
)

// levels are the values of --log-level, from the most to the least verbose.
var levels = []string{"debug", "info", "warn", "error"}

// New returns a log with a level of --log-level: JSON lines, or lines for people if w is a
// terminal.
func New(w io.Writer, level string) (zerolog.Logger, error) {
	l, err := zerolog.ParseLevel(level)
	if err != nil || !strings.Contains(" "+strings.Join(levels, " ")+" ", " "+level+" ") {
		return zerolog.Nop(), fmt.Errorf("--log-level %s: the levels are %s", level, wording.List(levels))
	}
	if terminal.IsTerminal(w) {
		w = zerolog.ConsoleWriter{Out: w, NoColor: !terminal.StyleOf(w).Colour, TimeFormat: time.TimeOnly}
	}
	return zerolog.New(zerolog.SyncWriter(w)).Level(l).With().Timestamp().Logger(), nil
}

// maxText bounds the bytes of a foreign text in a line.
const maxText = 500

// Shorten returns the beginning of a long text that comes from elsewhere.
func Shorten(text string) string { return wording.Beginning(text, maxText) }

const (
	// throttlePeriod is the time in which throttleBurst lines of a kind are written, and further
	// ones held back.
	throttlePeriod = 10 * time.Second
	// throttleBurst is the number of lines of a kind that are written in throttlePeriod.
	throttleBurst = 10
)

// Throttle keeps lines of one kind from flooding a log. It counts the lines that it holds back.
type Throttle struct {
	mu    sync.Mutex
	began time.Time // of the present period
	said  int       // lines written in it
	held  int       // lines held back since the last that was written
}

// pass reports whether a line is to be written, and how many were held back before it.
func (t *Throttle) pass(now time.Time) (held int, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Sub(t.began) >= throttlePeriod {
		t.began, t.said = now, 0
	}
	if t.said == throttleBurst {
		t.held++
		return 0, false
	}
	t.said++
	held, t.held = t.held, 0
	return held, true
}

// Drain returns the number of lines held back since the last written one, and resets it.
func (t *Throttle) Drain() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	held := t.held
	t.held = 0
	return held
}

// Line returns the event for a line of the kind, nil if the line is held back.
func (t *Throttle) Line(e *zerolog.Event) *zerolog.Event {
	held, ok := t.pass(time.Now())
	if !ok {
		e.Discard()
		return nil
	}
	if held > 0 {
		e = e.Int("held_back", held)
	}
	return e
}
