//go:build unix

package soundness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/site"
)

// batch is one executable with several programs, of which its argument names one: that saves many
// builds.
type batch struct {
	dir, binary string
	table       *site.Table
	programs    []*built
	orders      orders
}

// built is a program of a batch.
type built struct {
	*program.Program
	number string                // the argument that runs it
	at     map[int]*program.Stmt // the statement on each line of the file
}

// newBatch builds programs, traced, in a directory of theirs.
func newBatch(ctx context.Context, dir string, programs []*program.Program, orders orders) (*batch, error) {
	b := &batch{dir: dir, binary: filepath.Join(dir, "programs"), orders: orders}
	if err := b.write(programs); err != nil {
		return nil, err
	}
	request := rewrite.Request{Variables: []rewrite.Name{{Text: "x"}}}
	for i := range program.Marks {
		request.Functions = append(request.Functions, rewrite.Name{Text: fmt.Sprintf("at_%d", i)})
	}
	build, err := instrument.Prepare(ctx, instrument.Config{
		Dir: dir, CacheDir: filepath.Join(dir, "cache"), Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off"),
		Specs:  []rewrite.Spec{{Package: module, Request: request}},
		Memory: orders.accesses, MemoryPackages: []string{"all"},
	})
	if err != nil {
		return nil, err
	}
	if len(build.Lacks) > 0 {
		return nil, fmt.Errorf("this release of Go cannot be traced in full: %s", build.Lacks[0])
	}
	if err := build.Compile(ctx, b.binary); err != nil {
		return nil, err
	}
	b.table, err = instrument.TableOf(b.binary)
	return b, err
}

// module is the path of a batch, and mainFile its only file.
const (
	module   = "programs"
	mainFile = "main.go"
)

// write writes the source of a batch.
func (b *batch) write(programs []*program.Program) error {
	var text strings.Builder
	text.WriteString("package main\n\nimport (\n")
	for _, path := range program.Imports {
		fmt.Fprintf(&text, "\t%q\n", path)
	}
	text.WriteString(")\n\nvar (\n\t_ context.Context\n\t_ atomic.Int32\n\t_ reflect.Kind\n\t_ time.Time\n)\n\n" + program.Support(""))
	text.WriteString("\nfunc main() {\n\tswitch os.Args[1] {\n")
	for i := range programs {
		fmt.Fprintf(&text, "\tcase \"%d\":\n\t\tprogram%d()\n", i, i)
	}
	text.WriteString("\t}\n}\n")
	lines := strings.Count(text.String(), "\n")
	for i, p := range programs {
		source := program.Print(p, fmt.Sprint("program", i))
		one := &built{p, fmt.Sprint(i), make(map[int]*program.Stmt)}
		for line, s := range source.Lines {
			one.at[lines+line] = s
		}
		b.programs = append(b.programs, one)
		text.WriteString(source.Text)
		lines += strings.Count(source.Text, "\n")
	}
	return errors.Join(os.WriteFile(filepath.Join(b.dir, "go.mod"), []byte("module "+module+"\n\ngo 1.26\n"), 0o666),
		os.WriteFile(filepath.Join(b.dir, mainFile), []byte(text.String()), 0o666))
}
