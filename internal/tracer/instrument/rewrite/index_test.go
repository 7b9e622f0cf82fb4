package rewrite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// indexed is not right everywhere: the last function has mistakes, and imports lead nowhere.
const indexed = `package p

import "sync"

type Queue[T any] struct {
	sync.Mutex
	items []T
	next  *Queue[T]
}

var b struct{ first, last int; q *Queue[int]; m sync.Map }

const N = 10

func init() { x := 1; _ = x }

func (q *Queue[T]) put(v T) { func() { n := len(q.items); _ = n }() }

//go:nosplit
func put() int { return b.last }

func other() { b.first = missing; y := b.nothing; _ = y; undefined( }
`

func indexOf(t *testing.T, src string) *Index {
	t.Helper()
	fset := token.NewFileSet()
	syntax, _ := parser.ParseFile(fset, "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
	pkg := &Package{Fset: fset, Files: []*File{{Name: "p.go", Src: []byte(src), Syntax: syntax}},
		Info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
			Scopes: map[ast.Node]*types.Scope{}}}
	config := types.Config{Error: func(error) {}, Importer: nowhere{}}
	pkg.Types, _ = config.Check("p", fset, []*ast.File{syntax}, pkg.Info)
	return NewIndex(pkg)
}

type nowhere struct{}

func (nowhere) Import(path string) (*types.Package, error) { return nil, fmt.Errorf("no %s", path) }

func TestIndex(t *testing.T) {
	x := indexOf(t, indexed)
	for name, want := range map[string]string{
		"put": "put", "Queue.put": "Queue.put", "(*Queue[T]).put": "Queue.put", "Queue.put.func1": "Queue.put.func1",
		"init": "init.0", "nothing": "",
	} {
		var got []string
		for _, fn := range x.FunctionsNamed(name) {
			got = append(got, fn.Name)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s means %q, want %q", name, s, want)
		}
	}
	if put := x.FunctionsNamed("put"); len(put) != 1 || put[0].Locked == "" {
		t.Errorf("put is %v", put)
	}
	var variables []string
	for _, v := range x.Variables() {
		variables = append(variables, v.In+":"+v.Name())
	}
	for _, want := range []string{":N", ":b", "init.0:x", "Queue.put:v", "Queue.put.func1:n"} {
		if !slices.Contains(variables, want) {
			t.Errorf("no %s in %v", want, variables)
		}
	}
	if got := x.SuggestFunction("Queue.putt"); got != ` (did you mean "Queue.put"?)` {
		t.Error(got)
	}
	if got := x.SuggestVariable("bb"); got != ` (did you mean "b"?)` {
		t.Error(got)
	}
}

func TestIndexFields(t *testing.T) {
	x := indexOf(t, indexed)
	all := x.Variables()
	b := all[slices.IndexFunc(all, func(v Variable) bool { return v.Name() == "b" })]
	for path, want := range map[string]string{"last": "last", "q.next.items": "items", "q.nothing": "", "last.x": "",
		"": ""} {
		got := ""
		names := strings.Split(path, ".")
		if path == "" {
			names = nil
		}
		if f := x.Field(b, names); f != nil {
			got = f.Name()
		}
		if got != want {
			t.Errorf("b.%s is %q, want %q", path, got, want)
		}
	}
	var fields []string
	for _, f := range x.Fields(x.Field(b, []string{"q"}).Type()) {
		fields = append(fields, f.Name())
	}
	if got := strings.Join(fields, " "); got != "Mutex items next" {
		t.Errorf("fields %s", got)
	}
	if got := x.Fields(types.Typ[types.Int]); got != nil {
		t.Errorf("an int has fields %v", got)
	}
}
