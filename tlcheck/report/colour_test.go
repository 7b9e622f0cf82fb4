package report

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// violated checks a formula that is violated on a trace.
func violated(t *testing.T, formula, trace string) *tlcheck.Result {
	t.Helper()
	net := santest.Read(t, trace)
	p, err := spec.ParseFormula(formula)
	if err != nil {
		t.Fatal(err)
	}
	result, err := tlcheck.Check(context.Background(), net, p, tlcheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if result.Verdict != tlcheck.Violated {
		t.Fatalf("%s: %v", formula, result.Verdict)
	}
	return result
}

const hostile = `{"antichain":1,"tasks":["\u001b[32mmain"]}
{"t":"\u001b[32mmain","enter":"\u001b[31mf","set":{"s":"x\u001b[2J"},"at":"\u001b[1m.go:1","op":"\u0007","obj":"\u009b31m"}
`

// TestColourOnlyOurs looks for escape sequences: with colours only the known ones, without
// colours none, whatever the trace holds.
func TestColourOnlyOurs(t *testing.T) {
	r := violated(t, `t:(not s == "x\u001b[2J")`, hostile)
	control := regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f-\x{9f}]`)
	for _, colour := range []bool{false, true} {
		var out bytes.Buffer
		if err := WriteText(&out, r, Style{Colour: colour, Again: "antichain check \x1b[2J"}); err != nil {
			t.Fatal(err)
		}
		plain := out.String()
		for _, esc := range []string{escBold, escDim, escRed, escGreen, escReset} {
			plain = strings.ReplaceAll(plain, esc, "")
		}
		if colour != (plain != out.String()) {
			t.Errorf("colour %v, but escape sequences used: %v", colour, plain != out.String())
		}
		if bad := control.FindString(plain); bad != "" {
			t.Errorf("colour %v: control character %q in\n%q", colour, bad, plain)
		}
	}
}
