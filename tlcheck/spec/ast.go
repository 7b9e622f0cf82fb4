package spec

import (
	"github.com/antichain-go/antichain/tlcheck/source"
	"github.com/antichain-go/antichain/tracer/event"
)

// Pos is a position in a specification. Formulas that a program builds have the zero Pos.
type Pos = source.Pos

// File is a parsed .tl file.
type File struct {
	Name   string
	Shared []Name // variables declared "shared": traced with value sets
	// functions declared "must_finish": their goroutines must finish before the program ends
	MustFinish []Name
	MayWait    []Name // functions declared "may_wait": their goroutines may wait for ever
	Properties []*Property
	text       string // the source, for errors that are found later
	starts     []int  // byte offsets of its declarations, after a byte order mark
}

// Property is a named formula.
type Property struct {
	Name      string // empty for a single formula
	Initially bool   // only the initial slice counts
	Formula   Formula
	Source    string // the formula as written, including comments
	File      string // the file; empty for a single formula
	Pos       Pos    // of the name, or of the formula if there is no name
	text      string // the whole file, for errors that are found later
	from, to  int    // byte offsets of its declaration, after a byte order mark
}

// Extent returns the byte offsets of the beginning and the end of the declaration in its file. A
// byte order mark does not count.
func (p *Property) Extent() (from, to int) { return p.from, p.to }

// FileOf returns a specification of a single property.
func FileOf(p *Property) *File {
	return &File{Name: p.File, Properties: []*Property{p}, text: p.text}
}

// Name is a name in a specification.
type Name struct {
	Name string
	Pos  Pos
}

// Formula is a formula of the temporal logic: *Atom, *Not, *Nary, *Implies,
// *Future, *Binary, *If or *Quant. That of a property can also be *Linearizable.
type Formula interface {
	Position() Pos // of the start; for an infix operator, its own
	formula()
}

// Atom is TIV:(Local).
type Atom struct {
	TIV   string
	Local Local
	Pos
}

// Not is the negation of X.
type Not struct {
	X Formula
	Pos
}

// NaryOp is an associative connective.
type NaryOp uint8

// The associative connectives.
const (
	And NaryOp = iota + 1
	Or
)

// Nary is Xs[0] Op Xs[1] Op …, at least two. A chain is one node, which keeps long conjunctions
// from being deep trees. In both dialects it means the same as nesting to either side.
type Nary struct {
	Op NaryOp
	Xs []Formula
	Pos
}

// Implies is L -> R, which means not L or R.
type Implies struct {
	L, R Formula
	Pos
}

// FutureOp is a temporal operator of one argument.
type FutureOp uint8

// The temporal operators of one argument. The first four exclude the present slice, the last two
// include it.
const (
	Next FutureOp = iota + 1
	AllNext
	Sometime
	Always
	Eventually
	Henceforth
)

// Universal reports whether the operator is about all later slices, and not about some.
func (o FutureOp) Universal() bool { return o == AllNext || o == Always || o == Henceforth }

// Future is Op X, or Op^K X for Next and AllNext.
type Future struct {
	Op FutureOp
	K  int // number of nested operators for Next and AllNext, at least 1; 0 for others
	X  Formula
	Pos
}

// BinaryOp is a temporal operator of two arguments.
type BinaryOp uint8

// The temporal operators of two arguments.
const (
	Until BinaryOp = iota + 1
	Before
)

// Binary is L Op R.
type Binary struct {
	Op   BinaryOp
	L, R Formula
	Pos
}

// If is X if Conds[0] and Conds[1] …, at least one.
type If struct {
	X     Formula
	Conds []Cond
	Pos
}

// Cond compares two tasks: Left == Right, Left == caller(Right), or their negations.
type Cond struct {
	Left, Right string
	Caller      bool // compare Left with the task that created Right
	Differ      bool // != instead of ==
	Pos         Pos
}

// QuantOp is a quantifier over tasks.
type QuantOp uint8

// The quantifiers.
const (
	Forall QuantOp = iota + 1
	Exists
)

// Quant is Op TIV (X). It shadows an outer task variable of the same name.
type Quant struct {
	Op  QuantOp
	TIV string
	X   Formula
	Pos
}

