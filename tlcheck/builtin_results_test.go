package tlcheck_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// Of a property that does not exist nothing is known.
func TestResultOfUnknownProperty(t *testing.T) {
	results := tlcheck.BuiltinResults([]builtin.Property{"dedlock"}, nil, nil, nil)
	if len(results) != 1 || results[0].Verdict != tlcheck.Unknown ||
		results[0].Covered != `no built-in property "dedlock" (did you mean "deadlock"?)` {
		t.Errorf("%+v", results[0])
	}
}

// Each finding has a result, and so has each property without a violation. Where there can be no
// verdict, predictions are not reported.
func TestBuiltinResults(t *testing.T) {
	findings := []builtin.Finding{
		{Property: builtin.Deadlock, How: builtin.Observed},
		{Property: builtin.Deadlock, How: builtin.Reordered},
		{Property: builtin.Stuck, How: builtin.Observed},
		{Property: builtin.Stuck, How: builtin.Predicted},
		{Property: builtin.Closed, How: builtin.Predicted},
	}
	findings = append(findings, builtin.Finding{Property: builtin.Stuck, How: builtin.Possible},
		builtin.Finding{Property: builtin.Leak, How: builtin.Possible})
	checked := []builtin.Property{builtin.Deadlock, builtin.Stuck, builtin.Closed, builtin.Race, builtin.Leak}
	const lost = "records are missing"
	for _, tt := range []struct {
		name    string
		unknown map[builtin.Property]string
		want    []string
	}{
		{"all known", nil, []string{
			"deadlock violated observed ", "deadlock violated predicted, locks reordered ", "stuck violated observed ",
			"stuck violated predicted ", "closed violated predicted ", "stuck possible possible ",
			"leak possible possible ", "race holds ",
		}},
		{"two unknown", map[builtin.Property]string{builtin.Stuck: lost, builtin.Closed: lost}, []string{
			"deadlock violated observed ", "deadlock violated predicted, locks reordered ",
			"stuck unknown observed " + lost,
			"leak possible possible ", "stuck unknown " + lost, "closed unknown " + lost, "race holds ",
		}},
	} {
		var got []string
		for _, r := range tlcheck.BuiltinResults(checked, findings, nil, tt.unknown) {
			how := ""
			if r.Finding != nil {
				how = r.How().String() + " "
			}
			got = append(got, fmt.Sprint(r.Name(), " ", r.Verdict, " ", how, r.Covered))
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
	}
}
