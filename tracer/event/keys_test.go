package event

import "testing"

// TestEventKeyOf has each name lead to its key, and nothing else to one.
func TestEventKeyOf(t *testing.T) {
	for k, name := range eventKeys {
		if got := eventKeyOf(name); got != eventKey(k) {
			t.Errorf("%q is key %d, not %d", name, got, k)
		}
		if got := eventKeyOf(name + "x"); got != keyUnknown {
			t.Errorf("%q is key %d", name+"x", got)
		}
	}
}
