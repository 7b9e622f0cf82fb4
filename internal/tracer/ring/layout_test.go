package ring

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// The text for the hooks declares the constants of this package with their values.
func TestHookConstants(t *testing.T) {
	src, err := HookConstants("runtime", "antichain")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "x.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("runtime", fset, []*ast.File{parsed}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"antichainSlotSize":        "64",
		"antichainKindSharedInit":  "24",
		"antichainMaxPayload":      "14280",
		"antichainCtxMask":         "281474976710655",
		"antichainContinuationBit": "9223372036854775808",
	} {
		c, ok := pkg.Scope().Lookup(name).(*types.Const)
		if !ok || c.Val().ExactString() != want {
			t.Errorf("%s is %v, want %s", name, c, want)
		}
	}
}

func TestNames(t *testing.T) {
	for k := Kind(0); k < KindCount; k++ {
		if k.String() == "" {
			t.Errorf("kind %d has no name", k)
		}
	}
	for o := Op(1); o < OpCount; o++ {
		if o.String() == "" {
			t.Errorf("op %d has no name", o)
		}
	}
	if got := (&Record{Arg: OpCount}).Op(); got != OpNone {
		t.Errorf("an unknown operation is %v", got)
	}
}
