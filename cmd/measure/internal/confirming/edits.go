//go:build unix

package confirming

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// An edit is a change of a program as people make it between a report and the look into it. None of
// them changes what the program does, but for what it prints.
type edit struct {
	name string
	// of returns the files of a package after the edit.
	of func(files map[string][]byte) (map[string][]byte, error)
}

// edits are all kinds.
var edits = []edit{
	{"comments above functions", each(func(f *file) { f.beforeFunctions("// Nothing to see.\n//\n// Really.\n") })},
	{"no comments", each((*file).withoutComments)},
	{"prints in functions", each(func(f *file) { f.atBegin("\nprintln(\"here\")\n", nil) })},
	{"prints everywhere", each(func(f *file) { f.beforeStatements("\nprintln(\"here\")\n") })},
	{"channels in functions", each(func(f *file) { f.atBegin("\nroom := make(chan int, 1)\nroom <- 1\n<-room\n", nil) })},
	{"a goroutine more", each(func(f *file) { f.atBegin("\ngo func() {}()\n", startsGoroutines) })},
	{"functions in another order", each((*file).reversed)},
	{"another file", inOtherFiles},
	{"functions renamed", renaming(functions)},
	{"variables renamed", renaming(variables)},
}

// file is a file that is edited.
type file struct {
	*ast.File
	set  *token.FileSet
	text []byte
	adds []addition
	err  error
}

// addition is text to be added at an offset.
type addition struct {
	at   int
	text string
}

// each edits each file of a package by itself.
func each(change func(*file)) func(map[string][]byte) (map[string][]byte, error) {
	return func(files map[string][]byte) (map[string][]byte, error) {
		edited := make(map[string][]byte)
		for name, text := range files {
			f := &file{set: token.NewFileSet(), text: text}
			if f.File, f.err = parser.ParseFile(f.set, name, text, parser.ParseComments|parser.SkipObjectResolution); f.err == nil {
				change(f)
				edited[name] = f.formatted()
			}
			if f.err != nil {
				return nil, f.err
			}
		}
		return edited, nil
	}
}

func (f *file) offset(p token.Pos) int { return f.set.Position(p).Offset }

func (f *file) add(at token.Pos, text string) { f.adds = append(f.adds, addition{f.offset(at), text}) }

// formatted is the text with all that was added.
func (f *file) formatted() []byte {
	slices.SortStableFunc(f.adds, func(a, b addition) int { return cmp.Compare(a.at, b.at) })
	var b bytes.Buffer
	done := 0
	for _, a := range f.adds {
		b.Write(f.text[done:a.at])
		b.WriteString(a.text)
		done = a.at
	}
	b.Write(f.text[done:])
	text, err := format.Source(b.Bytes())
	f.err = cmp.Or(f.err, err)
	return text
}

// functions are the declarations of functions with a body.
func (f *file) functions() (all []*ast.FuncDecl) {
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
			all = append(all, d)
		}
	}
	return all
}

// begin is where a function begins, with its comment.
func begin(d *ast.FuncDecl) token.Pos {
	if d.Doc != nil {
		return d.Doc.Pos()
	}
	return d.Pos()
}

func (f *file) beforeFunctions(text string) {
	for _, d := range f.functions() {
		f.add(begin(d), text)
	}
}

// atBegin adds text at the begin of the functions that which chooses, or of all.
func (f *file) atBegin(text string, which func(*ast.FuncDecl) bool) {
	for _, d := range f.functions() {
		if which == nil || which(d) {
			f.add(d.Body.Lbrace+1, text)
		}
	}
}

func startsGoroutines(d *ast.FuncDecl) (starts bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.SelectorExpr:
			starts = starts || n.Sel.Name == "Go"
		}
		return !starts
	})
	return starts
}

func (f *file) beforeStatements(text string) {
	add := func(list []ast.Stmt) {
		for _, s := range list {
			f.add(s.Pos(), text)
		}
	}
	ast.Inspect(f.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			if len(n.List) > 0 && isClause(n.List[0]) {
				return true
			}
			add(n.List)
		case *ast.CaseClause:
			add(n.Body)
		case *ast.CommClause:
			add(n.Body)
		}
		return true
	})
}

