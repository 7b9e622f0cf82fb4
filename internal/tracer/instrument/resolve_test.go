package instrument

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/commandtest"
	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// A program with names that collide.
const namesModule = `
-- go.mod --
module m
go 1.26
-- main.go --
package main

import (
	"m/a/list"
	other "m/b/list"
	"m/ring"
	_ "unsafe"
)

const N = 200
const mask uint64 = 1<<63
const imag = 1i

type Queue struct{ first, last int; data []int; any any; inner }
type inner struct{ depth int }
type Stack struct{ last int }

var b Queue
var count int

func (q *Queue) put(x int)  { q.last = x }
func (s *Stack) put(x int)  { s.last = x }
func (q Queue) size() int   { return q.last }
func append(elem int)       { elem++ }
func two()                  { elem := 1; _ = elem }
func three()                { elem := "x"; _ = elem }
func single()               { lonely := 1; _ = lonely }
func shadow(any any)        { v := 1; if v > 0 { v := "x"; _ = v }; for v := range 2 { _ = v }; switch v := any.(type) { case int: _ = v; case string: _ = v } }
func init()                 {}
func init()                 {}

//go:nosplit
func tiny() { speck := 1; _ = speck }

//go:linkname linked m.linked
func linked() {}

func main() {
	func() { func() {}() }()
	list.Push(nil); other.Push(nil); ring.Put(1)
	const local = 3
	var p *Queue
	_ = p
}
-- a/list/list.go --
package list

type Node struct{ Val int }
var Head *Node
func Push(n *Node) {}
-- b/list/list.go --
package list

type Node struct{ Val int }
var Head *Node
func Push(n *Node) {}
func Pop() {}
-- ring/ring.go --
package ring

const Size = 8
var Len int
type T struct{}
func (T) Put(x int) {}
func Put(x int) { Len = x }
`

