package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// walker rewrites the functions of one file.
type walker struct {
	u     *unit
	t     *tables
	edits *edits
	text  text
	fn    *function
	steps bool // every statement of fn gets a record
	test  bool // the file is a test file
	used  bool // something of the agent is used
}

// function rewrites one function; closures in it are functions of their own.
func (w *walker) function(fn *function) {
	if fn.body == nil {
		return
	}
	w.fn = fn
	w.steps = w.t.anySteps(fn)
	if len(fn.traced) > 0 {
		w.enterExit(fn)
	}
	if fn.locked == "" {
		w.block(fn.body.List)
	}
}

// enterExit makes a function record its entry and exit. The deferred call is the first to be
// deferred, so it runs last and sees the final results.
func (w *walker) enterExit(fn *function) {
	params := w.fieldValues(fn.recv, fn.typ.Params)
	results := w.fieldValues(fn.typ.Results)
	p := w.text.prefix

	var parts []string
	for _, v := range params {
		parts = append(parts, w.text.appendStatement(v.item.path(), v.item.typ()))
	}
	entry, more := w.operationEntry(fn)
	returned, addresses := w.operationExit(fn)
	enter := w.t.enterExit("enter", fn, append(params, entry...))
	exit := w.t.enterExit("exit", fn, slices.Concat(results, returned))
	entered, left := "Entered", "Exit("+itoa(exit)
	if fn.operation != nil {
		entered, left = "Called", fmt.Sprintf("ExitOperation(%d, %d", exit, len(results))
	}
	var b strings.Builder
	b.WriteString(" var " + p + "_f " + p + ".Frame; ")
	b.WriteString(w.text.record("Enter", enter, append(parts, more...), p+"_f = "+p+"_r."+entered+"()"))
	b.WriteString("; defer " + p + "_f." + left)
	for _, v := range results {
		b.WriteString(", &" + v.item.path().String())
	}
	b.WriteString(strings.Join(addresses, "") + ");")
	w.insert(fn.body.Lbrace+1, b.String())
}

// fieldValues lists the tracked items that parameters or results contain by value: a call or a
// return does not read the target of a pointer.
func (w *walker) fieldValues(lists ...*ast.FieldList) []value {
	var values []value
	for _, list := range lists {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				v, ok := w.u.pkg.Info.Defs[name].(*types.Var)
				if !ok {
					continue
				}
				for _, it := range w.u.items[v] {
					if !pointerBetween(v.Type(), it.fields) {
						values = append(values, value{item: it})
					}
				}
			}
		}
	}
	return values
}

func (w *walker) insert(pos token.Pos, text string) {
	w.edits.insert(pos, text)
	w.used = true
}

// A place is where a record is inserted: after a statement, or before one.
type place struct {
	pos   token.Pos    // of the insertion
	scope *types.Scope // around it
	as    token.Pos    // declarations up to here are visible
	form  string       // "%" stands for the record
}

func (w *walker) scopeAt(pos token.Pos) *types.Scope {
	return w.u.pkg.Types.Scope().Innermost(pos)
}

// placeAfter returns the place after a statement. The scope is looked up at the beginning of the
// statement: the end of a case clause is outside of its scope.
func (w *walker) placeAfter(s ast.Stmt) place {
	return place{s.End(), w.scopeAt(s.Pos()), s.End(), "; %"}
}

// afterLoop is the place after a loop, where its own variables are out of scope.
func (w *walker) afterLoop(s ast.Stmt) place {
	at := w.placeAfter(s)
	if scope := w.u.pkg.Info.Scopes[s]; scope != nil {
		at.scope = scope.Parent()
	}
	return at
}

func (w *walker) before(s ast.Stmt) place {
	return place{s.Pos(), w.scopeAt(s.Pos()), s.Pos(), "%; "}
}

// inside is the start of a body whose opening token is at open.
func (w *walker) inside(open token.Pos) place {
	return place{open + 1, w.scopeAt(open), open, " %;"}
}

// record inserts the record of the mentions of statement s in c.
func (w *walker) record(at place, s ast.Node, c *collector) {
	groups := w.groups(c.mentions, at)
	if len(groups) == 0 && !w.steps {
		return
	}
	values := make([]value, len(groups))
	var parts []string
	for i, g := range groups {
		values[i] = value{item: g.item, write: g.write}
		switch {
		case g.unread:
			parts = append(parts, w.text.unread())
		case g.aliases != nil:
			parts = append(parts, w.text.aliasPart(g.aliases, g.item))
		default:
			parts = append(parts, w.text.appendStatement(g.item.path(), g.item.typ()))
		}
	}
	id, wanted := w.t.stmt(w.fn, s.Pos(), values)
	if !wanted {
		return
	}
	begin := "Stmt"
	if w.steps {
		begin = "Step" // sent even if it has no value
	}
	w.insert(at.pos, strings.Replace(at.form, "%", w.text.record(begin, id, parts, w.text.end()), 1))
}

