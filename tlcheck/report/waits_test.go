package report

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// All reports say for how long goroutines have waited, unless that was short or is not known.
func TestHasWaited(t *testing.T) {
	for _, c := range []struct {
		waits      *builtin.Lasting
		text, json string
	}{
		{nil, "", ""},
		{&builtin.Lasting{Began: time.Second, For: 999 * time.Millisecond}, "", ""},
		{&builtin.Lasting{Began: 12 * time.Millisecond, For: 3210 * time.Millisecond},
			"has waited for 3.2s, since 12ms after the run began", `"began_ms":12,"waited_ms":3210`},
		{&builtin.Lasting{For: time.Minute}, "has waited for 1m0s, since the run began",
			`"began_ms":0,"waited_ms":60000`},
		{&builtin.Lasting{Began: 72600 * time.Millisecond, For: time.Second},
			"has waited for 1s, since 1m13s after the run began", `"began_ms":72600,"waited_ms":1000`},
	} {
		r := transfers()
		r.Finding.Parties[0].Waits = c.waits
		account, err := NewAccount("", r, Style{})
		if err != nil {
			t.Fatal(err)
		}
		object, err := json.Marshal(NewBuiltinObject("", r, Source{}).Parties[0])
		if err != nil {
			t.Fatal(err)
		}
		for report, of := range map[string]struct{ got, want, prefix string }{
			"text": {account.Text, "\n    " + c.text + "\n", "has waited"},
			"page": {account.Participants[0].Does, " (" + c.text + ")", "has waited"},
			"JSON": {string(object), c.json, "_ms"},
		} {
			said, is := c.text != "", strings.Contains(of.got, of.want)
			if said && !is || !said && strings.Contains(of.got, of.prefix) {
				t.Errorf("%+v: %s is %s", c.waits, report, of.got)
			}
		}
	}
}
