package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// mention is one tracked variable in one statement.
type mention struct {
	item  *item
	write bool
	// a pointer on the path was replaced, and the value that it leads to now was not read
	unread bool

	// A location that may be the item's under another name: its path from a variable.
	alias *chain
}

// root is the variable through which the item is reached.
func (m mention) root() *types.Var {
	if m.alias != nil {
		return m.alias.root
	}
	return m.item.root
}

// chain is an expression that names a location without computing anything: b.data[i].x is the path
// b, data and an index at which the path ends.
type chain struct {
	root     *types.Var
	fields   []*types.Var // path from root, embedded structs included, up to an index
	deref    bool         // the location is the target of a pointer at the end of fields: *p
	complete bool         // no index or slice follows
}

// use is the way in which a statement uses an expression.
type use int

const (
	read      use = iota
	write         // assigned to
	writeNew      // assigned the address of a new value
	address       // its address is taken, for a call or to be stored
	addrWrite     // its address is passed to a function that writes there
)

func (u use) writes() bool { return u == write || u == writeNew || u == addrWrite }

// collector gathers the mentions in the expressions of one statement.
type collector struct {
	u        *unit
	mentions []mention
	calls    bool // a call or receive is among the expressions
}

func (c *collector) add(m mention) {
	for i := range c.mentions {
		old := &c.mentions[i]
		if old.item == m.item && (old.alias == nil) == (m.alias == nil) && (m.alias == nil || old.alias.same(m.alias)) {
			old.write = old.write || m.write
			old.unread = old.unread || m.unread
			return
		}
	}
	c.mentions = append(c.mentions, m)
}

func (a *chain) same(b *chain) bool {
	return a.root == b.root && a.deref == b.deref && slices.Equal(a.fields, b.fields)
}

func (c *collector) exprs(list []ast.Expr, u use) {
	for _, e := range list {
		c.expr(e, u)
	}
}

// expr collects from an expression. Closures are statements of their own.
func (c *collector) expr(e ast.Expr, u use) {
	switch e := e.(type) {
	case nil, *ast.FuncLit, *ast.BasicLit, *ast.BadExpr:
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr:
		c.location(e, u)
	case *ast.ParenExpr:
		c.expr(e.X, u)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			c.expr(e.X, address)
		case token.ARROW:
			c.calls = true
			c.expr(e.X, read)
		default:
			c.expr(e.X, read)
		}
	case *ast.BinaryExpr:
		c.expr(e.X, read)
		c.expr(e.Y, read)
	case *ast.CallExpr:
		c.call(e)
	case *ast.CompositeLit:
		c.composite(e)
	case *ast.TypeAssertExpr:
		c.expr(e.X, read)
	case *ast.KeyValueExpr:
		c.expr(e.Key, read)
		c.expr(e.Value, read)
	case *ast.IndexListExpr: // instantiation
		c.expr(e.X, read)
	}
}

func (c *collector) composite(e *ast.CompositeLit) {
	_, isStruct := derefType(c.typeOf(e)).Underlying().(*types.Struct)
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok && isStruct {
			c.expr(kv.Value, read) // the key is the name of a field
			continue
		}
		c.expr(elt, read)
	}
}

func (c *collector) typeOf(e ast.Expr) types.Type {
	if t := c.u.pkg.Info.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

// location collects from an expression that may name a location: index expressions
// inside it are reads of their own.
func (c *collector) location(e ast.Expr, u use) {
	ch, rest := c.chain(e)
	c.exprs(rest, read)
	if ch == nil {
		return
	}
	c.addMatches(ch, u)
}

// chain reads the path of an expression. rest are the other expressions in it: indexes, or the
// operand where the path starts at a computed value.
func (c *collector) chain(e ast.Expr) (ch *chain, rest []ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
		info := c.u.pkg.Info
		if v, ok := info.Uses[e].(*types.Var); ok {
			return &chain{root: v, complete: true}, nil
		}
		if v, ok := info.Defs[e].(*types.Var); ok {
			return &chain{root: v, complete: true}, nil
		}
		return nil, nil
	case *ast.ParenExpr:
		return c.chain(e.X)
	case *ast.StarExpr:
		if tv, ok := c.u.pkg.Info.Types[e]; ok && tv.IsType() {
			return nil, nil
		}
		if ch, rest = c.chain(e.X); ch != nil && ch.complete {
			if ch.deref {
				ch.complete = false // a pointer to a pointer: the location is not followed further
			}
			ch.deref = true
		}
		return ch, rest
	case *ast.SelectorExpr:
		return c.selector(e)
	case *ast.IndexExpr:
		if tv, ok := c.u.pkg.Info.Types[e.Index]; ok && tv.IsType() {
			return nil, nil // instantiation
		}
		ch, rest = c.chain(e.X)
		rest = append(rest, e.Index)
	case *ast.SliceExpr:
		ch, rest = c.chain(e.X)
		rest = append(rest, e.Low, e.High, e.Max)
	default:
		return nil, []ast.Expr{e}
	}
	if ch != nil {
		ch.complete = false
	}
	return ch, rest
}

