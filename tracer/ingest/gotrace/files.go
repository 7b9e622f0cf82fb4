package gotrace

import (
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
	"golang.org/x/exp/trace"
)

// files distinguishes the standard library from the program by the directory of the runtime's
// files.
type files struct {
	known bool
	root  string // directory of the standard library, "" if the program was built with -trimpath
}

// findRuntime looks for a file of the runtime.
func (l *files) findRuntime(frames []trace.StackFrame) {
	for i := 0; i < len(frames) && !l.known; i++ {
		f := frames[i]
		at := strings.LastIndexByte(f.File, '/') + 1
		if !strings.HasPrefix(f.Func, "runtime.") || f.Func == "runtime.main" {
			continue
		}
		l.root, l.known = strings.CutSuffix(f.File[:at], "runtime/")
	}
}

// library has the directories of the standard library; no module may have the name of one.
var library = map[string]bool{}

func init() {
	for _, name := range strings.Fields("archive bufio bytes cmp compress container context crypto database debug " +
		"embed encoding errors " +
		"expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect " +
		"regexp runtime " +
		"slices sort strconv strings structs sync syscall testing text time unicode unique vendor weak") {
		library[name] = true
	}
}

// isStd reports whether a frame is of the standard library.
func (l *files) isStd(f trace.StackFrame) bool { return l.isLibrary(f.Func, f.File) }

func (l *files) isLibrary(function, file string) bool {
	first, _, _ := strings.Cut(function, ".")
	first, _, _ = strings.Cut(first, "/")
	return library[first] && (l.root == "" || strings.HasPrefix(file, l.root))
}

// ownPosition returns the innermost position of a stack in the program's own code, or else the
// innermost one.
func (l *files) ownPosition(frames []trace.StackFrame) string {
	for _, f := range frames {
		if !l.isStd(f) {
			return position(f)
		}
	}
	if len(frames) > 0 {
		return position(frames[0])
	}
	return ""
}

// markStd marks the calls of the standard library.
func (l *files) markStd(codes []*event.Event) {
	for _, e := range codes {
		for i := range e.Code.Calls {
			call := &e.Code.Calls[i]
			call.Std = l.isLibrary(call.Function, call.At)
		}
	}
}
