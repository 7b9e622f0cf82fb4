package ring

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

//go:embed layout.go
var layoutSource string

// HookConstants returns Go source that declares every constant of the layout for
// package pkg, each name with prefix in front of it: for pkg "runtime" and prefix
// "antichain" the constant KindGo becomes antichainKindGo.
func HookConstants(pkg, prefix string) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "layout.go", layoutSource, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	checked, err := (&types.Config{}).Check("layout", fset, []*ast.File{file}, nil)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nconst (\n", pkg)
	for _, name := range checked.Scope().Names() {
		c, ok := checked.Scope().Lookup(name).(*types.Const)
		if !ok {
			return "", fmt.Errorf("layout.go declares %s, which is not a constant", name)
		}
		if c.Val().Kind() != constant.Int {
			return "", fmt.Errorf("layout.go: constant %s is not an integer", name)
		}
		fmt.Fprintf(&b, "\t%s%s = %s\n", prefix, name, c.Val().ExactString())
	}
	b.WriteString(")\n")
	return b.String(), nil
}
