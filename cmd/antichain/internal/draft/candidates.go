// Package draft proposes the first specification of a Go package. It derives candidate properties
// from the source, and keeps those that hold in a run.
package draft

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/gosource"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// kind is the meaning of a candidate. A specification begins with candidates of different kinds.
type kind uint8

const (
	exclusive     kind = iota // one goroutine at a time
	bounded                   // a number has a limit
	forGood                   // a flag stays set
	noneAfter                 // no call begins after the end
	apart                     // two functions exclude each other
	ordered                   // one ends before another begins
	childrenFirst             // children end before main returns
	inRange                   // of a variable
	finishes                  // each call returns
	kinds
)

// candidate is a possible property.
type candidate struct {
	kind    kind
	name    string
	formula string
	about   string // a sentence

	// silent is a formula that holds if the candidate is vacuous in the run: no goroutine was in
	// its functions.
	silent string

	initially bool // about the initial state
	enforced  bool // by a lock, in the source
}

// Limits for the functions of a package in candidates, since each of them makes the run larger, and
// for those in pairs.
const (
	mostFunctions = 16
	mostInPairs   = 8
)

// subject has the relevant parts of a package.
type subject struct {
	pkg       *gosource.Package
	functions []rewrite.Function // traceable, declared, not in tests
	variables []rewrite.Variable // of the package
	constants []string           // of the package, that may be limits
}

// newSubject examines a package.
func newSubject(pkg *gosource.Package) *subject {
	d := &subject{pkg: pkg}
	for _, f := range pkg.Functions() {
		decl, ok := f.Node.(*ast.FuncDecl)
		if !ok || decl.Body == nil || f.Locked != "" || d.isTest(decl.Pos()) || f.Name == "main" ||
			strings.HasPrefix(f.Name, "init.") {
			continue
		}
		d.functions = append(d.functions, f)
	}
	slices.SortStableFunc(d.functions, func(a, b rewrite.Function) int { return d.weight(b) - d.weight(a) })
	d.functions = d.functions[:min(len(d.functions), mostFunctions)]
	for _, v := range pkg.Variables() {
		if v.In != "" || v.Name() == "_" || d.isTest(v.Pos()) {
			continue
		}
		if _, isVar := v.Object.(*types.Var); isVar {
			d.variables = append(d.variables, v)
		} else if isLimit(v.Object) && len(d.constants) < mostConstants {
			d.constants = append(d.constants, v.Name())
		}
	}
	return d
}

func (d *subject) isTest(pos token.Pos) bool {
	return strings.HasSuffix(d.pkg.Fset.PositionFor(pos, false).Filename, "_test.go")
}

// weight rates the relevance of a function for concurrency.
func (d *subject) weight(f rewrite.Function) int {
	weight := 0
	if d.holdsLock(f) {
		weight += 4
	}
	if d.starts(f) {
		weight += 2
	}
	if isEnding(f.Name) {
		weight++
	}
	return weight
}

// starts reports whether a go statement starts the function.
func (d *subject) starts(f rewrite.Function) bool { return len(d.pkg.Started[gosource.PosOf(f)]) > 0 }

// holdsLock reports whether the function calls Lock and defers Unlock. Then it holds the lock until
// it returns.
func (d *subject) holdsLock(f rewrite.Function) bool {
	locks, unlocks := false, false
	for _, s := range f.Node.(*ast.FuncDecl).Body.List {
		switch s := s.(type) {
		case *ast.ExprStmt:
			locks = locks || isCallOf(s.X, "Lock")
		case *ast.DeferStmt:
			unlocks = unlocks || isCallOf(s.Call, "Unlock")
		}
	}
	return locks && unlocks
}

// isCallOf reports whether an expression is a call of a method with this name.
func isCallOf(e ast.Expr, method string) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == method
}

// ending matches names of functions after which no other call is expected.
var ending = regexp.MustCompile(`(?i)^(close|stop|shutdown|finish|drain|end|cancel|teardown)`)

// isEnding reports whether a function ends something, judged by its name.
func isEnding(name string) bool { return ending.MatchString(name[strings.LastIndexByte(name, '.')+1:]) }

