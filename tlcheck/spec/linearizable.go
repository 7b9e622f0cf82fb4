package spec

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/linearizability"
	"github.com/antichain-go/antichain/tlcheck/source"
	"github.com/antichain-go/antichain/tracer/event"
)

// Linearizable says that the operations of an object can be explained by a sequential model. It is
// the whole formula of a property.
type Linearizable struct {
	Model   string
	First   Expr // the value with which an object begins; nil for that of the model
	Methods []*Method
	Pos
}

// Method says which function is an operation: "operation Func(Args) -> Result if If as Name".
type Method struct {
	Func   string
	Name   string // that of the model's method
	Args   []Expr // over the parameters, when the function is entered
	Result Expr   // over parameters and results, when it is left; nil if it does not matter
	If     Local  // the operation returns nil where this is false; nil if it always returns Result
	Pos
}

func (*Linearizable) formula() {}

// Parameters returns the variables in the arguments of an operation.
func (m *Method) Parameters() []Name { return variablesIn(m.Args) }

// Results returns the variables in the result of an operation.
func (m *Method) Results() []Name {
	var all []Expr
	if m.Result != nil {
		all = append(all, m.Result)
	}
	if m.If != nil {
		all = append(all, Exprs(m.If)...)
	}
	return variablesIn(all)
}

func variablesIn(exprs []Expr) []Name {
	var ns nameList
	c := collector{onExpr: ns.addVariable}
	for _, e := range exprs {
		c.expr(e)
	}
	return ns.names
}

const (
	linearizableWord = "linearizable"
	operationWord    = "operation"
)

func (p *parser) linearizable() *Linearizable {
	l := &Linearizable{Pos: p.tok.pos}
	p.advance()
	model := p.plainName("the name of a model", false)
	if l.Model = model.Name; !slices.Contains(linearizability.Names(), l.Model) {
		hint := "there are " + strings.Join(linearizability.Names(), ", ")
		if c := source.Closest(l.Model, linearizability.Names()); c != "" {
			hint = "did you mean " + c + "? " + hint
		}
		p.failAt(model.Pos, "unknown model "+source.Short(l.Model), "", hint)
	}
	if p.accept("from") {
		at := p.tok.pos
		l.First = p.expression()
		if _, ok := l.First.(*Literal); !ok {
			p.failAt(at, "no constant after from", "the value with which an object begins", "")
		}
		if _, err := ModelOf(l); err != nil {
			p.failAt(at, err.Error(), "", "")
		}
	}
	for p.tok.is(operationWord) {
		m := p.method()
		if err := l.admits(m); err != nil {
			p.failAt(m.Pos, err.Error(), "", "")
		}
		l.Methods = append(l.Methods, m)
	}
	if len(l.Methods) == 0 {
		p.unexpected(`"operation FUNCTION(ARGUMENTS)"`)
	}
	return l
}

// admits returns an error if the model has no such method, or the function is an operation already.
func (l *Linearizable) admits(m *Method) error {
	if slices.ContainsFunc(l.Methods, func(x *Method) bool { return x.Func == m.Func }) {
		return fmt.Errorf("%s is an operation of the property already", source.Short(m.Func))
	}
	model, err := ModelOf(l)
	if err != nil {
		return err
	}
	o := &linearizability.Operation{Method: m.Name, Arguments: make([]linearizability.Value, len(m.Args))}
	return model.(linearizability.Validating).Validate(o)
}

func (p *parser) method() *Method {
	p.advance()
	m := &Method{Pos: p.tok.pos}
	t := p.tok
	if name, err := strconv.Unquote(t.text); t.kind == tokString && err == nil && name != "" {
		t = token{kind: tokName, quoted: true, parts: []string{name}, pos: t.pos}
	}
	if t.kind != tokName || strings.HasSuffix(t.text, "'") {
		p.unexpected("the name of a function")
	}
	m.Func = strings.Join(t.parts, ".")
	m.Name = lastPart(m.Func)
	p.advance()
	p.expect("(", "after the name of the operation")
	for !p.tok.is(")") {
		m.Args = append(m.Args, nested(p, p.expression))
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", "after the arguments of "+source.Short(m.Func))
	if p.accept("->") {
		m.Result = p.expression()
		if p.accept("if") {
			m.If = p.local()
		}
	}
	if p.accept("as") {
		m.Name = p.plainName("the name of a method of the model", false).Name
	}
	return m
}

func (p *printer) linearizable(l *Linearizable) {
	p.put(linearizableWord, " ", l.Model)
	if l.First != nil {
		p.put(" from ")
		p.expr(l.First, levelFormula)
	}
	for _, m := range l.Methods {
		p.put(" ", operationWord, " ", functionName(m.Func), "(")
		for i, a := range m.Args {
			if i > 0 {
				p.put(", ")
			}
			p.expr(a, levelFormula)
		}
		p.put(")")
		if m.Result != nil {
			p.put(" -> ")
			p.expr(m.Result, levelFormula)
		}
		if m.If != nil {
			p.put(" if ")
			p.local(m.If, levelFormula)
		}
		if m.Name != lastPart(m.Func) {
			p.put(" as ", m.Name)
		}
	}
}

// OperationsOf returns the operations that a formula declares.
func OperationsOf(f Formula) []*Method {
	if l, ok := f.(*Linearizable); ok {
		return l.Methods
	}
	return nil
}

// ModelOf returns the model of a formula. It is an error if the model cannot begin with First.
func ModelOf(l *Linearizable) (linearizability.Model, error) {
	if l.First == nil {
		model, _ := linearizability.Named(l.Model)
		return model, nil
	}
	model, ok := linearizability.NamedFrom(l.Model, OperationValue(l.First.(*Literal).Value))
	if !ok {
		return nil, fmt.Errorf("a %s does not begin with %s", l.Model, FormatExpr(l.First))
	}
	return model, nil
}

// OperationValue returns a value of a trace as an argument or result of an operation.
func OperationValue(v event.Value) linearizability.Value {
	switch v.Kind() {
	case event.Null:
		return nil
	case event.Bool:
		return v.Bool()
	case event.Int:
		return v.Int()
	case event.Uint:
		return v.Uint()
	case event.Float:
		if !math.IsNaN(v.Float()) { // which no value is equal to
			return v.Float()
		}
	case event.String:
		return v.Str()
	}
	if n, ok := v.Field("pointer"); ok && len(v.Fields()) == 1 {
		return composite("pointer " + n.String())
	}
	return composite(v.String())
}

// maxAdded bounds what is added to a counter: more may be a negative number of a type without sign.
const maxAdded = math.MaxInt32

// Suits returns an error if a model cannot have these arguments. A map, queue or stack takes nil
// for none, and a counter adds integers that do not wrap around.
func Suits(model string, arguments []linearizability.Value) error {
	for _, a := range arguments {
		n, isInt := a.(int64)
		switch {
		case a == nil && (model == "map" || model == "queue" || model == "stack"):
			return fmt.Errorf("an argument is nil, which a %s takes for none", model)
		case model == "counter" && !isInt:
			return fmt.Errorf("a counter cannot add %v, which is no integer", a)
		case model == "counter" && max(n, -n) > maxAdded:
			return fmt.Errorf("a counter cannot add %d: in a type of 32 bits it may wrap around", n)
		}
	}
	return nil
}

// composite is a list or an object, as a text. No string is equal to it.
type composite string