// group is all mentions of one item in a statement: it has one value in the record.
type group struct {
	item    *item
	write   bool
	unread  bool
	aliases []*chain // paths that may lead to it; nil if the item itself is mentioned
}

// groups folds the mentions that are visible at a place. A mention under the item's own name
// makes aliases superfluous, unless only those write: then a shared variable is written
// only if the addresses agree.
func (w *walker) groups(mentions []mention, at place) []group {
	var list []group
	for _, m := range mentions {
		if !visible(m, at) || m.alias != nil && !w.test && w.u.inTest(m.item) {
			continue
		}
		i := slices.IndexFunc(list, func(g group) bool { return g.item == m.item })
		if i < 0 {
			list = append(list, group{item: m.item, write: m.write, unread: m.unread, aliases: m.ways()})
			continue
		}
		g := &list[i]
		switch {
		case m.write == g.write || !m.item.anyShared():
			g.write = g.write || m.write
			g.unread = g.unread || m.unread // the old value is invalid, whatever the other mentions
			if m.alias == nil || g.aliases == nil {
				g.aliases = nil
			} else {
				g.aliases = append(g.aliases, m.alias)
			}
		case m.write:
			*g = group{item: m.item, write: true, aliases: m.ways()}
		}
	}
	return list
}

func (m mention) ways() []*chain {
	if m.alias == nil {
		return nil
	}
	return []*chain{m.alias}
}

func (it *item) anyShared() bool {
	for _, b := range it.names {
		if b.shared {
			return true
		}
	}
	return false
}

// visible reports whether the name of a mention's variable means it at a place.
func visible(m mention, at place) bool {
	if at.scope == nil {
		return false
	}
	root := m.root()
	_, obj := at.scope.LookupParent(root.Name(), at.as)
	return obj == root
}

func (w *walker) collect() *collector { return &collector{u: w.u} }

func (w *walker) block(list []ast.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *walker) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		w.block(s.List)
	case *ast.LabeledStmt:
		w.stmt(s.Stmt)
	case *ast.IfStmt:
		w.ifStmt(s, w.collect())
	case *ast.ForStmt:
		w.forStmt(s)
	case *ast.RangeStmt:
		w.rangeStmt(s)
	case *ast.SwitchStmt:
		w.switchStmt(s)
	case *ast.TypeSwitchStmt:
		w.typeSwitch(s)
	case *ast.SelectStmt:
		w.selectStmt(s)
	case *ast.EmptyStmt, nil:
	default:
		c := w.collect()
		c.simple(s)
		at := w.placeAfter(s)
		if nothingFollows(s, c, w.u.pkg.Info) {
			at = w.before(s)
		}
		w.record(at, s, c)
	}
}

// nothingFollows reports whether the record of a statement stands before it: because
// control does not pass its end, or because it hands values to another goroutine.
func nothingFollows(s ast.Stmt, c *collector, info *types.Info) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	case *ast.SendStmt:
		return !c.calls
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := info.Uses[id].(*types.Builtin)
		return ok && b.Name() == "panic"
	}
	return false
}

// simple collects from a statement that contains no other.
func (c *collector) simple(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		c.expr(s.X, read)
	case *ast.SendStmt:
		c.expr(s.Chan, read)
		c.expr(s.Value, read)
	case *ast.IncDecStmt:
		c.expr(s.X, write)
	case *ast.AssignStmt:
		c.exprs(s.Rhs, read)
		c.collectAssigned(s.Lhs, s.Rhs)
	case *ast.GoStmt:
		c.expr(s.Call, read)
	case *ast.DeferStmt:
		c.expr(s.Call, read)
	case *ast.ReturnStmt:
		c.exprs(s.Results, read)
	case *ast.DeclStmt:
		c.declaration(s.Decl)
	}
}

// collectAssigned collects from the left side of an assignment.
func (c *collector) collectAssigned(left, right []ast.Expr) {
	for i, l := range left {
		u := write
		if len(left) == len(right) && makesNew(right[i]) {
			u = writeNew
		}
		c.expr(l, u)
	}
}

// makesNew reports whether an expression is the address of a new value.
func makesNew(e ast.Expr) bool {
	addr, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || addr.Op != token.AND {
		return false
	}
	_, ok = ast.Unparen(addr.X).(*ast.CompositeLit)
	return ok
}

func (c *collector) declaration(d ast.Decl) {
	decl, ok := d.(*ast.GenDecl)
	if !ok || decl.Tok != token.VAR {
		return
	}
	for _, spec := range decl.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok {
			c.exprs(v.Values, read)
			names := make([]ast.Expr, len(v.Names))
			for i, name := range v.Names {
				names[i] = name
			}
			c.collectAssigned(names, v.Values)
		}
	}
}

