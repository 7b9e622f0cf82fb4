package op_test

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
)

// Import paths are as people write them; what the symbol is stays known, since fingerprints are
// made of it.
func TestEscapedPath(t *testing.T) {
	l := op.LocationOf(slices.Values([]op.Call{
		{Function: "gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun", At: "a.go:1"},
		{Function: "example.com/shop.main", At: "b.go:2"},
	}))
	want := []op.Frame{
		{Function: "lumberjack.v2.(*Logger).millRun", At: "a.go:1", Symbol: "lumberjack%2ev2.(*Logger).millRun"},
		{Function: "shop.main", At: "b.go:2"},
	}
	if !slices.Equal(l.Stack, want) {
		t.Errorf("%+v", l.Stack)
	}
}