func (c *collector) selector(e *ast.SelectorExpr) (*chain, []ast.Expr) {
	sel := c.u.pkg.Info.Selections[e]
	if sel == nil || sel.Kind() != types.FieldVal { // a name of another package, or a method value
		if sel == nil {
			return nil, nil
		}
		return nil, []ast.Expr{e.X}
	}
	ch, rest := c.chain(e.X)
	if ch == nil || !ch.complete {
		return ch, rest
	}
	way := walkFields(sel.Recv(), sel.Index())
	if way == nil {
		ch.complete = false
		return ch, rest
	}
	ch.fields = append(ch.fields, way...)
	ch.deref = false // p.x and (*p).x are the same path
	return ch, rest
}

// call collects from a call: arguments passed by address, the receiver that a method changes, and
// the other arguments.
func (c *collector) call(e *ast.CallExpr) {
	info := c.u.pkg.Info
	if tv, ok := info.Types[e.Fun]; ok && tv.IsType() {
		c.exprs(e.Args, read)
		return
	}
	fun := ast.Unparen(e.Fun)
	if id, ok := fun.(*ast.Ident); ok {
		if b, ok := info.Uses[id].(*types.Builtin); ok {
			c.builtin(b.Name(), e.Args)
			return
		}
	}
	c.calls = true
	callee := c.callee(fun)
	atomicWrite := callee != nil && isAtomic(callee) && !strings.HasPrefix(callee.Name(), "Load")
	outside := callee != nil && callee.Pkg() != c.u.pkg.Types
	location := isAtomic(callee) && callee.Signature().Recv() == nil // the first argument is one
	if sel, ok := fun.(*ast.SelectorExpr); ok && info.Selections[sel] != nil &&
		info.Selections[sel].Kind() == types.MethodVal {
		c.receiver(sel, callee, atomicWrite)
	} else {
		c.expr(fun, read)
	}
	for i, arg := range e.Args {
		c.argument(arg, argumentUse{
			atomic: location && i == 0, atomicWrite: location && atomicWrite && i == 0,
			outside: outside && !isAtomic(callee), sorts: outside && sortsArguments(callee),
		})
	}
}

// argumentUse says how a callee may use an argument.
type argumentUse struct {
	atomic, atomicWrite bool // the location of an atomic operation
	outside             bool // another package gets it, whose statements are not seen
	sorts               bool // elements of a slice change
}

func (c *collector) argument(arg ast.Expr, how argumentUse) {
	inner := ast.Unparen(arg)
	if addr, ok := inner.(*ast.UnaryExpr); ok && addr.Op == token.AND {
		if how.atomicWrite || how.outside {
			c.expr(addr.X, addrWrite)
		} else {
			c.expr(addr.X, address)
		}
		return
	}
	if how.atomic { // a pointer variable
		c.pointee(inner, how.atomicWrite)
	}
	u := read
	if _, ok := c.typeOf(arg).Underlying().(*types.Slice); ok && how.sorts {
		u = write
	}
	c.expr(arg, u)
}

// sortsArguments reports whether a function of another package is known to change the
// elements of a slice that it gets.
func sortsArguments(callee *types.Func) bool {
	return callee.Pkg() != nil && (callee.Pkg().Path() == "sort" || callee.Pkg().Path() == "slices")
}

// builtin collects from a call of a predeclared function.
func (c *collector) builtin(name string, args []ast.Expr) {
	for i, arg := range args {
		u := read
		if i == 0 && (name == "copy" || name == "clear" || name == "delete") {
			u = write
		}
		c.expr(arg, u)
	}
}

