package gcl

import "github.com/antichain-go/antichain/tlcheck/source"

// Pos is a position in a program.
type Pos = source.Pos

// File is a parsed program.
type File struct {
	Name  string
	Items []Item
	text  string // the source, for errors that are found later
}

// Item is a part of a file: *Param, *Declare, *InitialValue, *Output or *Process. A process may
// contain all of them except *Param and *Process.
type Item interface{ item() }

// Param is a constant that the caller can set.
type Param struct {
	Name  string
	Value Expr
	Pos   Pos
}

// Declare gives variables their range.
type Declare struct {
	Names     []*Name
	Low, High Expr
}

// InitialValue gives a variable its first value.
type InitialValue struct {
	Var   *Name
	Value Expr
}

// Output declares variables that are written and never read.
type Output struct{ Names []*Name }

// Process is a process, or one for each value of a variable.
type Process struct {
	Each      *IndexRange // nil for a single process
	Name      *Name
	Variables []Item
	Body      Statement  // nil if there are commands
	Commands  []*Command // empty if there is a body
}

// IndexRange is "for Var in Low..High".
type IndexRange struct {
	Var       string
	Low, High Expr
	Pos       Pos
}

// Command is a label with its alternatives, or one such command for each value of a variable.
type Command struct {
	Each         *IndexRange // nil for a single command
	Label        *Name
	Alternatives []*Alternative
}

// Alternative is one choice at a label. Only its last step may be a *Goto.
type Alternative struct {
	Guard Expr // nil if there is none
	Steps []Step
	Pos   Pos
}

// Statement is structured: *Block, *While, *If, *Wait, *Atomic.
type Statement interface{ statement() }

// Block is "begin … end".
type Block struct{ List []Statement }

// While is "while Cond do Body".
type While struct {
	Cond Expr
	Body Statement
	Pos  Pos
}

// If is "if Cond then Then else Else".
type If struct {
	Cond Expr
	Then Statement
	Else Statement // nil if there is none
	Pos  Pos
}

// Wait waits while Cond is true.
type Wait struct {
	Cond Expr
	Pos  Pos
}

// Atomic is one or more steps that happen at once.
type Atomic struct {
	Steps []Step
	Pos   Pos
}

// Step changes variables or the location of a process: *Assign, *Exchange, *Skip or *Goto.
type Step interface{ step() }

// Assign is "Var := Value".
type Assign struct {
	Var   *Name
	Value Expr
}

// Exchange is "Left :=: Right".
type Exchange struct{ Left, Right *Name }

type Skip struct{ Pos Pos }

type Goto struct{ Label *Name }

// Expr is a number or a condition: *Number, *Bool, *Name, *Unary or *Binary.
type Expr interface{ position() Pos }

// Number is a number that is not negative.
type Number struct {
	Value int64
	Pos   Pos
}

// Bool is true or false.
type Bool struct {
	Value bool
	Pos   Pos
}

// Name is a variable, a parameter, a label or a process, with an index or without.
type Name struct {
	Name  string
	Index Expr // nil if there is none
	Pos   Pos
}

// Unary is Op X.
type Unary struct {
	Op  Op // Not or Minus
	X   Expr
	Pos Pos
}

// Binary is L Op R.
type Binary struct {
	Op   Op
	L, R Expr
	Pos  Pos // position of the operator
}

// Op is an operator.
type Op uint8

// The operators.
const (
	Or Op = iota + 1
	And
	Not
	Equal
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
	Minus
)

var opNames = [...]string{Or: "or", And: "and", Not: "not", Equal: "=", NotEqual: "/=", Less: "<", LessEqual: "<=",
	Greater:      ">",
	GreaterEqual: ">=", Add: "+", Sub: "-", Mul: "*", Div: "/", Mod: "%", Minus: "-"}

func (o Op) String() string { return opNames[o] }

func (*Param) item()        {}
func (*Declare) item()      {}
func (*InitialValue) item() {}
func (*Output) item()       {}
func (*Process) item()      {}

func (*Block) statement()  {}
func (*While) statement()  {}
func (*If) statement()     {}
func (*Wait) statement()   {}
func (*Atomic) statement() {}

func (*Assign) step()   {}
func (*Exchange) step() {}
func (*Skip) step()     {}
func (*Goto) step()     {}

func (e *Number) position() Pos { return e.Pos }
func (e *Bool) position() Pos   { return e.Pos }
func (e *Name) position() Pos   { return e.Pos }
func (e *Unary) position() Pos  { return e.Pos }
func (e *Binary) position() Pos { return e.Pos }