// candidates returns the candidates, the best of each kind first.
func (d *subject) candidates() []candidate {
	var all []candidate
	for _, f := range d.functions {
		in, id := d.formulaName(f.Name), identifier(f.Name)
		all = append(all, candidate{
			kind: exclusive, name: "exclusive_" + id,
			formula: fmt.Sprintf("not (t1:(in.%s) and t2:(in.%s)) if t1 != t2", in, in),
			about:   fmt.Sprintf("At most one goroutine is in %s.", f.Name), silent: d.neverBoth(f.Name, f.Name),
			enforced: d.holdsLock(f),
		})
		all = append(all, candidate{
			kind: finishes, name: "finishes_" + id,
			formula: fmt.Sprintf("t:(start.%s) -> sometime t:(term.%s)", in, in),
			about:   fmt.Sprintf("Each goroutine that enters %s leaves it again.", f.Name), silent: d.neverIn(f.Name),
		})
		if d.starts(f) && d.pkg.Name == "main" {
			all = append(all, candidate{
				kind: childrenFirst, name: id + "_before_the_end",
				formula: fmt.Sprintf("not (m:(term.main) and t:(in.%s and not term.%s))", in, in),
				about:   fmt.Sprintf("When main returns, no goroutine is in %s any more.", f.Name),
				silent:  d.neverIn(f.Name),
			})
		}
		all = append(all, d.afterEnd(f)...)
	}
	return slices.Concat(all, d.pairs(), d.states())
}

// afterEnd returns candidates about a function that ends something: no other method of the same
// type begins later; for a function without a receiver, no other such function.
func (d *subject) afterEnd(f rewrite.Function) (all []candidate) {
	if !isEnding(f.Name) {
		return nil
	}
	for _, g := range d.functions {
		if g.Name == f.Name || isEnding(g.Name) || receiver(g.Name) != receiver(f.Name) {
			continue
		}
		all = append(all, candidate{
			kind: noneAfter, name: "no_" + identifier(g.Name) + "_after_" + identifier(f.Name),
			formula: fmt.Sprintf("c:(term.%s) -> not sometime t:(start.%s)", d.formulaName(f.Name),
				d.formulaName(g.Name)),
			about: fmt.Sprintf("After %s no goroutine begins %s.", f.Name, g.Name), silent: d.neverBoth(f.Name, g.Name),
		})
	}
	return all
}

// pairs returns candidates about two functions each.
func (d *subject) pairs() (all []candidate) {
	some := d.functions[:min(len(d.functions), mostInPairs)]
	for i, f := range some {
		for j, g := range some {
			if i == j {
				continue
			}
			all = append(all, candidate{
				kind: ordered, name: identifier(f.Name) + "_before_" + identifier(g.Name),
				silent: d.neverBoth(f.Name, g.Name),
				formula: fmt.Sprintf("exists f (f:(term.%s) before g:(start.%s))", d.formulaName(f.Name),
					d.formulaName(g.Name)), initially: true,
				about: fmt.Sprintf("A goroutine has left %s before any goroutine enters %s.", f.Name, g.Name),
			})
			if i < j {
				all = append(all, candidate{
					kind: apart, name: identifier(f.Name) + "_without_" + identifier(g.Name),
					silent: d.neverBoth(f.Name, g.Name),
					formula: fmt.Sprintf("not (t1:(in.%s) and t2:(in.%s)) if t1 != t2", d.formulaName(f.Name),
						d.formulaName(g.Name)),
					about:    fmt.Sprintf("While a goroutine is in %s, no other one is in %s.", f.Name, g.Name),
					enforced: d.holdsLock(f) && d.holdsLock(g) && receiver(f.Name) == receiver(g.Name),
				})
			}
		}
	}
	return all
}

// neverIn states that no goroutine is in a function.
func (d *subject) neverIn(f string) string { return fmt.Sprintf("not t:(in.%s)", d.formulaName(f)) }

// neverBoth states that no two goroutines are in two functions, one now and the other one then or
// later.
func (d *subject) neverBoth(f, g string) string {
	f, g = d.formulaName(f), d.formulaName(g)
	return fmt.Sprintf("not (t1:(in.%s) and eventually t2:(in.%s)) and not (t1:(in.%s) and eventually t2:(in.%s)) if t1 != t2", f, g, g, f)
}

func receiver(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}

var plainName = regexp.MustCompile(`^[\pL_][\pL\pN_]*(\.[\pL_][\pL\pN_]*)*$`)

func (d *subject) formulaName(name string) string {
	if plainName.MatchString(name) && !slices.Contains(spec.Keywords(), name) {
		return name
	}
	return `"` + name + `"`
}

var noWord = regexp.MustCompile(`[^\pL\pN_]+`)

// text returns the candidate as a property with this name.
func (c *candidate) text(name string) string {
	if c.initially {
		name += " initially"
	}
	return fmt.Sprintf("property %s: %s\n", name, c.formula)
}

// identifier makes a part of a property's name.
func identifier(name string) string { return strings.ToLower(noWord.ReplaceAllString(name, "_")) }
