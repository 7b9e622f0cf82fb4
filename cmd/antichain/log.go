package main

import (
	"fmt"
	"io"
	"strings"
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

// longestLogged is how much of what somebody else wrote a line has.
const longestLogged = 500

func logged(text string) string {
	if len(text) > longestLogged {
		return strings.ToValidUTF8(text[:longestLogged], "") + "…"
	}
	return text
}
