//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/goker/kernel"
)

// A workspace is a temporary module with the programs.
//
//	asis/            the kernels as they are, one program
//	single/KERNEL/   single copies
//	leaking/KERNEL/  single copies that write the profile at their end
//	fixed/KERNEL/    fixed kernels
//
// The executables of all but the single copies are built into bin: antichain run builds those that
// it traces.
type workspace struct {
	dir       string
	antichain string // the executable
	toolchain *toolchain
	kernels   []*kernel.Kernel
}

// leakingMain is the main function of a single copy (kernel.Kernel.Main) that writes the profile at
// its end.
const leakingMain = `package main

import (
	"os"
	"runtime/pprof"
	"time"
)

func main() {
	%s()
	time.Sleep(100 * time.Millisecond)
	pprof.Lookup("goroutineleak").WriteTo(os.Stdout, 2)
}
`

// newWorkspace writes and builds the programs. What go says is in the error.
func newWorkspace(t *toolchain, kernels []*kernel.Kernel, fixed []*program) (*workspace, error) {
	dir, err := os.MkdirTemp("", "goker-")
	if err != nil {
		return nil, err
	}
	w := &workspace{dir: dir, toolchain: t, kernels: kernels}
	if err := w.fill(fixed); err != nil {
		w.remove()
		return nil, err
	}
	return w, nil
}

func (w *workspace) remove() { os.RemoveAll(w.dir) }

func (w *workspace) path(elements ...string) string {
	return filepath.Join(append([]string{w.dir}, elements...)...)
}

func (w *workspace) fill(fixed []*program) error {
	if err := w.write("go.mod", []byte(w.toolchain.module())); err != nil {
		return err
	}
	if err := w.copyAsIs(); err != nil {
		return err
	}
	for _, k := range w.kernels {
		copied, err := k.Single()
		if err != nil {
			return err
		}
		for dir, main := range map[string][]byte{"single": k.Main(), "leaking": fmt.Appendf(nil, leakingMain, k.Entry)} {
			if err := w.write(filepath.Join(dir, k.Name, k.File()+".go"), copied); err != nil {
				return err
			}
			if err := w.write(filepath.Join(dir, k.Name, "main.go"), main); err != nil {
				return err
			}
		}
	}
	for _, p := range fixed {
		if err := w.write(filepath.Join("fixed", p.name, p.name+".go"), p.source); err != nil {
			return err
		}
	}
	return w.build()
}

// copyAsIs copies the kernels as they are. Where there is no profile of leaked goroutines they
// write that of all goroutines, so that they do not end on a missing one.
func (w *workspace) copyAsIs() error {
	from := filepath.Dir(w.kernels[0].Path)
	if w.toolchain.hasProfile() {
		return os.CopyFS(w.path("asis"), os.DirFS(from))
	}
	paths, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte(`Lookup("goroutineleak")`), []byte(`Lookup("goroutine")`))
		if err := w.write(filepath.Join("asis", filepath.Base(path)), text); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file of the workspace.
func (w *workspace) write(name string, text []byte) error {
	path := w.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o666)
}

// build builds what runs untraced.
func (w *workspace) build() error {
	if err := os.MkdirAll(w.path("bin"), 0o777); err != nil {
		return err
	}
	if !w.toolchain.hasProfile() {
		return nil
	}
	return w.goBuild(w.dir, "-o", w.path("bin")+string(filepath.Separator), "./asis", "./leaking/...")
}

// goBuild runs go build in a directory, with the profile of leaked goroutines.
func (w *workspace) goBuild(dir string, args ...string) error {
	cmd := exec.Command("go", append([]string{"build"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), w.toolchain.env()...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}
