package instrument

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
)

// Files in the module cache cannot be replaced, so packages there call the functions of sync/atomic
// as usual: as instructions, which cannot be recorded. The compiler can be made to use calls
// instead. That costs a package its other intrinsics, too. An inlined function is compiled with the
// flags of the package that inlines it; so these packages and their dependents are compiled so.

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
			found[strings.TrimSuffix(path, "_test")] = true // its flags are those of its tests
		}
	}
	return found
}
