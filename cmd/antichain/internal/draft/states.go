package draft

import (
	"fmt"
	"go/constant"
	"go/types"
)

// Limits for the expressions and constants of candidates about the program's state, since each pair
// of them is one.
const (
	mostExpressions = 8
	mostConstants   = 4
)

// value is an expression that candidates are about: a variable of the package, or a field of one.
type value struct {
	name string
	info types.BasicInfo
}

func (v value) isNumber() bool { return v.info&(types.IsInteger|types.IsFloat) != 0 }
func (v value) isSigned() bool { return v.isNumber() && v.info&types.IsUnsigned == 0 }

// valuesOf returns the numbers and booleans that a variable holds, itself or in its fields.
func valuesOf(name string, t types.Type) (all []value) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		if v := (value{name, t.Info()}); v.isNumber() || t.Info()&types.IsBoolean != 0 {
			all = append(all, v)
		}
	case *types.Struct:
		for f := range t.Fields() {
			if b, ok := f.Type().Underlying().(*types.Basic); ok && f.Name() != "_" {
				all = append(all, valuesOf(name+"."+f.Name(), b)...)
			}
		}
	}
	return all
}

// states returns candidates about the values of the package's variables, as goroutines see them.
func (d *subject) states() (all []candidate) {
	var values []value
	for _, v := range d.variables {
		values = append(values, valuesOf(v.Name(), v.Type())...)
	}
	values = values[:min(len(values), mostExpressions)]
	for _, v := range values {
		switch {
		case !v.isNumber():
			all = append(all, candidate{
				kind: forGood, name: identifier(v.name) + "_for_good",
				formula: fmt.Sprintf("t:(%s == true) -> not sometime t:(%[1]s == false)", v.name),
				about:   fmt.Sprintf("Once %s is true, it stays true.", v.name),
				silent:  fmt.Sprintf("t:(%s == false)", v.name),
			})
			continue
		case v.isSigned():
			all = append(all, candidate{
				kind: inRange, name: identifier(v.name) + "_in_range", formula: fmt.Sprintf("t:(%s >= 0)", v.name),
				about: fmt.Sprintf("No goroutine sees a negative %s.", v.name),
			})
		}
		all = append(all, d.limits(v, values)...)
	}
	return all
}

// limits returns candidates that a number never exceeds a constant, which it reaches, or another
// number.
func (d *subject) limits(v value, values []value) (all []candidate) {
	atMost := func(limit, silent string) {
		all = append(all, candidate{
			kind: bounded, name: identifier(v.name) + "_at_most_" + identifier(limit),
			formula: fmt.Sprintf("t:(%s <= %s)", v.name, limit),
			about:   fmt.Sprintf("No goroutine sees %s above %s.", v.name, limit), silent: silent,
		})
	}
	for _, c := range d.constants {
		atMost(c, fmt.Sprintf("t:(%s < %s)", v.name, c))
	}
	for _, w := range values {
		if w.isNumber() && w.name != v.name {
			atMost(w.name, fmt.Sprintf("t:(%s == %s)", v.name, w.name))
		}
	}
	return all
}

// isLimit reports whether an object is an integer constant above zero, which may be a limit.
func isLimit(o types.Object) bool {
	c, ok := o.(*types.Const)
	return ok && c.Val().Kind() == constant.Int && constant.Sign(c.Val()) > 0
}
