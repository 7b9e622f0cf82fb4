package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/tracer/control"
	"github.com/antichain-go/antichain/tracer/event"
)

// Goroutine is one of a halted program.
type Goroutine struct {
	control.Task
	Name string // of the task, "" if it is none
}

// WriteGoroutines tells where the goroutines of a halted program are. Files below root are
// called by their names there.
func WriteGoroutines(w io.Writer, all []Goroutine, root string) error {
	var b strings.Builder
	for _, g := range all {
		name := g.Name
		if name == "" {
			name = "a goroutine without a name"
		}
		fmt.Fprintf(&b, "    %s %s%s\n", event.Printable(name), stateText(g.Task), frameText(g.Stack, root))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func stateText(t control.Task) string {
	if t.State == control.Waiting && t.Reason != "" {
		return "waits (" + event.Printable(t.Reason) + ")"
	}
	if t.State == control.Waiting {
		return "waits"
	}
	return "is " + t.State.String()
}

// frameText tells the innermost place in a file below root, or else the innermost.
func frameText(stack []control.Frame, root string) string {
	if len(stack) == 0 {
		return ""
	}
	at, file := stack[0], stack[0].File
	for _, f := range stack {
		if rel, err := filepath.Rel(root, f.File); err == nil && filepath.IsLocal(rel) {
			at, file = f, rel
			break
		}
	}
	return fmt.Sprintf(" in %s, at %s:%d", event.Printable(at.Func), event.Printable(file), at.Line)
}
