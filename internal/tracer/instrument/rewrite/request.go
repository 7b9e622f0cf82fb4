package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/site"
)

// Name is a name as it stands in a specification.
type Name struct {
	Text string

	// For errors, both may be empty: the position in the specification ("ring.tl:3:14"), and the
	// line with a caret below it.
	Pos, Excerpt string
}

// Request lists the records that one specification needs.
type Request struct {
	Functions    []Name // of in.f, start.f, term.f
	Variables    []Name // of expressions: "elem", "b.last", "b.data[1]"
	Shared       []Name // package variables with value sets
	Operations   []Operation
	FuncPatterns []string
	Steps        bool // a record at every statement of the traced functions
}

// Spec is a request and the package that its short names mean.
type Spec struct {
	Package string // import path
	Request
}

// Meta describes a package that names may reach.
type Meta struct {
	Path   string // import path; that of an external test package ends in "_test"
	Name   string
	Module string
	Root   string // directory of its module, or else its own
	Locked string // why its files cannot be replaced; "" if they can
}

// Package is a type-checked package.
type Package struct {
	Meta
	Dir   string
	Fset  *token.FileSet
	Files []*File // in the order the compiler gets them
	Types *types.Package
	Info  *types.Info
}

// File is one file of a package.
type File struct {
	Name   string // absolute, as the user knows it
	Src    []byte
	Syntax *ast.File
}

// Program gives packages to the rewriter.
type Program interface {
	Packages() []Meta // that names can mean, in a fixed order
	Load(path string) (*Package, error)
}

// Result has the replacements of the user's files.
type Result struct {
	Files    map[string][]byte // by the user's file name; files that do not exist yet included
	Tables   []*site.Table     // one per Spec; all with the same site ids
	Warnings []string
}

// Error reports a name that has no meaning, or several. It reads like an error in the syntax of a
// specification.
type Error struct {
	Pos, Excerpt string
	Msg          string
	Candidates   []string
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Pos != "" {
		b.WriteString(e.Pos + ": ")
	}
	b.WriteString(e.Msg)
	if e.Excerpt != "" {
		b.WriteString("\n" + e.Excerpt)
	}
	for _, c := range e.Candidates {
		b.WriteString("\n    candidate: " + c)
	}
	return b.String()
}

func errorAt(n Name, candidates []string, format string, args ...any) *Error {
	return &Error{Pos: n.Pos, Excerpt: n.Excerpt, Msg: fmt.Sprintf(format, args...), Candidates: candidates}
}

// MissingFunction is the error that no package of a program has a function of that name.
func MissingFunction(n Name, candidates []string) error {
	hint := Suggest(site.PlainFunction(n.Text), candidates)
	if hint == "" {
		hint = ": write it as reports do, with the last element of the package's import path, as in main.worker or " +
			"sql.(*DB).connectionOpener"
	}
	return errorAt(n, nil, "no function %s in any package of the program%s", n.Text, hint)
}
