package reports

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/antichain-go/antichain/tlcheck/report"
)

// TestMarkdown has nothing of a hostile name mean anything.
func TestMarkdown(t *testing.T) {
	const hostile = "a|b`c`<script>alert(1)</script>\n\n# title @everyone [x](http://y) **bold** $1$ \\ \u202e\xff"
	c := &Collection{Contents: Contents{All: true}, Accounts: []*report.Account{
		{Trace: "p", Property: "panic", Verdict: "holds"},
		{Trace: hostile, Property: hostile, Verdict: "violated", How: "observed", Sentence: hostile, Fingerprint: "1", Text: "```\n</details>\n````\n", Confirmation: "confirmed"},
		{Trace: "p", Property: "stuck", Verdict: "violated", Fingerprint: "2", Known: "why"},
		{Trace: "p", Property: "race", Verdict: "unknown"},
	}}
	var b strings.Builder
	if err := writeMarkdown(&b, c); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"1 finding, and 1 known, 1 verdict unknown.\n", "| observed; confirmed |", "\n| p | race | unknown: no reason is known |\n", "\n`````\n```\n</details>\n````\n`````\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if !utf8.ValidString(text) {
		t.Errorf("no UTF-8: %q", text)
	}
	outside, _, _ := strings.Cut(text, "\n`````\n")
	for _, bad := range []string{"\u202e", "<script>", "\n# title", "| a|b", "@everyone \\["} {
		if strings.Contains(outside, bad) {
			t.Errorf("%q in\n%s", bad, outside)
		}
	}
	for _, l := range strings.Split(outside, "\n") {
		columns := 4
		if strings.HasPrefix(l, "| p | race |") || strings.HasSuffix(l, "why it has no verdict |") {
			columns = 3
		}
		if strings.HasPrefix(l, "| ") && strings.Count(strings.ReplaceAll(l, `\|`, ""), "|") != columns+1 {
			t.Errorf("columns of %s", l)
		}
	}
}

// TestMarkdownOfNothing does not say that nothing is wrong where nothing is known.
func TestMarkdownOfNothing(t *testing.T) {
	holds := []*report.Account{{Property: "panic", Verdict: "holds"}}
	for want, c := range map[string]*Collection{
		"\n\nNo violation.\n":        {Accounts: holds},
		"\n\nNothing was checked.\n": {},
		"\n\nSome properties could not be checked.\n\nNothing was checked.\n": {Cut: true},
		"\n\nSome properties could not be checked.\n\nNo violation.\n":        {Cut: true, Accounts: holds},
	} {
		var b strings.Builder
		if err := writeMarkdown(&b, c); err != nil || !strings.HasSuffix(b.String(), want) {
			t.Errorf("%q, %v, want %q", b.String(), err, want)
		}
	}
}

// TestMarkdownLong stops before it is too long for a summary.
func TestMarkdownLong(t *testing.T) {
	c := &Collection{}
	for range 100 {
		c.Accounts = append(c.Accounts, &report.Account{Fingerprint: "1", Verdict: "violated", Text: strings.Repeat("x", 20_000)})
	}
	var b strings.Builder
	if err := writeMarkdown(&b, c); err != nil {
		t.Fatal(err)
	}
	for _, a := range c.Accounts { // names may be long as well
		a.Text, a.Sentence = "", strings.Repeat("x", 20_000)
	}
	var table strings.Builder
	if err := writeMarkdown(&table, c); err != nil {
		t.Fatal(err)
	}
	if table.Len() > 1<<20 || !strings.Contains(table.String(), "Not in the table: ") {
		t.Errorf("%d bytes of a table", table.Len())
	}
	if b.Len() > 1<<20 || !strings.Contains(b.String(), "Not shown in full: ") {
		t.Errorf("%d bytes", b.Len())
	}
}
