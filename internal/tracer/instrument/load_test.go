package instrument

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
)

// Of files that are named one by one, those that are new are named, too, and no other: tests may be
// in a package of their own.
func TestAddedToList(t *testing.T) {
	prog := &frontend.Program{Packages: []*frontend.Package{
		{ImportPath: "other", Dir: "/other", GoFiles: []string{"new.go"}},
		{ImportPath: fileList, Name: "p", Dir: "/p", GoFiles: []string{"p.go"}, CgoFiles: []string{"c.go"}},
		{ImportPath: fileList + "_test [" + fileList + ".test]", ForTest: fileList, Name: "p_test", Dir: "/p",
			GoFiles: []string{"p_test.go"}},
	}}
	files := make(map[string][]byte)
	for _, path := range []string{"/p/p.go", "/p/c.go", "/p/p_test.go", "/p/new.go", "/p/another.go",
		"/other/other.go"} {
		files[path] = nil
	}
	if got, want := addedToList(prog, files), []string{"another.go", "new.go"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
