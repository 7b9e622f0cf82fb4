package tlcheck

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/antichain-go/antichain/linearizability"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// ObjectVariable is the variable that an event binds, if it enters a function that is an operation,
// to what the function was called on. Without it all operations are on one object.
const ObjectVariable = "(object)"

// calls are the operations of a run, with the events at which they were called and have returned.
type calls struct {
	net       *san.Net
	model     string
	methods   map[string][]*compiledMethod // by function
	ops       []*linearizability.Operation
	at        []interval
	functions []string // by operation
	last      int64    // number of moments so far
	moment    map[san.Action]int64
}

// interval has the events between which an operation takes effect.
type interval struct{ call, end san.Action }

// action returns the event of a call or a return.
func (i interval) action(e linearizability.Event) san.Action {
	if e.Return {
		return i.end
	}
	return i.call
}

// compiledMethod is an operation of a specification, compiled for a net.
type compiledMethod struct {
	*spec.Method
	args   []*lsl.Valuation
	result *lsl.Valuation
	cond   *lsl.Formula
}

func (c *calls) compile(m *spec.Method, logic lsl.Logic) *compiledMethod {
	compiled := &compiledMethod{Method: m}
	for _, a := range m.Args {
		compiled.args = append(compiled.args, lsl.CompileValue(c.net, a))
	}
	if m.Result != nil {
		compiled.result = lsl.CompileValue(c.net, m.Result)
	}
	if m.If != nil {
		compiled.cond = lsl.Compile(c.net, m.If, logic)
	}
	return compiled
}

// newCalls finds the operations of a property in a run. It is an error if an argument is not known.
func newCalls(net *san.Net, l *spec.Linearizable, logic lsl.Logic) (*calls, error) {
	c := &calls{net: net, model: l.Model, methods: map[string][]*compiledMethod{}, moment: map[san.Action]int64{}}
	for _, m := range l.Methods {
		c.methods[m.Func] = append(c.methods[m.Func], c.compile(m, logic))
	}
	for a := range net.Order() {
		c.last++
		for _, side := range net.Sides(a) {
			c.moment[side] = c.last
		}
	}
	for t := range san.Task(net.Tasks()) {
		if err := c.ofTask(t); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// openCall is an operation that its task has called and not left.
type openCall struct {
	op     int
	depth  int // of the stack
	method *compiledMethod
}

// ofTask finds the operations of one task. An operation within another one on the same object is a
// part of that.
func (c *calls) ofTask(t san.Task) error {
	var open []openCall
	w := c.net.Walk(t)
	for w.Next() {
		s := w.State()
		a := san.Action{Task: t, K: int32(s.K())}
		info := c.net.Event(a)
		for len(open) > 0 && s.Depth() < open[len(open)-1].depth {
			open = open[:len(open)-1] // a panic has left it
		}
		n := len(open) - 1
		switch {
		case n >= 0 && info.Exit != "" && s.Depth() == open[n].depth:
			if err := c.leave(open[n], a, info, s); err != nil {
				return fmt.Errorf("%s at %s: %w", info.Exit, info.At, err)
			}
			open = open[:n]
		case info.Enter != "":
			for _, m := range c.methods[info.Enter] {
				if err := c.enter(&open, m, a, s); err != nil {
					return fmt.Errorf("%s at %s: %w", info.Enter, info.At, err)
				}
			}
		}
	}
	return nil
}

// enter adds an operation that is called by an event.
func (c *calls) enter(open *[]openCall, m *compiledMethod, a san.Action, s *san.State) error {
	object, err := c.objectOf(a)
	if err != nil {
		return err
	}
	for _, outer := range *open {
		if c.ops[outer.op].Object == object {
			return nil
		}
	}
	o := &linearizability.Operation{
		Object: object, Method: m.Name, Result: linearizability.Unknown, Unfinished: true,
		Call: c.moment[a], Process: c.net.Name(a.Task), At: c.net.Event(a).At,
	}
	for _, arg := range m.args {
		v, err := arg.In(s)
		if err != nil {
			return err
		}
		o.Arguments = append(o.Arguments, spec.OperationValue(v))
	}
	if err := spec.Suits(c.model, o.Arguments); err != nil {
		return err
	}
	*open = append(*open, openCall{len(c.ops), s.Depth(), m})
	c.ops, c.at = append(c.ops, o), append(c.at, interval{call: a})
	c.functions = append(c.functions, m.Func)
	return nil
}

func (c *calls) objectOf(a san.Action) (string, error) {
	local, _ := c.net.Bindings(a)
	for _, b := range local {
		if b.Name != ObjectVariable {
			continue
		}
		if k := b.Value.Kind(); k == event.Object || k == event.List {
			return "", fmt.Errorf("it is not known on which object it was called: %v", b.Value)
		}
		return b.Value.String(), nil
	}
	return "", nil
}

// leave notes that an operation has returned. One that a panic has left may have had its effect, or
// not, as one that never returns.
func (c *calls) leave(call openCall, a san.Action, info san.Info, s *san.State) (err error) {
	if info.Op == "panic" || info.Op == "goexit" {
		return nil
	}
	o := c.ops[call.op]
	o.Unfinished, o.Return, c.at[call.op].end = false, c.moment[a], a
	if m := call.method; m.result != nil {
		o.Result, err = m.resultIn(s)
	}
	return err
}

// resultIn returns the result of an operation that has just returned. It is Unknown if it was not
// recorded. It is an error if it has no value.
func (m *compiledMethod) resultIn(s *san.State) (linearizability.Value, error) {
	if m.cond != nil {
		switch m.cond.Eval(s, nil) {
		case lsl.False:
			return nil, nil
		case lsl.Undefined:
			return nil, fmt.Errorf("%s is undefined", spec.FormatLocal(m.If))
		}
	}
	v, err := m.result.In(s)
	switch {
	case errors.As(err, new(*lsl.UnrecordedError)):
		return linearizability.Unknown, nil
	case err != nil:
		return nil, err
	}
	return spec.OperationValue(v), nil
}

// before reports whether the order of the run's synchronisation has one call or return before
// another.
func (c *calls) before(a, b linearizability.Event) bool {
	x, y := c.at[a.Operation].action(a), c.at[b.Operation].action(b)
	return x != y && c.net.Precedes(x, y)
}

// nameObjects shortens the numbers of objects in reports.
func (c *calls) nameObjects() {
	number := map[string]string{}
	for _, o := range c.ops {
		if _, ok := number[o.Object]; !ok {
			number[o.Object] = strconv.Itoa(len(number) + 1)
		}
	}
	for _, o := range c.ops {
		if o.Object = number[o.Object]; len(number) == 1 {
			o.Object = ""
		}
	}
}
