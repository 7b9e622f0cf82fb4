//go:build unix

package atomicity

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/antichain-go/antichain/cmd/measure/internal/corpus"
)

// TestPrograms builds all programs and runs them without antichain. A program exits with 1 if its
// bug has happened. A twin never does. A bug stays away from an ordinary run; on a busy machine
// that may need some attempts.
func TestPrograms(t *testing.T) {
	files, programs, err := load()
	if err != nil {
		t.Fatal(err)
	}
	if len(programs) != 30 {
		t.Errorf("%d programs", len(programs))
	}
	if testing.Short() {
		t.Skip("builds and runs many programs")
	}
	dir := t.TempDir()
	if err := corpus.WriteModule(dir, files); err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			attempt(t, build(t, dir, p.Name, "fixed"), 1)
			attempt(t, build(t, dir, p.Name, "bug"), 10)
		})
	}
}

// build returns the executable of a program.
func build(t *testing.T, dir, name, variant string) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), name)
	cmd := exec.Command("go", "build", "-o", exe, "./"+name+"/"+variant)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

// attempt runs an executable until it goes well, so many times at most.
func attempt(t *testing.T, exe string, most int) {
	t.Helper()
	var err error
	for range most {
		var out []byte
		if out, err = exec.CommandContext(t.Context(), exe).CombinedOutput(); err == nil {
			return
		}
		t.Logf("%v\n%s", err, out)
	}
	t.Error(err)
}
