package instrument

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
)

// Files in the module cache cannot be replaced, so that packages there call the functions of sync/atomic
// as they do otherwise: as instructions, which nobody sees. The compiler can be told to make calls
// of them. That costs a package the other functions that are instructions, too, and where a function is
// inlined counts what the package there is compiled with; so these packages are compiled so, and what
// depends on them.

// dependents returns the packages with these paths and all that depend on them.
func dependents(p *frontend.Program, paths []string) map[string]bool {
	found := map[string]bool{}
	for _, path := range paths {
		found[path] = true
	}
	for _, l := range p.Packages { // dependencies come first
		if l.Standard || !slices.ContainsFunc(l.Imports, func(i string) bool { return found[frontend.PlainPath(i)] }) {
			continue
		}
		path := frontend.PlainPath(l.ImportPath)
		found[path] = true
		if path == l.ForTest+"_test" {
			found[strings.TrimSuffix(path, "_test")] = true // whose flags are those of its tests
		}
	}
	return found
}
