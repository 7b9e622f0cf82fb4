//go:build unix

package confirming

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/internal/checkout"
	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

//go:embed testdata
var testdata embed.FS

// A program has a violation that hardly ever happens by itself, and that its ordinary runs predict.
type program struct {
	name     string
	dir      string   // of its package, in the bench
	args     []string // of the program
	flags    []string // of antichain
	env      []string
	property string // built-in, or of its specification
	outside  bool   // it depends on something outside
}

// bench is a temporary module with the programs.
type bench struct {
	dir, antichain string
	programs       []*program
}

// newBench copies the programs and, unless there is an executable, builds antichain.
func newBench(ctx context.Context, executable string) (*bench, error) {
	dir, err := os.MkdirTemp("", "confirming-")
	if err != nil {
		return nil, err
	}
	b := &bench{dir: dir}
	if b.antichain, err = reported.Executable(ctx, executable, dir); err == nil {
		err = b.copy(ctx)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return b, nil
}

// copy makes the module.
func (b *bench) copy(ctx context.Context) error {
	repository, err := checkout.Root(ctx)
	if err != nil {
		return err
	}
	own, err := fs.Sub(testdata, "testdata")
	if err != nil {
		return err
	}
	const explained = "cmd/antichain/internal/builtins/testdata"
	err = errors.Join(
		os.WriteFile(filepath.Join(b.dir, "go.mod"), []byte("module confirming\n\ngo 1.25\n"), 0o600),
		os.CopyFS(b.dir, own),
		copyPackage(filepath.Join(b.dir, "bank"), filepath.Join(repository, "examples/bank")),
		copyPackage(filepath.Join(b.dir, "workers"), filepath.Join(repository, "examples/workers")),
		copyPackage(filepath.Join(b.dir, "ringbuffer"), filepath.Join(repository, "examples/ringbuffer")),
		copyPackage(filepath.Join(b.dir, "builtins"), filepath.Join(repository, explained)),
	)
	if err != nil {
		return err
	}
	b.programs = []*program{
		{name: "bank", dir: "bank", property: "deadlock"},
		{name: "ringbuffer", dir: "ringbuffer", property: "same_element"},
		{name: "workers", dir: "workers", property: "closed"},
		{name: "workers, one processor", dir: "workers", property: "closed", env: []string{"GOMAXPROCS=1"}},
		{name: "checkclose", dir: "checkclose", property: "closed"},
		{name: "latehandler", dir: "latehandler", property: "closed", outside: true},
	}
	explanations, err := predicting(filepath.Join(b.dir, "builtins"))
	b.programs = append(b.programs, explanations...)
	return err
}

// copyPackage copies the files of a package, and not those of others below it.
func copyPackage(to, from string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, e.Name()), text, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sources are the Go files of a package.
func sources(dir string) (map[string][]byte, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files[filepath.Base(name)] = text
	}
	return files, nil
}

var (
	function = regexp.MustCompile(`^func (\w+)\(\) \{$`)
	wants    = regexp.MustCompile(`// want (.*)`)
	wanted   = regexp.MustCompile(`(\w+) "([^"]*)"`)
)

// predicting are the programs of antichain builtins of which a violation is predicted that
// --confirm can try, each with the property that its file is about.
func predicting(dir string) (all []*program, err error) {
	files, err := sources(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		property := strings.TrimSuffix(name, ".go")
		if property == "copy" || property == "leak" {
			continue // of them no order of operations is predicted
		}
		current := ""
		for line := range strings.Lines(string(files[name])) {
			if m := function.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				current = m[1]
			}
			m := wants.FindStringSubmatch(line)
			if m == nil || len(all) > 0 && all[len(all)-1].name == current {
				continue
			}
			for _, w := range wanted.FindAllStringSubmatch(m[1], -1) {
				if w[1] == property && strings.Contains(w[2], "predicted") {
					all = append(all, &program{name: current, dir: "builtins", args: []string{current}, flags: flagsOf(property), property: property})
				}
			}
		}
	}
	return all, nil
}

// flagsOf are the flags to look at a built-in property.
func flagsOf(property string) []string {
	if property == string(builtin.Race) {
		return []string{"--builtin", property}
	}
	return nil
}
