package kernel

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"strings"
	"testing"
)

// original has everything that a single copy loses, and what it keeps.
const original = `package main

import (
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

func init() {
	register("Made1", Made)
}

func meet(mu *sync.Mutex) {
	mu.Lock()
	runtime.Gosched()
	mu.Unlock()
}

func Made() {
	prof := pprof.Lookup("goroutineleak")
	defer func() {
		time.Sleep(100 * time.Millisecond)
		for i := 0; i < yieldCount; i++ {
			// Yield.
			runtime.Gosched()
		}
		prof.WriteTo(os.Stdout, 2)
	}()
	for i := 0; i <= 1000; i++ {
		go func() {
			for j := 0; j < 10; j++ {
				meet(new(sync.Mutex))
			}
		}()
	}
}
`

const single = `package main

import (
	
	
	
	"sync"
	"time"
)





func meet(mu *sync.Mutex) {
	mu.Lock()
	
	mu.Unlock()
}

func Made() {
	
	defer func() {
		time.Sleep(100 * time.Millisecond)
		



		
	}()
	for i := 1; i <= 1; i++ {
		go func() {
			for j := 0; j < 10; j++ {
				meet(new(sync.Mutex))
			}
		}()
	}
}
`

func TestSingle(t *testing.T) {
	k, err := Parse("made1.go", []byte(original))
	if err != nil {
		t.Fatal(err)
	}
	if k.Name != "Made1" || k.Entry != "Made" {
		t.Errorf("kernel %s begins with %s, want Made1 with Made", k.Name, k.Entry)
	}
	got, err := k.Single()
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != single {
		t.Errorf("got\n%s\nwant\n%s", got, single)
	}
}

func TestSingleOfOtherForm(t *testing.T) {
	for name, change := range map[string][2]string{
		"no profile":            {`prof := pprof.Lookup("goroutineleak")`, "prof := none"},
		"no function":           {"func Made()", "func Other()"},
		"a loop of other form":  {"for i := 0; i <= 1000; i++ {\n\t\tgo", "for range 1000 {\n\t\tgo"},
		"a loop that goes down": {"i := 0; i <= 1000; i++", "i := 1000; i > 0; i--"},
	} {
		k, err := Parse("made1.go", []byte(strings.Replace(original, change[0], change[1], 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.Single(); err == nil {
			t.Errorf("%s: a single copy was made of it", name)
		}
	}
}

// TestKernelsOfThisGo makes a single copy of each kernel of the distribution that runs the test.
func TestKernelsOfThisGo(t *testing.T) {
	kernels := distributed(t)
	if len(kernels) < 63 {
		t.Errorf("%d kernels, want at least 63", len(kernels))
	}
	packages := importer.Default()
	for _, k := range kernels {
		copied, err := k.Single()
		if err != nil {
			t.Error(err)
			continue
		}
		for _, gone := range []string{"pprof", "Gosched(", "yieldCount", "register("} {
			if bytes.Contains(uncommented(t, copied), []byte(gone)) {
				t.Errorf("%s: %s is left", k.Name, gone)
			}
		}
		if got, want := bytes.Count(copied, []byte("\n")), bytes.Count(k.src, []byte("\n")); got != want {
			t.Errorf("%s: %d lines, want %d", k.Name, got, want)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, k.Path, copied, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		config := types.Config{Importer: packages}
		if _, err := config.Check("main", fset, []*ast.File{f}, nil); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
}

// uncommented is Go source without its comments.
func uncommented(t *testing.T, src []byte) []byte {
	t.Helper()
	src = bytes.Clone(src)
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			from, to := fset.Position(c.Pos()).Offset, fset.Position(c.End()).Offset
			copy(src[from:to], bytes.Repeat([]byte(" "), to-from))
		}
	}
	return src
}

// distributed are the kernels in the distribution.
func distributed(t *testing.T) []*Kernel {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	kernels, err := Load(Dir(strings.TrimSpace(string(out))))
	if err != nil {
		t.Skip(err)
	}
	return kernels
}
