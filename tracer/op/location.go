package op

import (
	"iter"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/site"
)

// Call is a call that is under way at an address in the program's code.
type Call struct {
	Function, At string // "example.org/shop/main.worker", "dir/file.go:12"
	Std          bool   // it stands in the standard library
}

// IsOwn reports whether the call stands in the program's own modules.
func (c Call) IsOwn() bool { return !c.Std && !InDependency(c.At) }

// InDependency reports whether a position is in a module of others: in the cache of modules,
// x.org/y@v1.2.3, or vendored.
func InDependency(at string) bool {
	return strings.Contains(at, "@") || strings.HasPrefix(at, "vendor/")
}

// LocationOf returns where calls lead to, innermost first: all but those by which the runtime and
// package sync do their work.
func LocationOf(calls iter.Seq[Call]) Location {
	var l Location
	for c := range calls {
		if c.Std && synchronises(c.Function) {
			continue
		}
		l.Library = l.Library || c.Std && len(l.Stack) == 0
		f := Frame{Function: ShortName(c.Function), At: c.At}
		if strings.Contains(c.Function, "%") {
			f.Symbol = shortSymbol(c.Function)
		}
		l.Stack = append(l.Stack, f)
		if !l.Called {
			l.At, l.Called = c.At, !c.Std
		}
		if l.Own == "" && c.IsOwn() {
			l.Own = c.At
		}
	}
	return l
}

// synchronises reports whether a function of the standard library is part of what programs
// synchronise with.
func synchronises(function string) bool {
	for _, pkg := range [...]string{"runtime.", "sync.", "sync/atomic.", "internal/sync.", "internal/race.",
		"internal/runtime/"} {
		if strings.HasPrefix(function, pkg) {
			return true
		}
	}
	return false
}

// ShortName shortens the name of a function: directories of the import path, type arguments, and
// the mark of a method value go. What the compiler has escaped in the path is as people write it.
func ShortName(name string) string { return site.UnescapePath(shortSymbol(name)) }

// DisplayFunction returns what reports call a function: its short name without the package if that
// is main, and without the parentheses and the star of a receiver. Examples are "transfer",
// "worker.loop", "main.func1" for a function literal in main, and "cache.Cache.evict".
func DisplayFunction(name string) string {
	return strings.TrimPrefix(site.PlainFunction(shortSymbol(name)), "main.")
}

func shortSymbol(name string) string {
	name = strings.TrimSuffix(name, "-fm")
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	name = b.String()
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	return name
}
