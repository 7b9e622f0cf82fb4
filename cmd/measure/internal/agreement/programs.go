//go:build unix

package agreement

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/goker/kernel"
)

// group are programs that are run in the same way.
type group struct {
	name     string
	dir      string   // in which they are run, "" for that of the repository
	flags    []string // of all verbs
	programs []program
}

// program is what is run.
type program struct {
	name string
	verb string   // run, or test
	args []string // with the package
}

// groups are all programs. Those of GoKer are written into dir.
func groups(ctx context.Context, dir string) ([]*group, error) {
	builtins, err := builtinPrograms()
	if err != nil {
		return nil, err
	}
	goker, err := gokerPrograms(ctx, filepath.Join(dir, "goker"))
	if err != nil {
		return nil, err
	}
	return []*group{builtins, goker, examples}, nil
}

// examples are those of the repository. A property that says nothing stands in for the
// specifications beside them.
var examples = &group{name: "example", flags: []string{"-e", "t:(true)"}, programs: []program{
	{"bank", "run", []string{"./examples/bank"}},
	{"checkout", "run", []string{"./examples/checkout"}},
	{"lease", "test", []string{"./examples/lease"}},
	{"mergesort", "run", []string{"./examples/mergesort"}},
	{"peterson", "run", []string{"./examples/peterson"}},
	{"ringbuffer", "run", []string{"./examples/ringbuffer"}},
	{"ringbuffer/fixed", "run", []string{"./examples/ringbuffer/fixed"}},
	{"workers", "run", []string{"./examples/workers"}},
}}

// builtinDir has the programs that antichain builtins explains the properties with.
const builtinDir = "cmd/antichain/internal/builtins/testdata"

// builtinPrograms are those: the functions of the files that are called after a property.
func builtinPrograms() (*group, error) {
	g := &group{name: "built-in", flags: []string{"--spec", builtinDir + "/leak.tl", "--spec", builtinDir + "/stuck.tl"}}
	paths, err := filepath.Glob(builtinDir + "/*.go")
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		property := strings.TrimSuffix(filepath.Base(path), ".go")
		if property == "main" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				g.programs = append(g.programs, program{property + " " + f.Name.Name, "run", []string{"./" + builtinDir, f.Name.Name}})
			}
		}
	}
	if len(g.programs) == 0 {
		return nil, fmt.Errorf("%s has no programs: run it in the repository", builtinDir)
	}
	return g, nil
}

// fixedDir has the kernels of GoKer with their bugs fixed.
const fixedDir = "cmd/measure/goker/testdata/fixed"

// gokerPrograms writes single copies of the kernels of GoKer and the fixed kernels into a module.
func gokerPrograms(ctx context.Context, dir string) (*group, error) {
	g := &group{name: "GoKer", dir: dir}
	write := func(name string, text []byte) error {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return os.WriteFile(path, text, 0o666)
	}
	if err := write("go.mod", []byte("module goker\n\ngo 1.26\n")); err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	kernels, err := kernel.Load(kernel.Dir(strings.TrimSpace(string(out))))
	if err != nil {
		return nil, err
	}
	for _, k := range kernels {
		single, err := k.Single()
		if err != nil {
			return nil, err
		}
		path := "single/" + k.Name
		if err := write(path+"/"+k.File()+".go", single); err != nil {
			return nil, err
		}
		if err := write(path+"/main.go", k.Main()); err != nil {
			return nil, err
		}
		g.programs = append(g.programs, program{k.Name, "run", []string{"./" + path}})
	}
	paths, err := filepath.Glob(fixedDir + "/*.go")
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(path), ".go")
		if err := write("fixed/"+name+"/main.go", text); err != nil {
			return nil, err
		}
		g.programs = append(g.programs, program{name + ", fixed", "run", []string{"./fixed/" + name}})
	}
	return g, nil
}
