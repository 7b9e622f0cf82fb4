package goroot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// All methods of Value load its type in the way that is found.
func TestTypesOfValues(t *testing.T) {
	files, err := patchAtomics(func(name string) (string, error) {
		b, err := os.ReadFile(filepath.Join(goroot(), "src", name))
		return string(b), err
	})
	if err != nil {
		t.Fatal(err)
	}
	values := files["sync/atomic/value.go"]
	if n := strings.Count(values, "antichainLoadType("); n != 4 {
		t.Errorf("%d loads of a type, not one each of Load, Store, Swap and CompareAndSwap:\n%s", n, values)
	}
}
