//go:build unix

package confirming

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Every edit changes a program, and leaves it one that compiles.
func TestEdits(t *testing.T) {
	for _, p := range []string{"testdata/checkclose", "testdata/latehandler", "../../../../examples/bank", "../../../../examples/workers", "../../../../examples/ringbuffer", "../../../antichain/internal/builtins/testdata"} {
		files, err := sources(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edits {
			edited, err := e.of(files)
			if err != nil {
				t.Errorf("%s: %s: %v", p, e.name, err)
				continue
			}
			dir := t.TempDir()
			changed := false
			for name, text := range edited {
				changed = changed || string(files[name]) != string(text)
				if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if !changed && e.name != "no comments" && e.name != "functions renamed" { // there may be none
				t.Errorf("%s: %s changes nothing", p, e.name)
			}
			if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module edited\n\ngo 1.25\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			vet := exec.Command("go", "build", "-o", os.DevNull, ".")
			vet.Dir = dir
			if out, err := vet.CombinedOutput(); err != nil {
				t.Errorf("%s: %s: %v\n%s", p, e.name, err, out)
			}
		}
	}
}