// writeModule writes a txtar archive into a new directory.
func writeModule(t *testing.T, archive string) string {
	t.Helper()
	dir := commandtest.Directory(t)
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// loadModule makes a module the rewriter's view of packages.
func loadModule(t *testing.T, dir string) frontend.Program {
	t.Helper()
	c := Config{Dir: dir, Packages: []string{"./..."}}
	packages, err := c.list(context.Background(), nil, "", "-deps", "-export")
	if err != nil {
		t.Fatal(err)
	}
	if err := errorsIn(packages); err != nil {
		t.Fatal(err)
	}
	return frontend.Program{Packages: packages}
}

// readerOf returns what reads the source of a module, which is another program if Go is newer than
// the one that has built the tests.
func readerOf(t *testing.T, dir string) func(*frontend.Request) (*frontend.Result, error) {
	t.Helper()
	c := Config{Dir: dir, CacheDir: t.TempDir()}
	env, err := c.goEnv(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return func(req *frontend.Request) (*frontend.Result, error) { return c.readSource(t.Context(), env, req) }
}

func TestResolve(t *testing.T) {
	dir := writeModule(t, namesModule)
	prog, read := loadModule(t, dir), readerOf(t, dir)
	for _, tt := range []struct {
		request string
		// canonical names that are traced, and those that the specification has for them
		functions string
		variables string
		consts    string
		err       []string // parts of the message, one error each
		warning   string
	}{
		{request: "func append", functions: "append"},
		{request: "func Queue.put", functions: "Queue.put"},
		{request: "func (*Queue).put", functions: "Queue.put (*Queue).put=Queue.put"},
		{request: "func size", functions: "Queue.size size=Queue.size"},
		{request: "func ring.Put", functions: "ring.Put"},
		{request: "func ring.T.Put", functions: "ring.T.Put"},
		{request: "func list.Pop", functions: "list.Pop"},
		{request: "func main.func1.1", functions: "main.func1.1"},
		{request: "func main.append", functions: "append main.append=append"},
		{request: "func ring.Put\nfunc main.size", functions: "Queue.size ring.Put main.size=Queue.size"},
		{request: "func init.1", functions: "init.1"},
		{request: "pattern *.put", functions: "Queue.put Stack.put"},
		{request: "pattern (*Queue).*", functions: "Queue.put Queue.size"},
		{request: "pattern ring.P*", functions: "ring.Put"},
		{request: "var b.last\nvar N\nvar mask\nvar local", variables: "b.last",
			consts: "N=200 local=3 mask=9223372036854775808"},
		{request: "var b.data[1].x\nvar b.any.x.y\nvar b.depth", variables: "b.any b.data b.depth"},
		{request: "var ring.Len\nvar ring.Size", variables: "ring.Len", consts: "ring.Size=8"},
		{request: "var lonely", functions: "single", variables: "lonely"},
		{request: "func append\nvar elem", functions: "append", variables: "elem"},
		{request: "func append\nfunc two\nvar elem", functions: "append two", variables: "elem"},
		{request: "func Queue.put\nfunc Stack.put\nvar x\nvar q.last", functions: "Queue.put Stack.put",
			variables: "q.last x"},
		{request: "shared b.last\nvar b.last", variables: "b.last"},
		{request: "pattern tiny\npattern linked",
			warning: "main.go:33: tiny is not traced: it is marked go:nosplit; main.go:36: linked is not traced: it " +
				"is marked go:linkname"},

		{request: "var v\nvar v[0]", functions: "shadow", variables: "v",
			warning: "main.go:28:31: v is declared again in shadow, at main.go:28:50, main.go:28:73, main.go:28:104: " +
				"these count as one variable, with the value that any of them was given last; rename one to tell " +
				"them apart"},
		// one each
		{request: "func append\nfunc two\nfunc three\nvar elem", functions: "append three two", variables: "elem"},

		{request: "func ring.Put\nvar x",
			err: []string{"spec:2: variable x: x is a parameter or local variable of Put, in package m/ring; only a " +
				"specification of that package can name those: name a package variable (ring.NAME), or run antichain " +
				"test m/ring with a specification beside that package"}},
		{request: "var ring.x", err: []string{"variable ring.x: x is a parameter or local variable of T.Put, in " +
			"package m/ring;"}},
		{request: "var ring.Put.x.y", err: []string{"variable ring.Put.x.y: x is a parameter or local variable of " +
			"Put, in package m/ring;"}},
		{request: "func append\nvar append.elem",
			err: []string{"variable append.elem: parameters and local variables are named by themselves: elem"}},
		{request: "var main.two.elem",
			err: []string{"variable main.two.elem: parameters and local variables are named by themselves: elem"}},
		{request: "func apend", err: []string{"spec:1: no function apend in package m (did you mean \"append\"?)\n   " +
			" candidate: Queue.put\n    candidate: Queue.size\n    candidate: Stack.put\n    candidate: append"}},
		{request: "func tiny\nfunc linked",
			err: []string{"spec:1: function tiny cannot be traced: it is marked go:nosplit",
				"spec:2: function linked cannot be traced: it is marked go:linkname"}},
		{request: "var speck", err: []string{"spec:1: variable speck: function tiny, which declares it, cannot be " +
			"traced: it is marked go:nosplit"}},
		{request: "func put", err: []string{"spec:1: function put is ambiguous\n    candidate: Queue.put\n    " +
			"candidate: Stack.put"}},
		{request: "func init", err: []string{"function init is ambiguous\n    candidate: init.0\n    " +
			"candidate: init.1"}},
		{request: "func list.Push", err: []string{"function list.Push is ambiguous\n    candidate: m/a/list.Push\n   " +
			" candidate: m/b/list.Push"}},
		{request: "func ring.Get", err: []string{"no function ring.Get in package m"}},
		{request: "var elem", err: []string{"spec:1: variable elem is declared in several functions, none of them " +
			"traced; choose with --func NAME\n    candidate: append\n    candidate: three\n    candidate: two"}},
		{request: "var elem.x", err: []string{"spec:1: variable elem is declared in several functions"}},
		{request: "var cuont", err: []string{"no variable cuont in package m (did you mean \"count\"?)\n    " +
			"candidate: N"}},
		{request: "var b.lst", err: []string{"variable b.lst: Queue has no field lst (did you mean \"last\"?)"}},
		{request: "var b.size", err: []string{"size is a method of Queue"}},
		{request: "var b.last.x", err: []string{"int has no field x"}},
		{request: "var list.Head.Val",
			err: []string{"variable list.Head.Val is ambiguous\n    candidate: m/a/list\n    candidate: m/b/list"}},
		{request: "shared elem", err: []string{"shared variable elem is not a package variable of m"}},
		{request: "shared N", err: []string{"N is a constant"}},
		{request: "var imag", err: []string{"constant imag has no value that a trace can hold"}},
		{request: "pattern x*y", err: []string{`--func "x*y" matches no function`}},
		{request: "func nope\nvar nix\nshared nada",
			err: []string{"no function nope", "no variable nix", "shared variable nada"}},
	} {
		t.Run(strings.ReplaceAll(tt.request, "\n", ","), func(t *testing.T) {
			spec := rewrite.Spec{Package: "m", Request: parseRequest(t, tt.request)}
			res, err := read(&frontend.Request{Program: prog, Specs: []rewrite.Spec{spec}})
			if len(tt.err) > 0 {
				if err == nil {
					t.Fatal("no error")
				}
				if all, ok := err.(interface{ Unwrap() []error }); ok && len(all.Unwrap()) != len(tt.err) {
					t.Errorf("%d errors, want %d", len(all.Unwrap()), len(tt.err))
				}
				for _, part := range tt.err {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("error:\n%v\nwant:\n%s", err, part)
					}
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			inst := res.Tables[0].Instrumented
			functions := slices.Clone(inst.Functions)
			for _, name := range slices.Sorted(maps.Keys(inst.Names)) {
				functions = append(functions, name+"="+inst.Names[name])
			}
			var consts []string
			for _, c := range res.Tables[0].Consts {
				consts = append(consts, c.Name+"="+fmt.Sprint(c.Value))
			}
			got := [4]string{strings.Join(functions, " "), strings.Join(inst.Variables, " "), strings.Join(consts, " "),
				strings.Join(res.Warnings, "; ")}
			if d := cmp.Diff([4]string{tt.functions, tt.variables, tt.consts, tt.warning}, got); d != "" {
				t.Errorf("functions, variables, constants, warnings (-want +got):\n%s", d)
			}
		})
	}
}

// TestTablesOfOneBuild: two specifications name the same things differently, and what
// only one wants is no event for the other.
func TestTablesOfOneBuild(t *testing.T) {
	dir := writeModule(t, namesModule)
	prog, read := loadModule(t, dir), readerOf(t, dir)
	specs := []rewrite.Spec{
		{Package: "m", Request: parseRequest(t, "func ring.Put\nvar ring.Len\nfunc append")},
		{Package: "m/ring", Request: parseRequest(t, "func Put\nvar x")},
	}
	res, err := read(&frontend.Request{Program: prog, Specs: specs})
	if err != nil {
		t.Fatal(err)
	}
	again, err := read(&frontend.Request{Program: prog, Specs: specs})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(res.Files, again.Files); d != "" {
		t.Errorf("rewriting depends on more than its input, so the build cache is of no use:\n%s", d)
	}
	if d := cmp.Diff([]string{"main.go", "ring.go", "zz_antichain.go"}, baseNames(res.Files)); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	describe := func(i int) (lines []string) {
		for _, s := range res.Tables[i].Sites {
			line := string(s.Kind) + " " + s.Func
			for _, v := range s.Vars {
				line += " " + string(v.Scope) + ":" + v.Name
			}
			lines = append(lines, line)
		}
		return lines
	}
	want := [][]string{
		{"enter append", "exit append", "enter ring.Put :", "exit ring.Put", "stmt ring.Put : global:ring.Len"},
		{" ", " ", "enter Put frame:x", "exit Put", "stmt Put frame:x :"},
	}
	for i := range want {
		if d := cmp.Diff(want[i], describe(i)); d != "" {
			t.Errorf("sites of specification %d (-want +got):\n%s", i, d)
		}
	}
	if d := cmp.Diff([]site.Const(nil), res.Tables[0].Consts); d != "" {
		t.Error(d)
	}
}

func baseNames(files map[string][]byte) []string {
	var names []string
	for path := range maps.Keys(files) {
		names = append(names, filepath.Base(path))
	}
	slices.Sort(names)
	return names
}