func (*Atom) formula()    {}
func (*Not) formula()     {}
func (*Nary) formula()    {}
func (*Implies) formula() {}
func (*Future) formula()  {}
func (*Binary) formula()  {}
func (*If) formula()      {}
func (*Quant) formula()   {}

// Operands returns the direct operands of f. The caller must not change them.
func Operands(f Formula) []Formula {
	switch f := f.(type) {
	case *Not:
		return []Formula{f.X}
	case *Nary:
		return f.Xs
	case *Implies:
		return []Formula{f.L, f.R}
	case *Future:
		return []Formula{f.X}
	case *Binary:
		return []Formula{f.L, f.R}
	case *If:
		return []Formula{f.X}
	case *Quant:
		return []Formula{f.X}
	}
	return nil
}

// Local is a formula of the local state logic: *Predicate, *Test, *LocalNot,
// *LocalNary or *LocalImplies.
type Local interface {
	Position() Pos // of the start; for an infix operator, its own
	local()
}

// Phase is the stage of a function's execution in a frame.
type Phase uint8

// The phases of predicates. AnyPhase is "in.f": some frame of f is on the stack.
const (
	AnyPhase Phase = iota + 1
	StartPhase
	TermPhase
)

// Predicate is in.Func, start.Func or term.Func.
type Predicate struct {
	Phase Phase
	Func  string
	Pos
}

// Test is a boolean expression.
type Test struct {
	X Expr
}

// LocalNot is the negation of X.
type LocalNot struct {
	X Local
	Pos
}

// LocalNary is Xs[0] Op Xs[1] Op …, at least two.
type LocalNary struct {
	Op NaryOp
	Xs []Local
	Pos
}

// LocalImplies is L -> R.
type LocalImplies struct {
	L, R Local
	Pos
}

// Position returns the position of the expression.
func (l *Test) Position() Pos { return l.X.Position() }

func (*Predicate) local()    {}
func (*Test) local()         {}
func (*LocalNot) local()     {}
func (*LocalNary) local()    {}
func (*LocalImplies) local() {}

// Expr is an expression over program variables: *Var, *Literal, *Negate, *Operation,
// *Call, *Index or *Field.
type Expr interface {
	Position() Pos // of the start; for an infix operator, an index or a field, its own
	expr()
}

// Var is a dotted name as written. The variables visible in a local state determine which part of
// it is a variable, and which are fields of its value.
type Var struct {
	Path []string
	Pos
}

// Literal is a number, string, true, false or null.
type Literal struct {
	Value event.Value
	Pos
}

// Negate is -X.
type Negate struct {
	X Expr
	Pos
}

// Operator is an infix operator of expressions.
type Operator uint8

// The infix operators, by precedence: comparisons, additive, multiplicative.
const (
	Equal Operator = iota + 1
	NotEqual
	Less
	LessEqual
	Greater
	GreaterEqual
	Add
	Sub
	Mul
	Div
	Mod
)

// Operation is L Op R.
type Operation struct {
	Op   Operator
	L, R Expr
	Pos
}

// Call is a call of a built-in function with the right number of arguments. The argument of Prev
// has a variable, and no other call of Prev.
type Call struct {
	Func string
	Args []Expr
	Pos
}

// Index is X[I].
type Index struct {
	X, I Expr
	Pos
}

// Field is X.Name if X is not a plain name, as in list[0].next.
type Field struct {
	X    Expr
	Name string
	Pos
}

func (*Var) expr()       {}
func (*Literal) expr()   {}
func (*Negate) expr()    {}
func (*Operation) expr() {}
func (*Call) expr()      {}
func (*Index) expr()     {}
func (*Field) expr()     {}

// Error is a mistake in a specification.
type Error = source.Error

// Place returns a position in the property as "file:line:column", or "line:column" if it was not
// read from a file. The zero Pos is the beginning.
func (p *Property) Place(pos Pos) string {
	return source.Place(p.File, max(pos.Line, 1), max(pos.Col, 1))
}

// Excerpt returns the line of a position with a caret below it, as errors show it; "" for the zero
// Pos.
func (f *File) Excerpt(pos Pos) string {
	if pos.Line < 1 {
		return ""
	}
	return source.Excerpt(source.Line(f.text, pos.Line), pos.Col)
}
