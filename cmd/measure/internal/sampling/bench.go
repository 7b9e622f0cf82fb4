//go:build unix

package sampling

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/goker/kernel"
	"github.com/antichain-go/antichain/cmd/measure/internal/corpus"
	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
)

// program is one of those that are measured.
type program struct {
	name    string // CORPUS/NAME
	dir     string // of its main package
	spec    string // the file; "": it has none
	builtin string // for --builtin; "": the flag is not given
}

// bench is a temporary directory with a module for each corpus.
type bench struct {
	*settings
	dir, antichain string
	programs       []program
	known          map[key]int // results
}

func newBench(ctx context.Context, s *settings) (*bench, error) {
	dir, err := os.MkdirTemp("", "sampling-")
	if err != nil {
		return nil, err
	}
	b := &bench{settings: s, dir: dir}
	if err := b.load(ctx); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return b, nil
}

func (b *bench) load(ctx context.Context) (err error) {
	if b.known, err = b.read(); err != nil {
		return err
	}
	if b.antichain, err = reported.Executable(ctx, b.settings.antichain, b.dir); err != nil {
		return err
	}
	if err := b.addKernels(ctx); err != nil {
		return err
	}
	for name, builtin := range map[string]string{"found": "", "nonblocking": "all", "atomicity": ""} {
		from := filepath.Join("cmd", "measure", "internal", name, "testdata")
		if err := b.addCorpus(name, from, builtin); err != nil {
			return err
		}
	}
	if b.more != "" {
		if err := b.addCorpus(filepath.Base(b.more), b.more, ""); err != nil {
			return err
		}
	}
	if b.awake {
		if err := awaken(b.dir); err != nil {
			return err
		}
	}
	slices.SortStableFunc(b.programs, func(p, q program) int { return strings.Compare(p.name, q.name) })
	return nil
}

// awaken takes sleeps out of all programs in a directory.
func awaken(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte("time.Sleep("), []byte("func(time.Duration) {}("))
		return os.WriteFile(path, text, 0o600)
	})
}

// add adds a program if it is selected.
func (b *bench) add(p program) {
	if b.only.MatchString(p.name) {
		b.programs = append(b.programs, p)
	}
}

// addKernels adds single copies of GoKer's kernels, which come with Go.
func (b *bench) addKernels(ctx context.Context) error {
	goroot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	kernels, err := kernel.Load(kernel.Dir(strings.TrimSpace(string(goroot))))
	if err != nil {
		return err
	}
	module := filepath.Join(b.dir, "goker")
	for _, k := range kernels {
		copied, err := k.Single()
		if err != nil {
			return err
		}
		dir := filepath.Join(module, k.Name)
		if err := errors.Join(
			os.MkdirAll(dir, 0o700),
			os.WriteFile(filepath.Join(dir, k.File()+".go"), copied, 0o600),
			os.WriteFile(filepath.Join(dir, "main.go"), k.Main(), 0o600),
		); err != nil {
			return err
		}
		b.add(program{name: "goker/" + k.Name, dir: dir})
	}
	return os.WriteFile(filepath.Join(module, "go.mod"), []byte("module goker\n\ngo 1.26\n"), 0o600)
}

// addCorpus adds the programs in a directory, which are checked with these built-in properties.
func (b *bench) addCorpus(name, from, builtin string) error {
	module, write := filepath.Join(b.dir, name), corpus.WriteModule
	if _, err := os.Stat(filepath.Join(from, "go.mod")); err == nil {
		write = os.CopyFS
	}
	if err := write(module, os.DirFS(from)); err != nil {
		return err
	}
	mains, err := filepath.Glob(filepath.Join(module, "*", "bug"))
	if err != nil {
		return err
	}
	alone, err := filepath.Glob(filepath.Join(module, "*", "main.go"))
	for _, file := range alone {
		b.add(program{name: name + "/" + filepath.Base(filepath.Dir(file)), dir: filepath.Dir(file)})
	}
	for _, dir := range mains {
		p := program{name: name + "/" + filepath.Base(filepath.Dir(dir)), dir: dir, builtin: builtin}
		for _, parent := range []string{dir, filepath.Dir(dir)} {
			if specs, _ := filepath.Glob(filepath.Join(parent, "*.tl")); len(specs) > 0 {
				p.spec = specs[0]
			}
		}
		b.add(p)
	}
	return err
}
