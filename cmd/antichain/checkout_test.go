package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/google/go-cmp/cmp"
)

const checkoutSpans = "../../examples/checkout/spans.jsonl"

// TestCheckout checks the spans of examples/checkout: where parents wait, the second trace is
// violated, and who believes the clocks does not see it.
func TestCheckout(t *testing.T) {
	const first, second = checkoutSpans + ":c0ffee01000000000000000000000001", checkoutSpans + ":c0ffee02000000000000000000000001"
	type verdicts map[string]map[string]string // by run and property
	for _, tt := range []struct {
		order string
		code  int
		want  verdicts
	}{
		{"--otlp-sync", exit.Violated, verdicts{
			first:  {"reserved_first": "holds", "one_at_a_time": "holds", "answered": "holds"},
			second: {"reserved_first": "violated", "one_at_a_time": "violated", "answered": "holds"},
		}},
		{"--otlp-skew=1ms", exit.Violated, verdicts{
			first:  {"reserved_first": "holds", "one_at_a_time": "holds", "answered": "violated"},
			second: {"reserved_first": "holds", "one_at_a_time": "holds", "answered": "violated"},
		}},
	} {
		t.Run(tt.order, func(t *testing.T) {
			code, out, errs := runVerb(t, "check", "--json", "--format", "otlp", tt.order, "--spec", "../../examples/checkout/checkout.tl", checkoutSpans)
			if code != tt.code || errs != "" {
				t.Errorf("exit code %d, %s", code, errs)
			}
			got := verdicts{first: {}, second: {}}
			for l := range strings.Lines(out) {
				var o struct{ Trace, Property, Verdict string }
				if err := json.Unmarshal([]byte(l), &o); err != nil {
					t.Fatalf("%v in %s", err, l)
				}
				got[o.Trace][o.Property] = o.Verdict
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestCheckoutSpans: the spans are those that the program prints.
func TestCheckoutSpans(t *testing.T) {
	t.Parallel()
	got, err := exec.Command("go", "run", "../../examples/checkout").Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(checkoutSpans)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Error(d)
	}
}
