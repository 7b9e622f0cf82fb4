package goroot

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Mutations of Go source that leave what it means.

// rawToken is a token of a file with its comments and semicolons.
type rawToken struct {
	tok      token.Token
	text     string
	from, to int
	auto     bool // a semicolon that stands for a line break
}

func rawTokens(src string) (all []rawToken) {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), nil, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return all
		}
		r := rawToken{tok: tok, text: lit, from: file.Offset(pos), auto: tok == token.SEMICOLON && lit == "\n"}
		if lit == "" || tok == token.SEMICOLON {
			r.text = tok.String()
		}
		r.to = r.from + len(r.text)
		if strings.HasPrefix(r.text, "/*") { // without the carriage returns that are in the source
			r.to = r.from + strings.Index(src[r.from:], "*/") + len("*/")
		}
		if r.auto {
			r.text, r.to = "", r.from
		}
		all = append(all, r)
	}
}

// A directive is a comment that means something.
func isDirective(text string) bool {
	return strings.HasPrefix(text, "//go:") || strings.HasPrefix(text, "//line ") || strings.HasPrefix(text, "//extern")
}

// withoutComments takes out all comments but directives.
func withoutComments(src string, _ *rand.Rand) string {
	var b strings.Builder
	at := 0
	for _, r := range rawTokens(src) {
		if r.tok == token.COMMENT && !isDirective(r.text) {
			b.WriteString(src[at:r.from] + " " + strings.Repeat("\n", strings.Count(r.text, "\n")))
			at = r.to
		}
	}
	return b.String() + src[at:]
}

// withComments puts comments that look like code between tokens.
func withComments(src string, random *rand.Rand) string {
	var b strings.Builder
	at := 0
	for _, r := range rawTokens(src) {
		if r.tok != token.COMMENT && !r.auto && random.IntN(4) == 0 {
			b.WriteString(src[at:r.from] + [...]string{" /* } */ ", " /* func f() { */", " /* == */",
				" /*\"*/"}[random.IntN(4)])
			at = r.from
		}
	}
	return b.String() + src[at:]
}

var renamedForm = regexp.MustCompile(`renamed\d+_`)

// withOtherLocals gives all local variables and parameters names of their own.
func withOtherLocals(src string, random *rand.Rand) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		panic(err)
	}
	skip := map[*ast.Ident]bool{} // fields, and keys that may be some
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			for _, f := range n.Fields.List {
				for _, name := range f.Names {
					skip[name] = true
				}
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					if key, ok := kv.Key.(*ast.Ident); ok {
						skip[key] = true
					}
				}
			}
		}
		return true
	})
	names := map[any]string{} // by what the parser has resolved them to
	type change struct {
		at   int
		name string
	}
	var changes []change
	ast.Inspect(file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || id.Obj == nil || id.Obj.Kind != ast.Var || id.Name == "_" || skip[id] ||
			file.Scope.Lookup(id.Name) == id.Obj {
			return true
		}
		if names[id.Obj] == "" {
			names[id.Obj] = fmt.Sprintf("renamed%d_", len(names)*7+random.IntN(7))
		}
		changes = append(changes, change{fset.Position(id.Pos()).Offset, names[id.Obj]})
		return true
	})
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	at := 0
	for i, c := range changes {
		if i > 0 && c == changes[i-1] {
			continue
		}
		b.WriteString(src[at:c.at] + c.name)
		at = c.at
	}
	return b.String() + src[at:]
}

// endsLine reports whether a line break after a token is a semicolon.
func endsLine(r rawToken) bool {
	switch r.tok {
	case token.IDENT, token.INT, token.FLOAT, token.IMAG, token.CHAR, token.STRING, token.BREAK, token.CONTINUE,
		token.FALLTHROUGH,
		token.RETURN, token.INC, token.DEC, token.RPAREN, token.RBRACK, token.RBRACE:
		return true
	}
	return false
}

// printTokens writes tokens again, with what f says between two of them.
func printTokens(src string, f func(before, after rawToken) string) string {
	var b strings.Builder
	var before rawToken
	for _, r := range rawTokens(src) {
		if r.tok == token.COMMENT {
			if isDirective(r.text) {
				b.WriteString("\n" + r.text + "\n")
			} else if before.tok == 0 { // a constraint of another time
				b.WriteString(r.text + "\n")
			}
			continue
		}
		if r.auto {
			r.text = ";"
		}
		b.WriteString(f(before, r) + r.text)
		before = r
	}
	return b.String() + "\n"
}

// onOneLine writes everything with semicolons in one line, but for directives.
func onOneLine(src string, _ *rand.Rand) string {
	return printTokens(src, func(_, _ rawToken) string { return " " })
}

