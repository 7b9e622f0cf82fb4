package clause

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// exits are the ways by which control leaves statements.
type exits struct {
	falls   bool   // to the next statement
	returns bool   // from the function, or it ends otherwise
	jumps   []jump // to loops and labels
}

// jump is a break, continue or goto.
type jump struct {
	tok   token.Token
	label string // "" for the innermost one
}

func jumpOf(s *ast.BranchStmt) jump {
	j := jump{tok: s.Tok}
	if s.Label != nil {
		j.label = s.Label.Name
	}
	return j
}

func (e *exits) add(other exits) {
	e.falls = e.falls || other.falls
	e.returns = e.returns || other.returns
	e.jumps = append(e.jumps, other.jumps...)
}

// removeJumps removes the jumps of a kind to the statement with this label, and reports whether
// there were any.
func (e *exits) removeJumps(tok token.Token, label string) bool {
	n := len(e.jumps)
	e.jumps = slices.DeleteFunc(e.jumps, func(j jump) bool {
		return j.tok == tok && (j.label == "" || j.label == label)
	})
	return len(e.jumps) < n
}

// follow returns the reachable statements of a list, and how control leaves them.
func follow(list []ast.Stmt) ([]ast.Stmt, exits) {
	e := exits{falls: true}
	for i, s := range list {
		e.falls = false
		e.add(exitsOf(s, ""))
		if !e.falls {
			return list[:i+1], e
		}
	}
	return list, e
}

// exitsOf returns how control leaves a statement with this label.
func exitsOf(s ast.Stmt, label string) exits {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return exits{returns: true}
	case *ast.BranchStmt:
		if s.Tok == token.FALLTHROUGH {
			return exits{falls: true} // into a later clause, which is examined itself
		}
		return exits{jumps: []jump{jumpOf(s)}}
	case *ast.ExprStmt:
		return exits{falls: !isEnd(s), returns: isEnd(s)}
	case *ast.LabeledStmt:
		return exitsOf(s.Stmt, s.Label.Name)
	case *ast.BlockStmt:
		_, e := follow(s.List)
		return e
	case *ast.IfStmt:
		_, e := follow(s.Body.List)
		if s.Else == nil {
			e.falls = true
		} else {
			e.add(exitsOf(s.Else, ""))
		}
		return e
	case *ast.ForStmt:
		return exitsOfLoop(s.Body, label, s.Cond != nil)
	case *ast.RangeStmt:
		return exitsOfLoop(s.Body, label, true)
	case *ast.SwitchStmt:
		return exitsOfClauses(s.Body, label, true)
	case *ast.TypeSwitchStmt:
		return exitsOfClauses(s.Body, label, true)
	case *ast.SelectStmt:
		return exitsOfClauses(s.Body, label, false)
	}
	return exits{falls: true}
}

// exitsOfLoop returns how control leaves a loop. A conditional one may end normally.
func exitsOfLoop(body *ast.BlockStmt, label string, conditional bool) exits {
	_, e := follow(body.List)
	e.removeJumps(token.CONTINUE, label)
	e.falls = e.removeJumps(token.BREAK, label) || conditional
	return e
}

// exitsOfClauses returns how control leaves a switch or select statement. Without a default,
// control may skip all clauses of a switch.
func exitsOfClauses(body *ast.BlockStmt, label string, skips bool) exits {
	var e exits
	for _, s := range body.List {
		var list []ast.Stmt
		switch c := s.(type) {
		case *ast.CaseClause:
			list, skips = c.Body, skips && c.List != nil
		case *ast.CommClause:
			list = c.Body
		}
		_, of := follow(list)
		e.add(of)
	}
	e.falls = e.removeJumps(token.BREAK, label) || e.falls || skips
	return e
}

// endsAll reports whether the program or the test ends there.
func endsAll(body []ast.Stmt) bool { return slices.ContainsFunc(body, isEnd) }

// isEnd reports whether the program or the test ends with a statement.
func isEnd(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	return ok && isLast(types.ExprString(call.Fun))
}

// isLast reports whether a call never returns, judged by its name: panic, os.Exit, and Fatal, Panic
// and the like of packages log and testing and similar ones.
func isLast(function string) bool {
	switch function {
	case "panic", "os.Exit", "runtime.Goexit":
		return true
	}
	_, method, ok := strings.Cut(function, ".")
	method = method[strings.LastIndexByte(method, '.')+1:]
	return ok && slices.ContainsFunc([]string{"Fatal", "Panic", "FailNow", "Skip"}, func(p string) bool {
		return strings.HasPrefix(method, p)
	})
}
