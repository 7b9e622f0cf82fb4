package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/report"
)

// writeGitHub writes workflow commands, which GitHub Actions shows as annotations: an error, or a
// warning for a possible violation, at the place of each goroutine involved. Known findings have
// none. A property without a verdict is a warning without a place.
func writeGitHub(w io.Writer, c *Collection) error {
	b, err := newBase()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, gitHubText(c, b))
	return err
}

func gitHubText(c *Collection, b base) string {
	var text strings.Builder
	for _, a := range c.evidence() {
		if a.Known != "" {
			continue
		}
		for _, command := range gitHubCommands(a, b) {
			fmt.Fprintln(&text, command)
		}
	}
	for _, a := range c.unknown() {
		title := "title=" + escapeProperty(a.Property+" (unknown)")
		fmt.Fprintf(&text, "::warning %s::%s\n", title, escapeData(a.Trace+": "+unknownOf(a)))
	}
	return text.String()
}

// gitHubCommands are the commands for evidence: one for each place, and one without a place if
// there is none.
func gitHubCommands(a *report.Account, b base) (all []string) {
	command := "error"
	if a.Verdict == "possible" {
		command = "warning"
	}
	title := "title=" + escapeProperty(a.Property+" ("+a.How+")")
	seen := map[place]bool{}
	for _, p := range a.Participants {
		at, ok := placeOf(p.At)
		if !ok || seen[at] {
			continue
		}
		seen[at] = true
		file, _ := b.find(at.file)
		location := "file=" + escapeProperty(file)
		if at.line > 0 {
			location += fmt.Sprint(",line=", at.line)
		}
		all = append(all, fmt.Sprintf("::%s %s,%s::%s", command, location, title, escapeData(p.Task+" "+p.Does+" here.\n"+sentenceOf(a))))
	}
	if len(all) == 0 {
		all = []string{fmt.Sprintf("::%s %s::%s", command, title, escapeData(sentenceOf(a)))}
	}
	return all
}

// escapeData writes a message of a workflow command.
func escapeData(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// escapeProperty writes the value of a property of a workflow command.
func escapeProperty(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}
