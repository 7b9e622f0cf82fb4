package findings

import (
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// What others may still bring is counted, and listed on demand.
func TestOpenText(t *testing.T) {
	waits := func(n int) []builtin.OpenWait {
		all := make([]builtin.OpenWait, n)
		for i := range all {
			all[i] = builtin.OpenWait{Task: "main.1", Name: "shop.worker",
				Does: "waits to receive from chan 1", At: "main.go:7"}
		}
		return all
	}
	for want, open := range map[string]openWaits{
		"": {},
		"built-in properties: 1 goroutine waits for what a timer or the outside world may bring: --all lists them\n": {
			Open: builtin.Open{Waits: waits(1)}},
		"built-in properties: 2 goroutines wait for what main, shop.serve, 1 other goroutine, a timer " +
			"or the outside world may bring\n" +
			"    shop.worker (main.1) waits to receive from chan 1, at main.go:7\n" +
			"    shop.worker (main.1) waits to receive from chan 1, at main.go:7\n" +
			"built-in properties: whether 1 of these can be woken at all is not known: why\n": {
			Open: builtin.Open{Waits: waits(2), GoOnNames: []string{"main", "shop.serve", "shop.serve #2"},
				Undecided: 1,
				Why:       "why"},
			listed: true},
	} {
		if got := open.text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var both openWaits
	for n := range 2 {
		both.include(&openWaits{Open: builtin.Open{Waits: waits(n + 1), Undecided: n, Why: "why"}})
	}
	if len(both.Waits) != 3 || both.Undecided != 1 || both.Why != "why" {
		t.Errorf("of two test binaries: %+v", both)
	}
}