// receiver collects from the operand of a method call.
func (c *collector) receiver(sel *ast.SelectorExpr, callee *types.Func, atomicWrite bool) {
	if callee == nil {
		c.expr(sel.X, read)
		return
	}
	recv := callee.Signature().Recv()
	_, pointerMethod := recv.Type().Underlying().(*types.Pointer)
	_, pointerOperand := c.typeOf(sel.X).Underlying().(*types.Pointer)
	switch {
	case isAtomic(callee) && pointerOperand:
		c.pointee(sel.X, atomicWrite)
		c.expr(sel.X, read)
	case pointerMethod && !pointerOperand:
		// The path to an embedded receiver counts: q.Lock() takes &q.Mutex, not &q.
		ch, rest := c.chain(sel.X)
		c.exprs(rest, read)
		if ch == nil {
			return
		}
		index := c.u.pkg.Info.Selections[sel].Index()
		if way := walkFields(c.typeOf(sel.X), index[:len(index)-1]); ch.complete && len(way) > 0 {
			ch.fields = append(ch.fields, way...)
		}
		u := address
		if atomicWrite {
			u = addrWrite
		}
		c.addMatches(ch, u)
	default:
		c.expr(sel.X, read)
	}
}

// pointee collects from an atomic operation on the target of a pointer variable.
func (c *collector) pointee(e ast.Expr, write bool) {
	if ch, _ := c.chain(e); ch != nil && ch.complete && !ch.deref {
		ch.deref = true
		u := read
		if write {
			u = addrWrite
		}
		c.addMatches(ch, u)
	}
}

func (c *collector) callee(fun ast.Expr) *types.Func {
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	fn, _ := c.u.pkg.Info.Uses[id].(*types.Func)
	return fn
}

func isAtomic(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic"
}

// addMatches adds a mention for each tracked item that the location is, contains or is part of.
func (c *collector) addMatches(ch *chain, u use) {
	for _, it := range c.u.items[ch.root] {
		if ch.deref && len(ch.fields) < len(it.fields) {
			// *p of a tracked p.x: as p by value, whose fields follow directly.
			if !pointerBetween(derefType(ch.typ()), it.fields[len(ch.fields):]) && u != address &&
				hasPrefix(it.fields, ch.fields) {
				c.add(mention{item: it, write: u.writes()})
			}
			continue
		}
		switch {
		case hasPrefix(ch.fields, it.fields):
			c.add(mention{item: it, write: u.writes()})
		case hasPrefix(it.fields, ch.fields) && ch.complete && u != address:
			c.addContained(it, ch, u)
		}
	}
	c.addAliases(ch, u)
}

// addContained adds a mention of an item that begins with the location. Where a pointer lies
// between them, reading the location is not reading the item: a handle to shared data is often
// fetched before the lock is taken. Only a statement that changes a pointer inside of a structure,
// or makes the value it points to, may also look behind it.
func (c *collector) addContained(it *item, ch *chain, u use) {
	switch {
	case !pointerBetween(ch.typ(), it.fields[len(ch.fields):]):
		c.add(mention{item: it, write: u.writes()})
	case !u.writes() || u == addrWrite:
	case it.global || len(ch.fields) > 0 || u == writeNew:
		c.add(mention{item: it, write: true})
	default:
		c.add(mention{item: it, write: true, unread: true})
	}
}

// addAliases adds mentions of package variables that the location, or one on the path to it, may be
// under another name.
func (c *collector) addAliases(ch *chain, u use) {
	for _, it := range c.u.order {
		if !it.global || it.root == ch.root || !accessible(ch.fields, c.u.pkg.Types) {
			continue
		}
		if n := len(it.fields); n > 0 {
			last := it.fields[n-1].Origin()
			for i, f := range ch.fields {
				if f.Origin() == last {
					c.add(mention{item: it, write: u.writes(),
						alias: &chain{root: ch.root, fields: ch.fields[:i+1], complete: true}})
				}
			}
		}
		if ch.deref && types.Identical(derefType(ch.typ()), it.typ()) {
			c.add(mention{item: it, write: u.writes(),
				alias: &chain{root: ch.root, fields: ch.fields, deref: true, complete: true}})
		}
	}
}

// typ is the type of the location before a final dereference.
func (ch *chain) typ() types.Type {
	if len(ch.fields) == 0 {
		return ch.root.Type()
	}
	return ch.fields[len(ch.fields)-1].Type()
}

// pointerBetween reports whether the path from a value of type t through fields follows a pointer:
// then reading the value does not read the end of the path.
func pointerBetween(t types.Type, fields []*types.Var) bool {
	for _, f := range fields {
		if _, ok := t.Underlying().(*types.Pointer); ok {
			return true
		}
		t = f.Type()
	}
	return false
}

func hasPrefix(way, prefix []*types.Var) bool {
	return len(prefix) <= len(way) && slices.EqualFunc(way[:len(prefix)], prefix,
		func(a, b *types.Var) bool { return a.Origin() == b.Origin() })
}
