package rewrite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAtomics(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"calls and values", `package p; import "sync/atomic"
var n int32
var f = atomic.LoadInt32
func g() { atomic.AddInt32(&n, 1) }`,
			`package p; import __antichain_atomic "antichain/agent"; import "sync/atomic"
var n int32
var f = __antichain_atomic.LoadInt32
func g() { __antichain_atomic.AddInt32(&n, 1) }
var _ = atomic.AddInt32
`},
		{"other name", `package p
import a "sync/atomic"
func g(n *uintptr) { a.StoreUintptr(n, 1) }`,
			`package p; import __antichain_atomic "antichain/agent"
import a "sync/atomic"
func g(n *uintptr) { __antichain_atomic.StoreUintptr(n, 1) }
var _ = a.StoreUintptr
`},
		{"types only", `package p
import "sync/atomic"
var n atomic.Int32`, ""},
		{"hidden by a local", `package p
import "sync/atomic"
var n atomic.Int32
type s struct{}
func (s) AddInt32() {}
func g() { atomic := s{}; atomic.AddInt32() }`, ""},
		{"pointers are no instructions", `package p
import "sync/atomic"
var f = atomic.StorePointer`, ""},
		{"no import", `package p
const c = "\"sync/atomic\""`, ""},
		{"dot import", `package p
import . "sync/atomic"
var n Int32`, ""},
		{"functions of a dot import", `package p
import . "sync/atomic"
type s struct { LoadInt32 int }
var v = s{LoadInt32: 1}.LoadInt32
func f(n *int32, StoreInt32 func()) int32 { StoreInt32(); return LoadInt32(n) }`,
			`package p; import __antichain_atomic "antichain/agent"
import . "sync/atomic"
type s struct { LoadInt32 int }
var v = s{LoadInt32: 1}.LoadInt32
func f(n *int32, StoreInt32 func()) int32 { StoreInt32(); return __antichain_atomic.LoadInt32(n) }
var _ = LoadInt32
`},
		{"two names in other quotes", "package p; import `sync/atomic`; import a `sync/atomic`\n" +
			"func f(n *int32) int32 { atomic.AddInt32(n, 1); return a.LoadInt32(n) }",
			"package p; import __antichain_atomic \"antichain/agent\"; import `sync/atomic`; import a `sync/atomic`\n" +
				"func f(n *int32) int32 { __antichain_atomic.AddInt32(n, 1); return __antichain_atomic.LoadInt32(n) }" +
				"\nvar _ = atomic.AddInt32\n\nvar _ = a.LoadInt32\n"},
	} {
		got, err := Atomics("p.go", []byte(tt.src))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, string(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}
