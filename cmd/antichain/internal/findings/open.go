package findings

import (
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
)

// openWaits are the waits at the end of runs that others may still end: no violations, but not
// nothing either.
type openWaits struct {
	builtin.Open
	listed bool // one by one
}

// add adds those of a run; there may be none.
func (w *openWaits) add(open *builtin.Open) {
	if open == nil {
		return
	}
	w.Waits = append(w.Waits, open.Waits...)
	w.GoOn, w.GoOnNames = append(w.GoOn, open.GoOn...), append(w.GoOnNames, open.GoOnNames...)
	if w.Undecided += open.Undecided; open.Undecided > 0 {
		w.Why = open.Why
	}
}

// include adds those of a test binary of another package.
func (w *openWaits) include(other *openWaits) {
	w.add(&other.Open)
	w.listed = w.listed || other.listed
}

// maxNamed is the number of running goroutines that are named.
const maxNamed = 2

func (w *openWaits) text() string {
	if len(w.Waits) == 0 {
		return ""
	}
	var b strings.Builder
	waits := "waits"
	if len(w.Waits) > 1 {
		waits = "wait"
	}
	fmt.Fprintf(&b, "built-in properties: %s %s for what %s may bring",
		wording.Plural(len(w.Waits), "goroutine"), waits, event.Printable(w.sources()))
	if !w.listed {
		b.WriteString(": --all lists them")
	}
	b.WriteString("\n")
	for i := 0; w.listed && i < len(w.Waits); i++ {
		x := &w.Waits[i]
		name := x.Name
		if x.Name != x.Task {
			name += " (" + x.Task + ")"
		}
		b.WriteString(event.Printable("    " + name + " " + x.Does))
		if x.At != "" {
			b.WriteString(event.Printable(", at " + x.At))
		}
		b.WriteString("\n")
	}
	if w.Undecided > 0 {
		fmt.Fprintf(&b, "built-in properties: whether %d of these can be woken at all is not known: %s\n", w.Undecided,
			event.Printable(w.Why))
	}
	return b.String()
}

// sources says what may end the waits.
func (w *openWaits) sources() string {
	var parts []string
	parts = append(parts, w.GoOnNames[:min(len(w.GoOnNames), maxNamed)]...)
	if more := len(w.GoOnNames) - maxNamed; more > 0 {
		parts = append(parts, wording.Plural(more, "other goroutine"))
	}
	return strings.Join(append(parts, "a timer"), ", ") + " or the outside world"
}
