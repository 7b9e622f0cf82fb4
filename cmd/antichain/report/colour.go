package report

import (
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// The escape sequences used; every other one in the output would be a bug.
const (
	escBold  = "\x1b[1m"
	escDim   = "\x1b[2m"
	escRed   = "\x1b[31m"
	escGreen = "\x1b[32m"
	escReset = "\x1b[0m"
)

func (s Style) paint(esc, text string) string {
	if !s.Colour {
		return text
	}
	return esc + text + escReset
}

func (p *printer) bold(text string) string { return p.style.paint(escBold, text) }
func (p *printer) dim(text string) string  { return p.style.paint(escDim, text) }

func (p *printer) truth(t lsl.Truth) string {
	switch t {
	case lsl.True:
		return p.style.paint(escGreen, t.String())
	case lsl.False:
		return p.style.paint(escRed, t.String())
	}
	return t.String()
}

// Holds, Violated and Unknown are the words for the verdicts in this style.
func (s Style) Holds() string    { return s.paint(escGreen, "holds") }
func (s Style) Violated() string { return s.paint(escRed, "violated") }
func (s Style) Unknown() string  { return s.paint(escBold, "unknown") }
