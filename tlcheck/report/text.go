package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// WriteText describes a result: the verdict and, of a violation, who stands where, why that
// violates the property, and an order of the run's events that leads there.
func WriteText(w io.Writer, s Subject, style Style) error {
	r := s.Assessment()
	if r.Finding != nil {
		return findingOf(r, style.Source).write(w, style)
	}
	head := fmt.Sprintf("%s: %s\n", event.Printable(r.Name()), style.Verdict(r))
	if caveat := caveat(r.Result); caveat != "" {
		head += fmt.Sprintf("    Mind: %s.\n", event.Printable(caveat))
	}
	if _, err := io.WriteString(w, head); err != nil || r.Verdict != tlcheck.Violated {
		return err
	}
	write := WriteViolation
	if r.Violations != nil && len(r.Violations.Groups) > 0 {
		write = writeGroups
	}
	if err := write(w, r, style); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// Line returns a one-line summary of a result: the verdict and, of a violation, who stands where,
// and how that is known.
func Line(s Subject, style Style) string {
	r := s.Assessment()
	switch {
	case r.Finding != nil:
		return findingOf(r, style.Source).line(style)
	case r.Witness != nil:
		return violation{r, style.Source}.line(style)
	}
	return event.Printable(r.Name()) + ": " + style.Verdict(r)
}

// caveat returns the premise of the verdict if the source of the trace shows less than what
// happened, else "".
func caveat(r *tlcheck.Result) string {
	if r.Net == nil {
		return ""
	}
	return r.Net.Header().Caveat
}

// The escape sequences of reports. Any other one in the output is a bug.
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

// Verdict is the word for a verdict in this style, with what is known if a budget ran out.
func (s Style) Verdict(of Subject) string {
	r := of.Assessment()
	word := s.word(r.Verdict)
	if r.Vacuous != "" {
		word += " (vacuous: " + event.Printable(r.Vacuous) + ")"
	}
	if r.Coverage() == "" {
		return word
	}
	return word + ": " + event.Printable(r.Coverage())
}

func (s Style) word(v tlcheck.Verdict) string {
	switch v {
	case tlcheck.Holds:
		return s.paint(escGreen, v.String())
	case tlcheck.Violated:
		return s.paint(escRed, v.String())
	}
	return s.paint(escBold, v.String())
}

// Formula returns the formula of a property in its author's layout, on lines of its own.
func (s Style) Formula(p *spec.Property) string {
	var b strings.Builder
	for l := range strings.Lines(p.Source) {
		b.WriteString("    " + s.paint(escDim, event.Printable(strings.TrimSpace(l))) + "\n")
	}
	return b.String()
}

// Bold returns text that a terminal emphasises.
func (s Style) Bold(text string) string { return s.paint(escBold, text) }

// Dim returns text that a terminal dims.
func (s Style) Dim(text string) string { return s.paint(escDim, text) }
