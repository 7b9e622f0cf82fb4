// Package logging writes the log of services, as JSON lines or for people on a terminal.
//
// It limits how many lines of the same kind are written.
package logging

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/wording"
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

// maxText is how many bytes of a foreign text a line has.
const maxText = 500

// Shorten returns the beginning of a long text that comes from elsewhere.
func Shorten(text string) string {
	if len(text) > maxText {
		return strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}
