package clause

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// polls reads what stands behind a case of a select statement in a loop: builtin.ComesBack if a goroutine that takes it only comes to
// the statement again, builtin.Leaves if it may go elsewhere or the loop may be over, and builtin.Unread if it calls or starts what may end that, or the loop
// is written in another way.
func (s *statement) polls(c *ast.CommClause) builtin.Behind {
	i := len(s.path) - 1
	stmt, label := s.path[i].(ast.Stmt), ""
	if l, ok := s.path[i-1].(*ast.LabeledStmt); ok {
		i--
		stmt = l
		label = l.Label.Name
	}
	if i < 2 {
		return builtin.Unread
	}
	loop, ok := s.path[i-2].(*ast.ForStmt)
	switch _, isRange := s.path[i-2].(*ast.RangeStmt); {
	case isRange, ok && loop.Cond != nil:
		return builtin.Leaves
	case !ok:
		return builtin.Unread
	}
	at := slices.Index(loop.Body.List, stmt)
	if at < 0 {
		return builtin.Unread
	}
	before, e := follow(loop.Body.List[:at])
	body, of := follow(c.Body)
	of.falls = of.take(token.BREAK, label) || of.falls
	rest, last := follow(loop.Body.List[at+1:])
	e.add(of)
	e.add(last)
	around := site{path: s.path}
	e.take(token.CONTINUE, around.label(i-2))
	switch {
	case e.returns || len(e.jumps) > 0:
		return builtin.Leaves
	case doesMore(slices.Concat(before, body, rest)) || loop.Post != nil && doesMore([]ast.Stmt{loop.Post}):
		return builtin.Unread
	}
	return builtin.ComesBack
}

// doesMore reports whether statements do anything that others may notice, or that may end the function: they call one that is not of
// package time or a timer's, start a goroutine, or use a channel.
func doesMore(list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		return pathTo(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt, *ast.RangeStmt:
				return true
			case *ast.UnaryExpr:
				return n.Op == token.ARROW
			case *ast.CallExpr:
				return !isOfTime(types.ExprString(n.Fun))
			}
			return false
		}) != nil
	})
}

// isOfTime reports whether a function is one of package time or, as far as its name says, a method of a timer.
func isOfTime(function string) bool {
	return strings.HasPrefix(function, "time.") || strings.HasSuffix(function, ".Reset") || strings.HasSuffix(function, ".Stop")
}
