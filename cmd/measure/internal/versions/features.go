//go:build unix

package versions

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// A feature is a command with its expected exit code and output.
type feature struct {
	name string
	// of a module of its own, in the form of txtar, with VERSION for the version of Go; "" for the
	// checkout
	files string
	args  []string
	code  int
	wants []string // expressions that match what the command writes
	never string   // one that does not match; "" for none
}

// features are what else antichain does with a traced program.
var features = []*feature{
	{
		name: "run --live", args: []string{"run", "--live", "./examples/workers"}, code: 1,
		wants: []string{`(?m)^none_late: violated$`, `(?m)^The program is halted:$`}, never: unknownForm.String(),
	},
	{
		name: "run --explore", args: []string{"run", "--explore", "20", "./examples/bank"}, code: 1,
		wants: []string{`(?m)^deadlock: violated \(`}, never: unknownForm.String(),
	},
	{
		name: "run --builtin all", args: []string{"run", "--builtin", "all", "-e", "t:(true)", "./examples/ringbuffer"}, code: 1,
		wants: []string{`(?m)^race: violated \(`}, never: unknownForm.String(),
	},
	{
		name: "debug -x", files: debuggedFiles, args: []string{"debug", "-x", "script.txt", "-e", "t:((in.first or in.second) and n > 0)", "."},
		wants: []string{`(?m)^A step of \d+ moves\.$`, `(?m)^ +\*n = 2$`, `(?m)^ +\*n = 7$`, `is true on the way of \d+ states`},
	},
	{
		name: "cgo", files: cgoFiles, args: []string{"run", "-e", "not t:(in.work)", "."}, code: 1,
		wants: []string{`(?m)^42$`, `(?m)^-e: violated$`}, never: unknownForm.String(),
	},
	{
		name: "vendored module", files: vendoredFiles, args: []string{"run", "."}, code: 1,
		wants: []string{`(?m)^worked$`, `(?m)^stuck: violated \(observed\)$`, `waits for ever at vendor/example\.com/dep/dep\.go:3 to send on chan`}, never: unknownForm.String(),
	},
	{
		name: "workspace", files: workspaceFiles, args: []string{"run", "-e", "not t:(in.sub.Work and sub.Done > 0)", "./app"}, code: 1,
		wants: []string{`(?m)^-e: violated$`, `in sub\.Work, at lib/sub/sub\.go:7\b`}, never: unknownForm.String(),
	},
}

const (
	debuggedFiles = `
-- go.mod --
module example.com/two

go VERSION
-- main.go --
package main

import "sync"

func first(n int) {}

func second(n int) {}

func main() {
	var both sync.WaitGroup
	both.Go(func() {
		for n := range 10 {
			first(n)
		}
	})
	both.Go(func() {
		for n := range 10 {
			second(n)
		}
	})
	both.Wait()
}
-- script.txt --
step F (main.1:(in.first and n == 2) & main.2:(in.second and n == 7))
holds F main.2:(n == 6)
`
	cgoFiles = `
-- go.mod --
module example.com/cgo

go VERSION
-- main.go --
package main

// static int answer(void) { return 42; }
import "C"
import "fmt"

func work(answers chan<- int) { answers <- int(C.answer()) }

func main() {
	answers := make(chan int)
	go work(answers)
	fmt.Println(<-answers)
}
`
	vendoredFiles = `
-- go.mod --
module example.com/main

go VERSION

require example.com/dep v1.0.0
-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit; go VERSION
example.com/dep
-- vendor/example.com/dep/dep.go --
package dep

func Work(done chan<- string) { done <- "worked" }
-- main.go --
package main

import (
	"fmt"
	"time"

	"example.com/dep"
)

func main() {
	done, lost := make(chan string), make(chan string)
	go dep.Work(lost)
	go dep.Work(done)
	fmt.Println(<-done)
	time.Sleep(100 * time.Millisecond)
}
`
	workspaceFiles = `
-- go.work --
go VERSION

use ./app
use ./lib
-- app/go.mod --
module example.com/app

go VERSION
-- app/main.go --
package main

import "example.com/lib/sub"

func main() { sub.Work() }
-- lib/go.mod --
module example.com/lib

go VERSION
-- lib/sub/sub.go --
package sub

var Done int
var C = make(chan int, 1)

func Work() {
	Done++
	C <- 1
}
`
)

// check runs the feature's command.
func (f *feature) check(ctx context.Context, s *site) (*outcome, error) {
	dir := s.root
	if f.files != "" {
		dir = s.path("modules", fileName(s.name), fileName(f.name))
		if err := writeModule(dir, f.files, s.minor); err != nil {
			return nil, err
		}
	}
	r, err := execute(ctx, s.env, dir, s.executable, f.args...)
	if err != nil {
		return nil, err
	}
	c := new(check)
	c.expect(f.name, r, f.differs(r))
	return c.outcome(), nil
}

// writeModule writes the files of a module for a minor version of Go.
func writeModule(dir, files string, minor int) error {
	archive := txtar.Parse([]byte(strings.ReplaceAll(files, "VERSION", fmt.Sprintf("1.%d", minor))))
	from, err := txtar.FS(archive)
	if err != nil {
		return err
	}
	for _, f := range archive.Files {
		if err := copyFile(from, f.Name, dir+"/"+f.Name); err != nil {
			return err
		}
	}
	return nil
}

// differs says how what a command did differs from what is wanted, "" if it does not.
func (f *feature) differs(r *commandResult) string {
	said := r.out + r.err
	if r.code != f.code {
		return fmt.Sprintf("exit code %d, want %d", r.code, f.code)
	}
	missing := slices.IndexFunc(f.wants, func(want string) bool { return !regexp.MustCompile(want).MatchString(said) })
	if missing >= 0 {
		return "nothing matches " + f.wants[missing]
	}
	if f.never != "" {
		return regexp.MustCompile(f.never).FindString(said)
	}
	return ""
}
