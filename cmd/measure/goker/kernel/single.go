package kernel

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
)

// singleMain lives for long enough that the bug has happened if it happens.
const singleMain = `package main

import "time"

func main() {
	%s()
	time.Sleep(100 * time.Millisecond)
}
`

// Main is a file with the main function for what Single returns.
func (k *Kernel) Main() []byte { return fmt.Appendf(nil, singleMain, k.Entry) }

// Single is the kernel's file with one copy of the bug and without what makes it a test of the
// profile; Main has the main function. What is left stands on the lines on which it stood, and
// closures keep their numbers, so that positions and functions of both programs can be compared:
//
//   - the registration and the profile go, and the function that is deferred for it stays with no
//     more than the time that it waits;
//   - runtime.Gosched goes, as a statement and as a loop of it;
//   - of a loop in the kernel's function that starts copies, one copy is left: the second, as the
//     first of Moby33781 waits for nothing;
//   - imports that nothing needs then go.
func (k *Kernel) Single() ([]byte, error) {
	c := cut{Kernel: k}
	entry := k.function(k.Entry)
	if entry == nil {
		return nil, fmt.Errorf("%s has no function %s", k.Path, k.Entry)
	}
	c.remove(k.function("init"))
	for _, s := range entry.Body.List {
		switch s := s.(type) {
		case *ast.AssignStmt:
			c.profile(s)
		case *ast.DeferStmt:
			c.report(s)
		}
	}
	if err := c.loops(entry); err != nil {
		return nil, err
	}
	if c.prof == "" {
		return nil, fmt.Errorf("%s: %s looks no profile up", k.Path, k.Entry)
	}
	ast.Inspect(k.file, c.yields)
	c.imports()
	return c.apply(), nil
}

// SingleLoops is the text of a program with one copy of what the loops of a function start: the
// second, as Single has it.
func SingleLoops(path string, src []byte, function string) ([]byte, error) {
	k, err := parse(path, src)
	if err != nil {
		return nil, err
	}
	f := k.function(function)
	if f == nil {
		return nil, fmt.Errorf("%s has no function %s", path, function)
	}
	c := cut{Kernel: k}
	err = c.loops(f)
	return c.apply(), err
}

// A cut collects what changes in a kernel's text.
type cut struct {
	*Kernel
	prof  string // the variable that has the profile
	edits []edit
}

// An edit replaces the bytes [from,to) of the text.
type edit struct {
	from, to int
	text     string
}

// remove cuts a node out.
func (c *cut) remove(n ast.Node) { c.replace(n, "") }

func (c *cut) replace(n ast.Node, text string) {
	c.edits = append(c.edits, edit{c.offset(n.Pos()), c.offset(n.End()), text})
}

func (c *cut) offset(p token.Pos) int { return c.fset.Position(p).Offset }

// removed reports whether a node lies in what is cut out.
func (c *cut) removed(n ast.Node) bool {
	from, to := c.offset(n.Pos()), c.offset(n.End())
	return slices.ContainsFunc(c.edits, func(e edit) bool { return e.text == "" && e.from <= from && to <= e.to })
}

// profile removes the statement that looks the profile up.
func (c *cut) profile(s *ast.AssignStmt) {
	if call, ok := s.Rhs[0].(*ast.CallExpr); ok && nameOf(call.Fun) == "pprof.Lookup" {
		c.prof = nameOf(s.Lhs[0])
		c.remove(s)
	}
}

// report removes from the deferred function what writes the profile.
func (c *cut) report(s *ast.DeferStmt) {
	f, ok := s.Call.Fun.(*ast.FuncLit)
	if !ok {
		return
	}
	for _, s := range f.Body.List {
		if c.prof != "" && callOf(s, c.prof+".WriteTo") != nil {
			c.remove(s)
		}
	}
}

// loops lets the loops of a function that start copies of the bug start one alone.
func (c *cut) loops(f *ast.FuncDecl) error {
	for _, s := range f.Body.List {
		switch s := s.(type) {
		case *ast.ForStmt:
			if err := c.copies(s); err != nil {
				return err
			}
		case *ast.RangeStmt:
			if starts(s.Body) {
				return c.unknownLoop(s)
			}
		}
	}
	return nil
}

// copies lets a loop that starts copies of the bug start the second one alone.
func (c *cut) copies(s *ast.ForStmt) error {
	if !starts(s.Body) {
		return nil
	}
	init, isAssign := s.Init.(*ast.AssignStmt)
	cond, isBinary := s.Cond.(*ast.BinaryExpr)
	if !isAssign || !isBinary || cond.Op != token.LSS && cond.Op != token.LEQ {
		return c.unknownLoop(s)
	}
	last := "2"
	if cond.Op == token.LEQ {
		last = "1"
	}
	c.replace(init.Rhs[0], "1")
	c.replace(cond.Y, last)
	return nil
}

// starts reports whether a statement of the block starts a goroutine.
func starts(b *ast.BlockStmt) bool {
	return slices.ContainsFunc(b.List, func(s ast.Stmt) bool { _, ok := s.(*ast.GoStmt); return ok })
}

func (c *cut) unknownLoop(n ast.Node) error {
	return fmt.Errorf("%s: a loop of copies that does not count up to a number", c.fset.Position(n.Pos()))
}

// yields removes runtime.Gosched: the statement, and loops of nothing else.
func (c *cut) yields(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ForStmt:
		if !slices.ContainsFunc(n.Body.List, func(s ast.Stmt) bool { return !isYield(s) }) {
			c.remove(n)
			return false
		}
	case *ast.ExprStmt:
		if isYield(n) {
			c.remove(n)
		}
	}
	return true
}

func isYield(s ast.Stmt) bool { return callOf(s, "runtime.Gosched") != nil }

// imports removes the imports that only what is cut out needs.
func (c *cut) imports() {
	used := make(map[string]bool)
	ast.Inspect(c.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && !c.removed(s) {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	for _, spec := range c.file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err == nil && !used[path.Base(p)] {
			c.remove(spec)
		}
	}
}

// apply is the text with its edits. Every line feed of a replaced piece stays.
func (c *cut) apply() []byte {
	slices.SortFunc(c.edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, e := range c.edits {
		if e.from < at {
			continue // inside what is cut out already
		}
		out = append(out, c.src[at:e.from]...)
		out = append(out, e.text...)
		out = append(out, bytes.Repeat([]byte("\n"), bytes.Count(c.src[e.from:e.to], []byte("\n")))...)
		at = e.to
	}
	return append(out, c.src[at:]...)
}
