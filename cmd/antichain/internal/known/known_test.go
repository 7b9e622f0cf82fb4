package known

import (
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/tlcheck/report"
)

const print1, print2 = "5d1f0c0de7a1b2c3d4e5f60718293a4b", "00000000000000000000000000000001"

func baselineOf(t *testing.T, text string) *Baseline {
	t.Helper()
	b, err := parseBaseline([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestParseBaseline says where what is wrong.
func TestParseBaseline(t *testing.T) {
	for text, want := range map[string]string{
		"known: [":                          "",
		"knwon: []":                         `line 1: there is no key "knwon"`,
		"known:\n - fingerprint: x":         `entry 1: "x" is no fingerprint`,
		"known:\n - fingerprint: " + print1: "entry 1: it has no reason",
		"known:\n - {fingerprint: " + print1 + ", reason: a, expires: tomorrow}":                           `entry 1: expires: "tomorrow" is no day`,
		"known:\n - {fingerprint: " + print1 + ", reason: a}\n - {fingerprint: " + print1 + ", reason: b}": "entry 2: its fingerprint is that of another entry",
	} {
		if b, err := parseBaseline([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %s", text, b, err, want)
		}
	}
	if b := baselineOf(t, ""); len(b.Known) != 0 {
		t.Error(b)
	}
}

// TestExpires has an entry valid to the end of its day.
func TestExpires(t *testing.T) {
	b := baselineOf(t, "known:\n - {fingerprint: "+print1+", reason: a, expires: 2027-03-31}\n - {fingerprint: '"+print2+"', reason: b}")
	for day, want := range map[string]int{"2027-03-31 23:59": 2, "2027-04-01 00:00": 1} {
		now, err := time.ParseInLocation("2006-01-02 15:04", day, time.Local)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Reasons(now); len(got) != want || got[print2] != "b" {
			t.Errorf("%s: %v", day, got)
		}
	}
}

// TestWith keeps what a person has written, adds what is new, and drops what is gone.
func TestWith(t *testing.T) {
	old := baselineOf(t, "known:\n - {fingerprint: "+print1+", property: stuck, finding: f, reason: mine, expires: 2027-03-31}\n - {fingerprint: '00000000000000000000000000000002', reason: gone}")
	found := []*report.Account{
		{Property: "panic"}, // holds
		{Property: "deadlock", Sentence: `a "quoted": text`, Fingerprint: print2, Also: []report.Account{{Property: "stuck", Fingerprint: print1}}},
		{Property: "deadlock", Fingerprint: print2},
		{Property: "copy", Fingerprint: "00000000000000000000000000000003", Known: ignoredBy + "a.go:1: why"},
	}
	text, err := old.Update(found, true, "new", time.Date(2027, 3, 1, 0, 0, 0, 0, time.Local)).Text()
	if err != nil {
		t.Fatal(err)
	}
	if kept := old.Update(found, false, "new", time.Now()); len(kept.Known) != 3 {
		t.Errorf("of a part of the packages %+v is known", kept.Known)
	}
	again := baselineOf(t, string(text))
	want := []Entry{
		{Fingerprint: print2, Property: "deadlock", Finding: `a "quoted": text`, Reason: "new"},
		{Fingerprint: print1, Property: "stuck", Finding: "f", Reason: "mine", Expires: "2027-03-31"},
	}
	if len(again.Known) != 2 || again.Known[0] != want[0] || again.Known[1] != want[1] {
		t.Errorf("%+v in\n%s", again.Known, text)
	}
}

// An entry stays where its property was not judged, and is not gone.
func TestUnjudged(t *testing.T) {
	const entries = "known:\n - {fingerprint: " + print1 + ", property: stuck, finding: f, reason: mine}"
	for name, tt := range map[string]struct {
		found []*report.Account
		all   bool
		stays bool
	}{
		"holds":                {[]*report.Account{{Property: "stuck", Verdict: "holds"}}, true, false},
		"not all was checked":  {[]*report.Account{{Property: "stuck", Verdict: "holds"}}, false, true},
		"unknown":              {[]*report.Account{{Property: "stuck", Verdict: "unknown"}}, true, true},
		"unknown in one trace": {[]*report.Account{{Property: "stuck", Verdict: "holds"}, {Property: "stuck", Verdict: "unknown"}}, true, true},
		"another is unknown":   {[]*report.Account{{Property: "stuck", Verdict: "holds"}, {Property: "race", Verdict: "unknown"}}, true, false},
		"not asked":            {[]*report.Account{{Property: "race", Verdict: "holds"}}, true, true},
		"beside another": {[]*report.Account{{
			Property: "deadlock", Verdict: "violated", Fingerprint: print2, Also: []report.Account{{Property: "stuck", Fingerprint: "00000000000000000000000000000002"}},
		}}, true, false},
	} {
		b := baselineOf(t, entries)
		stays := false
		for _, e := range b.Update(tt.found, tt.all, "new", time.Now()).Known {
			stays = stays || e.Fingerprint == print1
		}
		gone := strings.Contains(b.Summary(tt.found, tt.all, time.Now()), "gone since the baseline")
		if stays != tt.stays || gone == tt.stays {
			t.Errorf("%s: stays %v, gone %v", name, stays, gone)
		}
	}
}

// FuzzParseBaseline reads anything.
func FuzzParseBaseline(f *testing.F) {
	f.Add("known:\n - {fingerprint: " + print1 + ", reason: a}")
	f.Add("known: [")
	f.Add("a: &a [*a]")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := parseBaseline([]byte(text))
		if err != nil {
			return
		}
		written, err := b.Text()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := parseBaseline(written); err != nil || len(again.Known) != len(b.Known) {
			t.Errorf("%q is written as %q: %v", text, written, err)
		}
	})
}