func isClause(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

func (f *file) withoutComments() {
	var b bytes.Buffer
	f.Comments = nil
	ast.Inspect(f.File, func(n ast.Node) bool {
		if d, ok := n.(*ast.FuncDecl); ok {
			d.Doc = nil
		}
		return true
	})
	f.err = format.Node(&b, f.set, f.File)
	f.text = b.Bytes()
}

// reversed has the functions in reverse order, behind everything else.
func (f *file) reversed() {
	var rest, functions []string
	done := 0
	for _, d := range f.functions() {
		rest = append(rest, string(f.text[done:f.offset(begin(d))]))
		done = f.offset(d.End())
		functions = append(functions, string(f.text[f.offset(begin(d)):done]))
	}
	rest = append(rest, string(f.text[done:]))
	slices.Reverse(functions)
	f.text = []byte(strings.Join(rest, "\n") + "\n\n" + strings.Join(functions, "\n\n") + "\n")
}

func inOtherFiles(files map[string][]byte) (map[string][]byte, error) {
	edited := make(map[string][]byte)
	for name, text := range files {
		edited["other_"+name] = text
	}
	return edited, nil
}

// renaming renames what names finds in any file of the package, unless a field or an import has
// that name, too.
func renaming(names func(*ast.File) []string) func(map[string][]byte) (map[string][]byte, error) {
	return func(files map[string][]byte) (map[string][]byte, error) {
		renamed, kept := make(map[string]bool), []string(nil)
		for name, text := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			for _, n := range names(f) {
				renamed[n] = true
			}
			kept = append(kept, fields(f)...)
			for _, i := range f.Imports {
				kept = append(kept, strings.Trim(i.Path.Value[strings.LastIndexByte(i.Path.Value, '/')+1:], `"`))
			}
		}
		for _, n := range kept {
			delete(renamed, n)
		}
		edited := maps.Clone(files)
		for name, text := range files {
			edited[name] = rename(text, renamed)
		}
		return edited, nil
	}
}

// functions are the names of functions, without methods.
func functions(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name != "main" && d.Name.Name != "init" {
			names = append(names, d.Name.Name)
		}
	}
	return names
}

// variables are the names of variables that statements declare.
func variables(f *ast.File) (names []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if id, ok := left.(*ast.Ident); ok && n.Tok == token.DEFINE && id.Name != "_" {
					names = append(names, id.Name)
				}
			}
		case *ast.DeclStmt:
			for _, s := range n.Decl.(*ast.GenDecl).Specs {
				if s, ok := s.(*ast.ValueSpec); ok {
					names = append(names, identifiers(s.Names)...)
				}
			}
		}
		return true
	})
	return names
}

// fields are the names of fields of structs.
func fields(f *ast.File) (names []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.StructType); ok {
			for _, field := range s.Fields.List {
				names = append(names, identifiers(field.Names)...)
			}
		}
		return true
	})
	return names
}

func identifiers(ids []*ast.Ident) (names []string) {
	for _, id := range ids {
		names = append(names, id.Name)
	}
	return names
}

// rename gives identifiers other names, but not those of fields, methods and labels.
func rename(text []byte, names map[string]bool) []byte {
	set := token.NewFileSet()
	f := set.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(f, text, nil, 0)
	var b bytes.Buffer
	done, before := 0, token.ILLEGAL
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.IDENT && names[lit] && before != token.PERIOD {
			at := f.Offset(pos)
			key := (before == token.LBRACE || before == token.COMMA || before == token.SEMICOLON) && bytes.HasPrefix(bytes.TrimLeft(text[at+len(lit):], " \t"), []byte(":")) &&
				!bytes.HasPrefix(bytes.TrimLeft(text[at+len(lit):], " \t"), []byte(":="))
			if !key {
				b.Write(text[done:at])
				b.WriteString(lit + "Too")
				done = at + len(lit)
			}
		}
		before = tok
	}
	b.Write(text[done:])
	return b.Bytes()
}
