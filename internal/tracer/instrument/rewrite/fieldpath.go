package rewrite

import (
	"fmt"
	"go/types"
	"slices"
)

// fieldPath follows field names from a variable. It ends early, with used < len(names), at a value
// whose fields are known only at run time: an interface, a map, a type parameter.
func fieldPath(pkg *types.Package, root *types.Var, names []string) (fields []*types.Var, used int, err error) {
	t := root.Type()
	for i, name := range names {
		switch types.Unalias(t).(type) {
		case *types.TypeParam:
			return fields, i, nil
		}
		switch derefType(t).Underlying().(type) {
		case *types.Interface, *types.Map:
			return fields, i, nil
		}
		obj, index, _ := types.LookupFieldOrMethod(t, true, pkg, name)
		switch obj.(type) {
		case *types.Var:
			way := walkFields(t, index)
			if way == nil || !accessible(way, pkg) {
				return nil, 0, fmt.Errorf("%s is promoted from a field that package %s cannot name", name, pkg.Path())
			}
			fields = append(fields, way...)
			t = obj.Type()
		case *types.Func:
			return nil, 0, fmt.Errorf("%s is a method of %s; only values are recorded", name,
				types.TypeString(t, types.RelativeTo(pkg)))
		default:
			return nil, 0, fmt.Errorf("%s has no field %s%s", types.TypeString(t, types.RelativeTo(pkg)), name,
				Suggest(name, fieldNames(t)))
		}
	}
	return fields, len(names), nil
}

// walkFields returns the fields along the index of a selection.
func walkFields(t types.Type, index []int) []*types.Var {
	var way []*types.Var
	for _, i := range index {
		s, ok := derefType(t).Underlying().(*types.Struct)
		if !ok || i >= s.NumFields() {
			return nil
		}
		way = append(way, s.Field(i))
		t = s.Field(i).Type()
	}
	return way
}

// accessible reports whether a package can name all fields of a path.
func accessible(way []*types.Var, pkg *types.Package) bool {
	return !slices.ContainsFunc(way, func(f *types.Var) bool { return !f.Exported() && f.Pkg() != pkg })
}

// derefType is the type that a pointer type points to, else the type itself.
func derefType(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func fieldNames(t types.Type) []string {
	s, ok := derefType(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var names []string
	for f := range s.Fields() {
		names = append(names, f.Name())
	}
	return names
}
