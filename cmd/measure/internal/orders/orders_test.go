//go:build unix

package orders

import (
	"maps"
	"strings"
	"testing"
)

func set(orders ...string) map[string]bool {
	all := make(map[string]bool)
	for _, o := range orders {
		all[o] = true
	}
	return all
}

// TestFault finds each fault, and none where there is none.
func TestFault(t *testing.T) {
	const out = `{"what":"the program prints"}
antichain: 3 runs
antichain: all 2 orders of its operations on channels, locks and wait groups were run: complete on this input, unless
antichain: exit code 0
`
	good := measured{known: set("a", "b"), walked: set("a"), explored: set("a", "b")}
	if err := good.read(out); err != nil || good.runs != 3 || good.counted != 2 || !good.complete {
		t.Fatalf("read %+v, %v", good, err)
	}
	if why := good.fault(); why != "" {
		t.Errorf("a fault where there is none: %s", why)
	}
	for want, spoil := range map[string]func(*measured){
		"an order of a walk is not among those of the language": func(m *measured) { m.walked["c"] = true },
		"an order that was explored is not among":               func(m *measured) { m.explored["c"] = true },
		"an order of a walk is not among those that":            func(m *measured) { delete(m.explored, "a") },
		"an order of the language is not among":                 func(m *measured) { delete(m.explored, "b") },
		"it has 2 orders":                                       func(m *measured) { m.counted = 3 },
		"complete, or not":                                      func(m *measured) { m.atomics = true },
		"or not, for no reason":                                 func(m *measured) { m.complete = false },
	} {
		bad := good
		bad.walked, bad.explored = maps.Clone(good.walked), maps.Clone(good.explored)
		if spoil(&bad); !strings.Contains(bad.fault(), want) {
			t.Errorf("%q is not in %q", want, bad.fault())
		}
	}
	open := good
	const incomplete = "antichain: 1 run\n" +
		"antichain: not complete: 1 order of its operations was run, and there may be others\n"
	if err := open.read(incomplete); err != nil || open.complete || open.counted != 1 {
		t.Errorf("read %+v, %v", open, err)
	}
	if err := open.read("antichain: cannot build\n"); err == nil {
		t.Error("no error where nothing is said")
	}
}
