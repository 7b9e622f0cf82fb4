package halt

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Goroutine is one of a halted program.
type Goroutine struct {
	control.Task
	Name     string // of the task, "" if it is none
	Display  string // what reports call it; "" if that is its name
	Involved bool   // the violation, or what is looked at, is about it
}

// maxGoroutines bounds the number of goroutines that are listed, beside those of the violation.
const maxGoroutines = 100

// WriteGoroutines writes where the goroutines of a halted program are; if there are very many, only
// the first. Files below root have relative names.
func WriteGoroutines(w io.Writer, all []Goroutine, root string) error {
	var b strings.Builder
	listed, more := 0, 0
	for _, g := range all {
		switch {
		case len(g.Stack) == 0: // the runtime's own
		case listed >= maxGoroutines && !g.Involved:
			more++
		default:
			listed++
			fmt.Fprintf(&b, "    %s %s%s\n", g.name(), stateText(g.Task), frameText(g.Stack, root))
		}
	}
	if more > 0 {
		fmt.Fprintf(&b, "    and %s\n", wording.Plural(more, "other"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteStack writes all calls of a goroutine, the innermost first.
func WriteStack(w io.Writer, g Goroutine, root string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", g.name(), stateText(g.Task))
	for _, f := range g.Stack {
		file, _ := pathBelow(root, f.File)
		fmt.Fprintf(&b, "    %s, at %s:%d\n", functionText(f.Func), event.Printable(file), f.Line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// name returns what a goroutine is called, with its precise name behind it. Where reports have no
// name for it, it is called by the function that it runs.
func (g Goroutine) name() string {
	if g.Name == "" {
		return "a goroutine without a name"
	}
	display := g.Display
	if display == "" || display == g.Name {
		display = g.runs()
	}
	if display == "" || display == g.Name {
		return event.Printable(g.Name)
	}
	return event.Printable(display) + " (" + event.Printable(g.Name) + ")"
}

// runs returns the outermost function of the program, "" if the goroutine is in none.
func (g Goroutine) runs() string {
	library := libraryOf(g.Stack)
	for _, f := range slices.Backward(g.Stack) {
		inLibrary := library != "" && strings.HasPrefix(f.File, library)
		if !inLibrary && !op.InDependency(f.File) {
			return op.DisplayFunction(f.Func)
		}
	}
	return ""
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

// frameText returns the innermost place in a file below root, or else the innermost one outside of
// the standard library, or else the innermost one.
func frameText(stack []control.Frame, root string) string {
	if len(stack) == 0 {
		return ""
	}
	i := slices.IndexFunc(stack, func(f control.Frame) bool {
		_, ok := pathBelow(root, f.File)
		return ok
	})
	if library := libraryOf(stack); i < 0 && library != "" {
		i = slices.IndexFunc(stack, func(f control.Frame) bool { return !strings.HasPrefix(f.File, library) })
	}
	at := stack[max(i, 0)]
	file, _ := pathBelow(root, at.File)
	return fmt.Sprintf(" in %s, at %s:%d", functionText(at.Func), event.Printable(file), at.Line)
}

func functionText(name string) string { return event.Printable(op.DisplayFunction(name)) }

// libraryOf returns the directory GOROOT/src, if a frame is in it: there directories are called as
// packages are. It returns "" if none is.
func libraryOf(stack []control.Frame) string {
	for _, f := range stack {
		last := strings.LastIndexByte(f.Func, '/') + 1
		pkg, _, _ := strings.Cut(f.Func[last:], ".")
		if src, ok := strings.CutSuffix(path.Dir(f.File), "/src/"+f.Func[:last]+pkg); ok {
			return src + "/src"
		}
	}
	return ""
}

// pathBelow is the name that a file has below root; false if it is elsewhere.
func pathBelow(root, file string) (string, bool) {
	if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
		return rel, true
	}
	return file, false
}
