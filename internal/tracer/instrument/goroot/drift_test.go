package goroot

import (
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// tokensOf returns the tokens of a file that the mutations leave, each with a bar before it if it
// begins something.
func tokensOf(t testing.TB, name, text string) []string {
	t.Helper()
	all, err := scan(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	words := make([]string, len(all))
	for i, l := range all {
		words[i] = strings.ReplaceAll(renamedForm.ReplaceAllString(l.text, ""), "\r", "")
		if l.begins && !isClosing(l.tok) {
			words[i] = "|" + words[i]
		}
	}
	return words
}

// sameTokens compares overlays of a library and of a mutant of it.
func sameTokens(t testing.TB, want, got map[string]string) {
	t.Helper()
	if d := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
		return
	}
	for name, text := range want {
		if got[name] == text || !strings.HasSuffix(name, ".go") {
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), name, got[name], parser.SkipObjectResolution); err != nil {
			t.Errorf("the mutant's %v", err)
		}
		a, b := tokensOf(t, name, text), tokensOf(t, name, got[name])
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				from := max(0, i-10)
				t.Errorf("%s differs:\n%s\nand in the mutant\n%s", name, strings.Join(a[from:min(i+20, len(a))], " "),
					strings.Join(b[from:min(i+20, len(b))], " "))
				break
			}
		}
		if len(a) != len(b) {
			t.Errorf("%s has %d tokens, and %d in the mutant", name, len(a), len(b))
		}
	}
}

// Patches do not mind how the standard library is written. With ANTICHAIN_LONG other toolchains
// than that of the go command are tried, too.
func TestDrift(t *testing.T) {
	t.Parallel()
	for name, root := range toolchains() {
		if root != goroot() && os.Getenv(longEnv) == "" {
			continue
		}
		l := readLibrary(t, root)
		want, anyway := l.overlay(t, Options{})
		for _, m := range sourceMutations {
			t.Run(name+"/"+m.name, func(t *testing.T) {
				t.Parallel()
				mutant := l.clone()
				random := rand.New(rand.NewPCG(1, 2))
				for _, file := range l.patchedFiles() {
					mutant.set(file, m.apply(l.text(file), random))
				}
				got, lacks := mutant.overlay(t, Options{})
				if lacks = newIn(lacks, anyway); len(lacks) == 0 {
					sameTokens(t, want, got)
				}
				for _, l := range lacks {
					t.Errorf("lacks %s: %v", l.Name, l)
				}
			})
		}
		t.Run(name+"/moved", func(t *testing.T) {
			t.Parallel()
			testMoved(t, l)
		})
	}
}

// newIn returns what is lacking that the release does not lack anyway.
func newIn(lacks, anyway []Lack) []Lack {
	return slices.DeleteFunc(lacks, func(l Lack) bool {
		return slices.ContainsFunc(anyway, func(a Lack) bool { return a.Name == l.Name })
	})
}

// testMoved moves declarations to other files of their packages.
func testMoved(t *testing.T, l *library) {
	mutant := l.clone()
	for _, file := range l.patchedFiles() {
		if path.Dir(file) != "sync/atomic" && !hasPrefixPatch(file) { // which are read as files
			moveDeclarations(t, mutant, file)
		}
	}
	files, _ := l.overlay(t, Options{})
	got, lacks := mutant.overlay(t, Options{})
	for _, l := range lacks {
		t.Errorf("lacks %s: %v", l.Name, l)
	}
	want, have := l.declarations(t, files), mutant.declarations(t, got)
	for pkg := range want {
		if d := cmp.Diff(want[pkg], have[pkg]); d != "" {
			t.Errorf("declarations of %s (-want +got):\n%s", pkg, d)
		}
	}
}

// hasPrefixPatch reports whether a patch is for all functions of a file whose names begin alike.
func hasPrefixPatch(file string) bool {
	for _, c := range capabilities {
		for _, p := range c.patches {
			if name, _ := p.declaration(); p.file == file && isPrefix(name) {
				return true
			}
		}
	}
	return false
}

// declarations returns how often each declaration, as its tokens, is in a package with an overlay.
func (l *library) declarations(t testing.TB, overlay map[string]string) map[string]map[string]int {
	t.Helper()
	all := map[string]map[string]int{}
	names := slices.Concat(slices.Collect(maps.Keys(l.files)), slices.Collect(maps.Keys(overlay)))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		text, pkg := overlay[name], path.Dir(name)
		if text == "" {
			text = l.text(name)
		}
		words := tokensOf(t, name, text)
		lexemes, err := scan(text)
		if err != nil {
			t.Fatal(err)
		}
		if all[pkg] == nil {
			all[pkg] = map[string]int{}
		}
		for i := 0; i < len(lexemes); {
			end := max(i+1, endOfDeclaration(lexemes, i))
			if text := lexemes[i].text; text != "import" && text != "package" {
				all[pkg][strings.Join(words[i:end], " ")]++
			}
			i = end
		}
	}
	return all
}

// Mutations one after the other, of a few files.
func TestDriftCombined(t *testing.T) {
	t.Parallel()
	trees := toolchains()
	names := slices.Sorted(maps.Keys(trees))
	// of the libraries as they are
	overlays, anyway := map[string]map[string]string{}, map[string][]Lack{}
	// the files that no mutation has changed are the same in all draws
	finished := map[string]string{}
	rapid.Check(t, func(r *rapid.T) {
		name := rapid.SampledFrom(names).Draw(r, "toolchain")
		l := readLibrary(t, trees[name])
		if overlays[name] == nil {
			overlays[name], anyway[name] = l.overlay(t, Options{})
		}
		want := overlays[name]
		mutant := l.clone()
		files := rapid.SliceOfNDistinct(rapid.SampledFrom(l.patchedFiles()), 1, 6, rapid.ID[string]).Draw(r, "files")
		steps := rapid.SliceOfN(rapid.IntRange(0, len(sourceMutations)-1), 2, 4).Draw(r, "mutations")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0))
		text := ""
		for _, file := range files {
			text = l.text(file)
			for _, step := range steps {
				text = sourceMutations[step].apply(text, random)
			}
			mutant.set(file, text)
		}
		g := mutant.generator(Options{})
		g.finished = finished
		if err := g.generate(); err != nil {
			t.Fatal(err)
		}
		lacks := newIn(g.missing(), anyway[name])
		var applied []string
		for _, step := range steps {
			applied = append(applied, sourceMutations[step].name)
		}
		for _, l := range lacks {
			r.Errorf("after %q, lacks %s: %v", applied, l.Name, l)
		}
		if len(lacks) == 0 {
			sameTokens(r2t{r, t}, want, g.files)
		}
	})
}

// r2t reports failures of one draw.
type r2t struct {
	r *rapid.T
	testing.TB
}

func (t r2t) Errorf(format string, args ...any) { t.r.Errorf(format, args...) }
func (t r2t) Fatalf(format string, args ...any) { t.r.Fatal(fmt.Sprintf(format, args...)) }
func (t r2t) Helper()                           {}
