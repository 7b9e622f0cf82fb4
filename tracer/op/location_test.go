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

// Functions of package main are called by their names alone, and methods without the star of their
// receivers.
func TestDisplayFunction(t *testing.T) {
	for name, want := range map[string]string{
		"main.transfer":                      "transfer",
		"main.(*worker).loop":                "worker.loop",
		"main.main.func1":                    "main.func1",
		"main.main.func1.2":                  "main.func1.2",
		"main.queue[...].push":               "queue.push",
		"main.(*queue[go.shape.int]).pop-fm": "queue.pop",
		"main.init.0":                        "init.0",
		"example.org/shop/cache.(*Cache[...]).evict.func2": "cache.Cache.evict.func2",
		"example.org/domain.main":                          "domain.main",
		"net/http.(*conn).serve":                           "http.conn.serve",
		"gopkg.in/yaml%2ev3.(*Decoder).Decode":             "yaml.v3.Decoder.Decode",
	} {
		if got := op.DisplayFunction(name); got != want {
			t.Errorf("%s is called %q, want %q", name, got, want)
		}
		if got := op.DisplayFunction(op.ShortName(name)); got != want {
			t.Errorf("the short name of %s is called %q, want %q", name, got, want)
		}
	}
}

// Where a module of others is at work, it is known where the program has called it.
func TestOwnPlace(t *testing.T) {
	l := op.LocationOf(slices.Values([]op.Call{
		{Function: "sync.(*Mutex).Lock", At: "sync/mutex.go:1", Std: true},
		{Function: "x.org/errgroup.(*Group).Go", At: "x.org/errgroup@v1.2.3/group.go:2"},
		{Function: "main.fetch", At: "main.go:3"},
		{Function: "main.main", At: "main.go:4"},
	}))
	if l.At != "x.org/errgroup@v1.2.3/group.go:2" || l.Own != "main.go:3" {
		t.Errorf("at %s, own %s", l.At, l.Own)
	}
}
