package report

import (
	"fmt"
	"io"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/event"
)

// WriteText tells a result in words: the verdict and, of a violation, who stands where, why that
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

// Line tells a result in one line: the verdict and, of a violation, who stands where, and how that
// is known.
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