// tokenALine breaks lines wherever that is no semicolon.
func tokenALine(src string, _ *rand.Rand) string {
	return printTokens(src, func(before, _ rawToken) string {
		if endsLine(before) {
			return " "
		}
		return "\n"
	})
}

// brokenConditions breaks lines after && and ||.
func brokenConditions(src string, _ *rand.Rand) string {
	var b strings.Builder
	at := 0
	for _, r := range rawTokens(src) {
		if r.tok == token.LAND || r.tok == token.LOR {
			b.WriteString(src[at:r.to] + "\n\t\t\t")
			at = r.to
		}
	}
	return b.String() + src[at:]
}

// carriageReturns ends lines as other systems do.
func carriageReturns(src string, _ *rand.Rand) string { return strings.ReplaceAll(src, "\n", "\r\n") }

// moreParentheses puts some around operands, conditions, values and arguments.
func moreParentheses(src string, random *rand.Rand) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	opens, closes := map[int]int{}, map[int]int{}
	wrap := func(e ast.Expr) {
		if e == nil {
			return
		}
		switch e := e.(type) {
		case *ast.CompositeLit, *ast.KeyValueExpr, *ast.Ellipsis, *ast.ArrayType, *ast.MapType, *ast.ChanType,
			*ast.FuncType, *ast.StructType, *ast.InterfaceType, *ast.FuncLit:
			return
		case *ast.Ident:
			if e.Name == "_" {
				return
			}
		case *ast.TypeAssertExpr:
			if e.Type == nil { // of a switch
				return
			}
		}
		n := 1 + random.IntN(2)
		opens[fset.Position(e.Pos()).Offset] += n
		closes[fset.Position(e.End()).Offset] += n
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			wrap(n.X)
			wrap(n.Y)
		case *ast.IfStmt:
			wrap(n.Cond)
		case *ast.ForStmt:
			wrap(n.Cond)
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && len(n.Rhs) == 1 {
				wrap(n.Rhs[0])
			}
		case *ast.ReturnStmt:
			if len(n.Results) == 1 {
				if _, ok := n.Results[0].(*ast.CallExpr); !ok {
					wrap(n.Results[0])
				}
			}
		case *ast.CallExpr:
			if len(n.Args) > 1 && !n.Ellipsis.IsValid() {
				for _, a := range n.Args {
					wrap(a)
				}
			}
		}
		return true
	})
	var b strings.Builder
	for i := range len(src) + 1 {
		b.WriteString(strings.Repeat(")", closes[i]) + strings.Repeat("(", opens[i]))
		if i < len(src) {
			b.WriteByte(src[i])
		}
	}
	return b.String()
}

// sourceMutations are those of one file.
var sourceMutations = []struct {
	name  string
	apply func(src string, random *rand.Rand) string
}{
	{"without comments", withoutComments},
	{"with comments", withComments},
	{"other locals", withOtherLocals},
	{"broken conditions", brokenConditions},
	{"more parentheses", moreParentheses},
	{"one line", onOneLine},
	{"a token a line", tokenALine},
	{"carriage returns", carriageReturns},
}

// moveDeclarations moves declarations of a file to another one of its package, in the reverse
// order. Those that a disable is about stay, since that is for a file, and so do types with their
// imports.
func moveDeclarations(t testing.TB, l *library, name string) {
	t.Helper()
	src := l.text(name)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	var moved []string
	rest := src
	head := ""
	if first := strings.Index(src, "\npackage "); first >= 0 {
		head = src[:first+1]
	}
	head += "package " + file.Name.Name + "\n"
	for _, d := range slices.Backward(file.Decls) {
		from, to := at(d.Pos()), at(d.End())
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				head += src[from:to] + "\n"
				continue
			}
			if d.Doc != nil {
				from = at(d.Doc.Pos())
			}
		case *ast.FuncDecl:
			if d.Doc != nil {
				from = at(d.Doc.Pos())
			}
		}
		text := src[from:to]
		if isDisabled(name) && (strings.Contains(text, runtimeEnabled) || strings.Contains(text, raceEnabled)) {
			continue
		}
		moved = append(moved, text)
		rest = rest[:from] + rest[to:]
	}
	l.set(name, rest)
	l.set(path.Join(path.Dir(name), "zz_moved_"+path.Base(name)), head+"\n"+strings.Join(moved, "\n\n")+"\n")
}

func isDisabled(file string) bool {
	for _, c := range capabilities {
		for _, d := range c.disables {
			if d.file == file {
				return true
			}
		}
	}
	return false
}
