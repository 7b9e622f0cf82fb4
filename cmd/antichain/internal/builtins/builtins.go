// Package builtins explains the built-in properties with example programs.
//
// Each property has small programs that show what it reports, and others that look similar and are
// correct. They also test the property. They are in testdata, so linters that look for such
// mistakes skip them.
package builtins

import (
	"bytes"
	"embed"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"
)

//go:embed testdata/*.go
var sources embed.FS

// Topic is the explanation of one built-in property.
type Topic struct {
	Name     string    // of the property
	Summary  string    // half a sentence
	Text     string    // paragraphs
	Programs []Program // the first is the typical one
}

// Program is a function that shows the property.
type Program struct {
	Name string
	Text string // what it does, in a sentence or two
	Good bool   // nothing is reported
	decl *ast.FuncDecl
	file *source
}

// source is a file with programs.
type source struct {
	*ast.File
	files *token.FileSet
}

// Has reports whether there is something to say about a property.
func Has(name string) bool {
	_, err := sources.Open(fileOf(name))
	return err == nil
}

// fileOf is the file with the programs of a property.
func fileOf(name string) string { return path.Join("testdata", name+".go") }

// Find returns what there is to say about a property; false if nothing.
func Find(name string) (*Topic, bool) {
	file, err := open(name)
	if err != nil {
		return nil, false
	}
	summary, text, _ := strings.Cut(file.Doc.Text(), "\n\n")
	t := &Topic{Name: name, Summary: oneLine(strings.TrimPrefix(summary, name+": ")), Text: text}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			good := none.MatchString(f.Doc.Text())
			t.Programs = append(t.Programs, Program{f.Name.Name, oneLine(none.ReplaceAllString(f.Doc.Text(), "")), good, f, file})
		}
	}
	return t, true
}

// none matches the comment of a program in which nothing is to be found.
var none = regexp.MustCompile(`(?m)^want none$`)

func open(name string) (*source, error) {
	name = fileOf(name)
	text, err := sources.ReadFile(name)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments)
	if err != nil || file.Doc == nil {
		return nil, fmt.Errorf("%s: not a file of programs (%v)", name, err)
	}
	return &source{file, files}, nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// expectation is a comment that says what is reported; it is for the tests. So is pause, a
// time.Sleep.
var expectation = regexp.MustCompile(`(?m)[ \t]*// want .*$`)

// Source returns the program as one that can be built: the function under the name main, and what
// it imports.
func (p *Program) Source() (string, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Program %s\npackage main\n\n", p.Text)
	used := p.imports()
	switch len(used) {
	case 0:
	case 1:
		fmt.Fprintf(&b, "import %q\n\n", used[0])
	default:
		b.WriteString("import (\n")
		for _, path := range used {
			fmt.Fprintf(&b, "%q\n", path)
		}
		b.WriteString(")\n\n")
	}
	fmt.Fprintf(&b, "func main() %s\n", p.body())
	text := expectation.ReplaceAll(b.Bytes(), nil)
	text, err := format.Source(bytes.ReplaceAll(text, []byte("\tpause("), []byte("\ttime.Sleep(")))
	return string(text), err
}

// body is the function's body as it is written.
func (p *Program) body() string {
	file := p.file.files.File(p.decl.Pos())
	text, err := sources.ReadFile(file.Name())
	if err != nil {
		panic(err) // it was read before
	}
	return string(text[file.Offset(p.decl.Body.Pos()):file.Offset(p.decl.Body.End())])
}

// imports lists the packages that the function uses.
func (p *Program) imports() []string {
	names := map[string]bool{}
	ast.Inspect(p.decl, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				names[x.Name] = true
			}
		}
		return true
	})
	var used []string
	for _, i := range p.file.Imports {
		if name, err := strconv.Unquote(i.Path.Value); err == nil && names[path.Base(name)] {
			used = append(used, name)
		}
	}
	return used
}
