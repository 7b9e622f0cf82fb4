package frontend

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"golang.org/x/tools/txtar"
)

// A program whose functions the compiler names in many ways.
const namedModule = `
-- go.mod --
module example.org/my.app
go 1.26
-- main.go --
package main

import (
	"example.org/my.app/log.v2"
	"iter"
	"sync"
)

var mu sync.Mutex
var global = func() { go println() }

type journal[T any] struct{ t T }

func (j *journal[T]) save() { go func() { defer func() { recover() }() }() }
func flush[T any](t T)      { go func() { println(t) }() }
func init()                 { defer func() { println() }() }
func init()                 { println(1) }

func helper(c chan int) func() { return func() { c <- 1; println(c) } }

func loop(s iter.Seq[int]) {
	for range s {
		defer func() { println() }()
	}
}

func main() {
	mu.Lock()
	var j journal[int]
	j.save()
	flush("")
	global()
	go helper(nil)()
	go j.save()
	defer flush(1)
	loop(func(yield func(int) bool) { yield(1) })
	(&log.Writer{}).Write(nil)
	f := (&log.Writer{}).Close
	f()
}
-- log.v2/log.go --
package log

type Writer struct{}

//go:noinline
func (w *Writer) Write(p []byte) { go w.mill(1) }
//go:noinline
func (w *Writer) mill(n int) { println(n) }
//go:noinline
func (w *Writer) Close() { println(2) }
`

// namedProgram writes the module and lists its packages.
func namedProgram(t *testing.T) (*Program, string) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(namedModule)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list := exec.Command("go", "list", "-deps", "-json="+ListFields, ".")
	list.Dir = dir
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	p := new(Program)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		l := new(Package)
		if err := dec.Decode(l); errors.Is(err, io.EOF) {
			return p, dir
		} else if err != nil {
			t.Fatal(err)
		}
		p.Packages = append(p.Packages, l)
	}
}

// Every name that the compiler gives to a function of the program means something.
func TestNamedAsCompiled(t *testing.T) {
	p, dir := namedProgram(t)
	build := exec.Command("go", "build", "-o", "app", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command("go", "tool", "nm", filepath.Join(dir, "app")).Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []rewrite.Name
	ours := regexp.MustCompile(`(?m) [tT] ((?:main|example.org/my.app/log%2ev2)\..*)$`)
	for _, m := range ours.FindAllStringSubmatch(string(out), -1) {
		// which calls the others
		if name := strings.TrimSuffix(m[1], ".abi0"); name != "main.init" {
			names = append(names, rewrite.Name{Text: name})
		}
	}
	if len(names) < 15 {
		t.Fatalf("%d functions are not all: %s", len(names), names)
	}
	if err := newChecker(p).checkNamed(names); err != nil {
		t.Error(err)
	}
}

func TestNamed(t *testing.T) {
	p, _ := namedProgram(t)
	for name, want := range map[string]string{
		"save":                                  "",
		"journal.save":                          "",
		"main.(*journal[int]).save":             "",
		"main.main.func1":                       "",
		"main.main.gowrap2":                     "",
		"log.v2.Writer.mill":                    "",
		"example.org/my.app/log.v2.Writer.mill": "",
		"log%2ev2.(*Writer).mill":               "",
		"sync.(*Mutex).Lock":                    "",
		"internal/sync.(*Mutex).Lock":           "",

		"saev":                    `no function saev in any package of the program (did you mean "save"?)`,
		"main.flsh":               `(did you mean "main.flush"?)`,
		"journl.save":             `(did you mean "journal.save"?)`,
		"log.Writer.mill":         `(did you mean "log.v2.Writer.mill"?)`,
		"log.v2.(*Writer).miII":   `(did you mean "log.v2.Writer.mill"?)`,
		"sync.(*Mutex).Lok":       `(did you mean "sync.Mutex.Lock"?)`,
		"main.main.func7":         "no function main.main.func7",
		"main.other.gowrap1":      "no function main.other.gowrap1",
		"elsewhere/log.v2.Writer": "no function elsewhere/log.v2.Writer",
		"somethingcompletelyelse": "write it as reports do",
	} {
		err := newChecker(p).checkNamed([]rewrite.Name{{Text: name, Pos: "a.tl:1:13"}})
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), "a.tl:1:13: ") ||
			!strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
