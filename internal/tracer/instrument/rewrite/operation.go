package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// Operation is a function whose calls have arguments and a result: see package spec.
type Operation struct {
	Function  Name
	Property  string // that it belongs to: the operations of one are called on the same objects
	Arguments []Name // of the parameters that they name
	Results   []Name // of the parameters and results that the result names
}

// ObjectName is the name, in events, of what a method was called on.
const ObjectName = "(object)"

// operation is what the entry and the exit of a function record besides, for some specification.
type operation struct {
	specs  map[int]bool     // whose operation it is
	object map[int]string   // by spec: ObjectName
	params []operationValue // by parameter
	result []operationValue
}

// operationValue is a parameter or result, and its name in the specifications that want it.
type operationValue struct {
	obj   *types.Var
	names map[int]string
}

// operations resolves the operations of a specification.
func (r *resolver) operations(i int) {
	owner := map[string]*function{} // by property, the first one
	for _, o := range r.specs[i].Operations {
		fn := r.named[i][o.Function.Text]
		if fn == nil {
			continue // an error was reported
		}
		if err := fn.wants(i, o); err != nil {
			r.fail(err)
			continue
		}
		first, ok := owner[o.Property]
		if !ok {
			owner[o.Property] = fn
		} else if first.receiver() != fn.receiver() || first.pkg != fn.pkg {
			r.fail(errorAt(o.Function, nil, "%s is not called on the same objects as %s: the operations of a "+
				"property are methods of one type, or functions of one package", fn.name, first.name))
		}
	}
}

// receiver returns the name of the type that a method belongs to, "" for a function.
func (fn *function) receiver() string {
	if fn.recv == nil || len(fn.recv.List) == 0 {
		return ""
	}
	return receiverName(fn.recv.List[0].Type)
}

// wants has a function record what an operation needs.
func (fn *function) wants(i int, o Operation) error {
	if fn.operation == nil {
		fn.operation = &operation{specs: map[int]bool{}, object: map[int]string{}}
	}
	fn.operation.specs[i] = true
	if fn.receiver() != "" {
		if t := fn.pkg.Info.TypeOf(fn.recv.List[0].Type); !isReference(t) {
			return errorAt(o.Function, nil, "%s is called on a copy of a value of type %s, which does not show "+
				"on which object: only methods of pointers, channels and maps can be operations",
				fn.name, fn.receiver())
		}
		fn.operation.object[i] = ObjectName
	}
	params, results := fn.variables(fn.typ.Params, ""), fn.variables(fn.typ.Results, resultName)
	for _, n := range o.Arguments {
		if err := fn.find(i, n, &fn.operation.params, params); err != nil {
			return err
		}
	}
	for _, n := range o.Results {
		if fn.find(i, n, &fn.operation.result, results) == nil {
			continue
		}
		if err := fn.find(i, n, &fn.operation.params, params); err != nil {
			return errorAt(n, append(nameList(results), nameList(params)...),
				"%s has no parameter or result %s", fn.name, n.Text)
		}
	}
	return nil
}

func isReference(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map:
		return true
	}
	return false
}

// resultName is what a specification calls the only result of a function, if it has no name; of
// several, result1 is the first.
const resultName = "result"

// namedVariable is a parameter or result as a specification calls it.
type namedVariable struct {
	name string
	obj  *types.Var // nil if it has no name in the program
	ord  int        // among those of its list
	typ  types.Type
}

func nameList(vs []namedVariable) (names []string) {
	for _, v := range vs {
		names = append(names, v.name)
	}
	return names
}

// variables lists parameters, or results. Those without a name have one that begins with unnamed.
func (fn *function) variables(list *ast.FieldList, unnamed string) (all []namedVariable) {
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		typ := fn.pkg.Info.TypeOf(field.Type)
		for _, name := range field.Names {
			obj, _ := fn.pkg.Info.Defs[name].(*types.Var)
			v := namedVariable{name: name.Name, obj: obj, ord: len(all), typ: typ}
			if name.Name == "_" {
				v.name, v.obj = fmt.Sprint(unnamed, len(all)+1), nil
			}
			all = append(all, v)
		}
		if len(field.Names) == 0 {
			all = append(all, namedVariable{name: fmt.Sprint(unnamed, len(all)+1), ord: len(all), typ: typ})
		}
	}
	if len(all) == 1 && all[0].obj == nil {
		all[0].name = unnamed
	}
	return all
}

// find adds the variable that a name begins with to those that are recorded.
func (fn *function) find(i int, n Name, to *[]operationValue, among []namedVariable) error {
	root := variablePath(n.Text)[0]
	for _, v := range among {
		if v.name != root {
			continue
		}
		for len(*to) <= v.ord {
			*to = append(*to, operationValue{names: map[int]string{}})
		}
		at := &(*to)[v.ord]
		at.obj, at.names[i] = v.obj, root
		if _, pointer := v.typ.Underlying().(*types.Pointer); pointer && strings.Contains(n.Text, ".") {
			return errorAt(n, nil, "%s is a pointer, whose target is not recorded as part of an operation", root)
		}
		return nil
	}
	return errorAt(n, nameList(among), "%s has no parameter %s", fn.name, n.Text)
}

// operationEntry returns what a function records when it is entered, beside its tracked parameters.
func (w *walker) operationEntry(fn *function) (values []value, parts []string) {
	if fn.operation == nil {
		return nil, nil
	}
	p := w.text.prefix
	if len(fn.operation.object) > 0 {
		name := w.nameOf(fn.recv.List[0], 0, p+"_o")
		values = append(values, value{named: fn.operation.object})
		parts = append(parts, fmt.Sprintf("%s_r.Object(%s); ", p, name))
	}
	for _, v := range fn.operation.params {
		if len(v.names) > 0 {
			values = append(values, value{named: v.names})
			parts = append(parts, fmt.Sprintf("%s_r.Identity(&%s); ", p, v.obj.Name()))
		}
	}
	return values, parts
}

// operationExit returns what a function records when it is left, beside its tracked results. It
// gives names to results that have none.
func (w *walker) operationExit(fn *function) (values []value, addresses []string) {
	if fn.operation == nil || len(fn.operation.result) == 0 {
		return nil, nil
	}
	results := fn.typ.Results
	if !results.Opening.IsValid() {
		w.insert(results.Pos(), "(")
	}
	ord := 0
	for _, field := range results.List {
		for i := range max(1, len(field.Names)) {
			name := w.nameOf(field, i, fmt.Sprintf("%s_q%d", w.text.prefix, ord+1))
			if ord < len(fn.operation.result) && len(fn.operation.result[ord].names) > 0 {
				values = append(values, value{named: fn.operation.result[ord].names})
				addresses = append(addresses, ", &"+name)
			}
			ord++
		}
	}
	if !results.Opening.IsValid() {
		w.insert(results.End(), ")")
	}
	return values, addresses
}

// nameOf returns the name of a parameter or result. It gives it one if it has none.
func (w *walker) nameOf(field *ast.Field, i int, otherwise string) string {
	switch {
	case len(field.Names) == 0:
		w.insert(field.Type.Pos(), otherwise+" ")
		return otherwise
	case field.Names[i].Name == "_":
		w.edits.replace(field.Names[i].Pos(), field.Names[i].End(), otherwise)
		return otherwise
	}
	return field.Names[i].Name
}

// operationsOf returns the frame name of a function that is an operation of a specification.
func (t *tables) operationsOf(spec int, fn *function) []string {
	if fn.operation == nil || !fn.operation.specs[spec] {
		return nil
	}
	return []string{t.frameName(spec, fn)}
}
