package frontend

import (
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMayUse(t *testing.T) {
	all := MissingMinimal
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"nothing", `func f() { go f() }`, nil},
		{"harmless", `import ("fmt"; "sync"; "time"); var mu sync.Mutex; func f() { mu.Lock(); fmt.Println(); time.Sleep(time.Second) }`, nil},
		{"buffered", `func f() { _ = make(chan int, 1); _ = make(map[int]int); _ = make([]int, 0) }`, nil},
		{"another module", `import "net.example/http"; func f() { http.Get() }`, nil},
		{"once", `import "sync"; var once sync.Once`, []string{missingAtomics}},
		{"renamed", `import s "sync"; var c = s.NewCond(nil)`, []string{missingCond}},
		{"dot", `import . "sync"; var mu Mutex`, []string{missingAtomics, missingCond}},
		{"atomics", `import "sync/atomic"; func f(n *int32) { atomic.AddInt32(n, 1) }`, []string{missingAtomics}},
		{"after", `import "time"; func f() { time.AfterFunc(0, f) }`, []string{missingAfterFunc}},
		{"replacer", `import "strings"; var r = strings.NewReplacer()`, []string{missingAtomics}},
		{"unbuffered", `var c = make(chan int)`, []string{missingJoint}},
		{"size 0", `var c = make(chan int, 0x0)`, []string{missingJoint}},
		{"size unknown", `func f(n int) { _ = make(chan int, n) }`, []string{missingJoint}},
		{"type unknown", `type C chan int; var c = make(C)`, []string{missingJoint}},
		{"timer", `import "time"; var c = time.After(1)`, all},
		{"file", `import "os"; func f() { os.Stdin.Close() }`, all},
		{"unknown package", `import _ "net/http"`, all},
		{"cgo", `import "C"`, all},
		{"assembly", `func f()`, all},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file, err := parser.ParseFile(token.NewFileSet(), "f.go", "package p; "+tt.src, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			standard := func(path string) bool { return path != "net.example/http" }
			got := MayUse(file, all, standard)
			if d := cmp.Diff(slices.Clone(tt.want), slices.Clone(got), cmp.Transformer("empty", func(s []string) []string { return append([]string{""}, s...) })); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if got := MayUse(file, []string{"more"}, standard); len(got) != 1 {
				t.Errorf("a kind that nobody knows is not used")
			}
		})
	}
}
