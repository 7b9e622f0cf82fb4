package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/rs/zerolog"
)

// logLevels are the values of --log-level, from the most to the least that is said.
var logLevels = []string{"debug", "info", "warn", "error"}

// newLog returns a log of JSON lines, or of lines for people on a terminal.
func newLog(w io.Writer, level string) (zerolog.Logger, error) {
	l, err := zerolog.ParseLevel(level)
	if err != nil || !strings.Contains(" "+strings.Join(logLevels, " ")+" ", " "+level+" ") {
		return zerolog.Nop(), fmt.Errorf("--log-level %s: the levels are %s", level, report.List(logLevels))
	}
	if terminal.IsTerminal(w) {
		w = zerolog.ConsoleWriter{Out: w, NoColor: !terminal.StyleOf(w).Colour, TimeFormat: time.TimeOnly}
	}
	return zerolog.New(zerolog.SyncWriter(w)).Level(l).With().Timestamp().Logger(), nil
}

const (
	// throttlePeriod is the time in which some lines of a kind are written, and the others are held back.
	throttlePeriod = 10 * time.Second
	// throttleBurst is how many are written in it.
	throttleBurst = 10
)

// throttle keeps lines of one kind from flooding a log. It counts those that it holds back.
type throttle struct {
	mu    sync.Mutex
	began time.Time // of the present period
	said  int       // lines written in it
	held  int       // lines held back since the last that was written
}

// pass reports whether a line is to be written, and how many were held back before it.
func (t *throttle) pass(now time.Time) (held int, ok bool) {
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

// rest returns how many lines were held back last.
func (t *throttle) rest() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	held := t.held
	t.held = 0
	return held
}

// line begins a line of a kind, nil if it is held back.
func (t *throttle) line(e *zerolog.Event) *zerolog.Event {
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

// longestLogged is how much of what somebody else wrote a line has.
const longestLogged = 500

func logged(text string) string {
	if len(text) > longestLogged {
		return strings.ToValidUTF8(text[:longestLogged], "") + "…"
	}
	return text
}