// ifStmt records the head at the start of each branch; head already holds the mentions in the init
// statements of the ifs before it in an else-if chain.
func (w *walker) ifStmt(s *ast.IfStmt, head *collector) {
	head.simple(s.Init)
	head.expr(s.Cond, read)
	w.record(w.inside(s.Body.Lbrace), s, head)
	w.block(s.Body.List)
	switch e := s.Else.(type) {
	case nil:
		w.record(place{s.Body.End(), w.scopeAt(s.Body.Lbrace), s.Body.Lbrace, " else { % }"}, s, head)
	case *ast.BlockStmt:
		w.record(w.inside(e.Lbrace), s, head)
		w.block(e.List)
	case *ast.IfStmt:
		// else { record; if … }: the condition that follows is evaluated after the record.
		if at := len(w.edits.list); w.recordIfNeeded(place{e.Pos(), w.scopeAt(e.Pos()), e.Pos(), "{ %; "}, s, head) {
			w.ifStmt(e, w.collect())
			w.insert(e.End(), " }")
		} else {
			w.edits.list = w.edits.list[:at]
			w.ifStmt(e, w.collect())
		}
	}
}

// recordIfNeeded is record, and reports whether it inserted anything.
func (w *walker) recordIfNeeded(at place, s ast.Node, c *collector) bool {
	n := len(w.edits.list)
	w.record(at, s, c)
	return len(w.edits.list) > n
}

// forStmt records the head at the start of each round, and after the loop its variables that are
// still visible there. The latter also happens after a break: one more record, of values that the
// loop has read before.
func (w *walker) forStmt(s *ast.ForStmt) {
	head := w.collect()
	head.simple(s.Init)
	head.expr(s.Cond, read)
	head.simple(s.Post)
	w.record(w.inside(s.Body.Lbrace), s, head)
	w.block(s.Body.List)
	if s.Cond != nil { // without a condition nothing can follow the loop
		w.record(w.afterLoop(s), s, head)
	}
}

func (w *walker) rangeStmt(s *ast.RangeStmt) {
	head := w.collect()
	head.expr(s.X, read)
	head.expr(s.Key, write)
	head.expr(s.Value, write)
	w.record(w.inside(s.Body.Lbrace), s, head)
	w.block(s.Body.List)
	w.record(w.afterLoop(s), s, head)
}

func (w *walker) switchStmt(s *ast.SwitchStmt) {
	head := w.collect()
	head.simple(s.Init)
	head.expr(s.Tag, read)
	for _, clause := range s.Body.List {
		head.exprs(clause.(*ast.CaseClause).List, read)
	}
	w.clauses(s, s.Body, func(*ast.CaseClause) *collector { return head })
}

func (w *walker) typeSwitch(s *ast.TypeSwitchStmt) {
	w.clauses(s, s.Body, func(clause *ast.CaseClause) *collector {
		head := w.collect()
		head.simple(s.Init)
		head.simple(s.Assign)
		if clause == nil {
			head.forget(boundName(s))
		} else if v, ok := w.u.pkg.Info.Implicits[clause].(*types.Var); ok {
			head.addMatches(&chain{root: v, complete: true}, write)
		}
		return head
	})
}

// boundName returns the name that a type switch binds in every clause, also if the type checker has
// not seen the clause.
func boundName(s *ast.TypeSwitchStmt) string {
	if a, ok := s.Assign.(*ast.AssignStmt); ok && len(a.Lhs) == 1 {
		if id, ok := a.Lhs[0].(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}

// forget drops the mentions under a name.
func (c *collector) forget(name string) {
	c.mentions = slices.DeleteFunc(c.mentions, func(m mention) bool { return m.root().Name() == name })
}

// clauses records the head of a switch at the start of each clause, and in an added empty default
// clause if there is none.
func (w *walker) clauses(s ast.Node, body *ast.BlockStmt, head func(*ast.CaseClause) *collector) {
	hasDefault := false
	for _, stmt := range body.List {
		clause := stmt.(*ast.CaseClause)
		hasDefault = hasDefault || clause.List == nil
		w.record(w.inside(clause.Colon), s, head(clause))
		w.block(clause.Body)
	}
	if !hasDefault {
		separator := ";"
		if len(body.List) == 0 {
			separator = ""
		}
		w.record(place{body.Rbrace, w.scopeAt(body.Lbrace), body.Lbrace, separator + "default: %; "}, s, head(nil))
	}
}

func (w *walker) selectStmt(s *ast.SelectStmt) {
	for _, stmt := range s.Body.List {
		clause := stmt.(*ast.CommClause)
		head := w.collect()
		head.simple(clause.Comm)
		w.record(w.inside(clause.Colon), clause, head)
		w.block(clause.Body)
	}
}
