package docs

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// private are the directories that docs/library.md leaves out: what is the command's own.
var private = []string{"cmd", "docs", "examples", "internal"}

// publicPackage is a package that programs of others may import.
type publicPackage struct {
	path         string // from the repository
	files, tests []*ast.File
}

// publicPackages parses all of them.
func publicPackages(t *testing.T) (all []*publicPackage) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || path == ".." {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		if d.Name() == "testdata" || d.Name() == "internal" || d.Name()[0] == '.' || slices.Contains(private, name) {
			return fs.SkipDir
		}
		p, err := parsePackage(path)
		if p.path = name; len(p.files) > 0 {
			all = append(all, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("%d packages are not all", len(all))
	}
	return all
}

func parsePackage(dir string) (*publicPackage, error) {
	p := new(publicPackage)
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments)
		switch {
		case err != nil:
			return nil, err
		case strings.HasSuffix(name, "_test.go"):
			p.tests = append(p.tests, f)
		default:
			p.files = append(p.files, f)
		}
	}
	return p, nil
}

// Every public package says what it is for, shows how it is used, and is on the page about the
// library.
func TestPublicPackages(t *testing.T) {
	page, err := os.ReadFile("library.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range publicPackages(t) {
		begin := "Package " + p.files[0].Name.Name + " "
		if !slices.ContainsFunc(p.files, func(f *ast.File) bool { return strings.HasPrefix(f.Doc.Text(), begin) }) {
			t.Errorf("%s has no comment that begins %q", p.path, begin)
		}
		if !slices.ContainsFunc(doc.Examples(p.tests...), func(e *doc.Example) bool { return e.Output != "" }) {
			t.Errorf("%s has no example with an output", p.path)
		}
		if !strings.Contains(string(page), "](../"+p.path+")") {
			t.Errorf("docs/library.md has no link to %s", p.path)
		}
	}
}

// withFlags are packages that may mention flags: the settings of Kafka are flags, and skeletons are
// written with a comment about the command.
var withFlags = []string{"tracer/ingest/kafka", "tlcheck/model/ctl/skeleton"}

// What public packages say has no flags of the command.
func TestPublicTexts(t *testing.T) {
	flag := regexp.MustCompile("(^|[ \"(`])--[a-z]|^\"-e\"$|antichain (build|check|convert|doctor|run)")
	for _, p := range publicPackages(t) {
		if slices.Contains(withFlags, p.path) {
			continue
		}
		for _, f := range p.files {
			ast.Inspect(f, func(n ast.Node) bool {
				if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && flag.MatchString(text.Value) {
					t.Errorf("%s: %s", p.path, text.Value)
				}
				return true
			})
		}
	}
}
