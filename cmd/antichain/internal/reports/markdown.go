package reports

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
)

// maxMarkdown bounds the bytes of the reports in words: GitHub accepts no summary above a MiB.
const maxMarkdown = 900 << 10

// writeMarkdown writes a summary for people: a table of what was found, and behind it the reports
// in words, folded.
func writeMarkdown(w io.Writer, c *Collection) error {
	var b strings.Builder
	b.WriteString("## antichain\n\n")
	found, known := evidenceOf(c)
	if c.Cut {
		b.WriteString("Some properties could not be checked.\n\n")
	}
	switch {
	case len(c.Accounts) == 0:
		b.WriteString("Nothing was checked.\n")
	case len(found) == 0 && known == 0:
		fmt.Fprintf(&b, "No violation%s.\n", unknownText(c))
	case len(found) == 0:
		fmt.Fprintf(&b, "No new violation%s%s.\n", knownText(known), unknownText(c))
	default:
		fmt.Fprintf(&b, "%s%s%s.\n\n", wording.Plural(len(found), "finding"), knownText(known), unknownText(c))
		writeTable(&b, found)
	}
	writeUnknown(&b, c.unknown())
	for i, a := range found {
		if b.Len()+len(a.Text) > maxMarkdown {
			fmt.Fprintf(&b, "Not shown in full: %s.\n", wording.Plural(len(found)-i, "report"))
			break
		}
		fmt.Fprintf(&b, "<details><summary>%s: %s</summary>\n\n%s\n</details>\n\n",
			inHTML(a.Property), inHTML(a.Sentence), fenced("", strings.TrimRight(a.Text, "\n")))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeTable writes a row for each finding.
func writeTable(b *strings.Builder, found []*report.Account) {
	b.WriteString("| where | property | how it is known | what is wrong |\n|---|---|---|---|\n")
	writeRows(b, found, "finding", func(a *report.Account) string {
		how := a.How
		if a.Verdict == "possible" {
			how = "possible"
		}
		if a.Confirmation != "" {
			how += "; " + a.Confirmation
		}
		where := a.Trace
		if tests := testsOf(a); tests != "" {
			where += ", in " + tests
		}
		return fmt.Sprintf("| %s | %s | %s | %s |\n", cell(where), cell(a.Property), cell(how), cell(a.Sentence))
	})
}

// writeUnknown writes a row for each property without a verdict.
func writeUnknown(b *strings.Builder, unknown []*report.Account) {
	if len(unknown) == 0 {
		return
	}
	b.WriteString("\n| where | property | why it has no verdict |\n|---|---|---|\n")
	writeRows(b, unknown, "unknown verdict", func(a *report.Account) string {
		return fmt.Sprintf("| %s | %s | %s |\n", cell(a.Trace), cell(a.Property), cell(unknownOf(a)))
	})
}

// writeRows writes rows as long as the text is not too long, and how many are left out.
func writeRows(b *strings.Builder, all []*report.Account, what string, row func(*report.Account) string) {
	left := 0
	for _, a := range all {
		text := row(a)
		if b.Len()+len(text) > maxMarkdown {
			left++
			continue
		}
		b.WriteString(text)
	}
	b.WriteByte('\n')
	if left > 0 {
		fmt.Fprintf(b, "Not in the table: %s.\n\n", wording.Plural(left, what))
	}
}

// evidenceOf returns the accounts to report, and the number of known findings.
func evidenceOf(c *Collection) (found []*report.Account, known int) {
	for _, a := range c.Accounts {
		switch {
		case a.Fingerprint == "":
		case a.Known != "":
			known++
		default:
			found = append(found, a)
		}
	}
	return found, known
}

// unknownText says how many verdicts are unknown.
func unknownText(c *Collection) string {
	n := len(c.unknown())
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %s unknown", wording.Plural(n, "verdict"))
}

// knownText returns text: how many findings are known.
func knownText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d known", n)
}

// cell makes a text one cell of a table, in which nothing has a meaning of its own.
func cell(text string) string {
	return markdownSpecial.Replace(oneLine(text))
}

// inHTML makes a text one of a line of HTML, where Markdown has no meaning.
func inHTML(text string) string { return html.EscapeString(oneLine(text)) }

func oneLine(text string) string { return event.Printable(strings.Join(strings.Fields(text), " ")) }

var markdownSpecial = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "#", `\#`, "~", `\~`, "$", `\$`, "@", "@\u2060",
)

// fenced is a block of a language in Markdown, behind a fence that the text does not have.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence + "\n"
}
