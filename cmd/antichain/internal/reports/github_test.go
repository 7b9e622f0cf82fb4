package reports

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// workflowCommand is a command as GitHub Actions understands it.
type workflowCommand struct {
	Name       string
	Properties map[string]string
	Message    string
}

var (
	commandLine  = regexp.MustCompile(`^::([a-z-]+)(?: (.+?))?::(.*)$`)
	propertyPart = regexp.MustCompile(`^([A-Za-z]+)=([^:,]*)$`)
	percent      = regexp.MustCompile(`%([^%]{0,2})`)
)

// readCommands reads workflow commands, one a line, and is stricter than GitHub: each line is a
// command of a known name with known properties, and each % begins an escape.
func readCommands(text string) (all []workflowCommand, err error) {
	unescape := func(s string, escapes map[string]string) string {
		return percent.ReplaceAllStringFunc(s, func(e string) string {
			plain, ok := escapes[e]
			if !ok {
				err = fmt.Errorf("%q in %q is no escape", e, s)
			}
			return plain
		})
	}
	data := map[string]string{"%25": "%", "%0D": "\r", "%0A": "\n"}
	property := map[string]string{"%25": "%", "%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ","}
	for line := range strings.Lines(text) {
		m := commandLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil || m[1] != "error" && m[1] != "warning" || !strings.HasSuffix(line, "\n") {
			return nil, fmt.Errorf("%q is no command", line)
		}
		c := workflowCommand{Name: m[1], Properties: map[string]string{}, Message: unescape(m[3], data)}
		for part := range strings.SplitSeq(m[2], ",") {
			p := propertyPart.FindStringSubmatch(part)
			if p == nil || !strings.Contains(" file line title ", " "+p[1]+" ") || c.Properties[p[1]] != "" {
				return nil, fmt.Errorf("%q in %q is no property", part, line)
			}
			c.Properties[p[1]] = unescape(p[2], property)
		}
		all = append(all, c)
	}
	return all, err
}

func TestGitHubCommands(t *testing.T) {
	got, err := readCommands(gitHubText(sample(), sampleBase))
	if err != nil {
		t.Fatal(err)
	}
	annotation := func(name, file, line, title, message string) workflowCommand {
		p := map[string]string{"title": title, "file": file, "line": line}
		return workflowCommand{name, p, message}
	}
	deadlock := "main.1 waits at bank/main.go:23 for to.mu, which main.2 holds (observed; confirmed: it happened in attempt 1)"
	unknown := func(title, message string) workflowCommand {
		return workflowCommand{"warning", map[string]string{"title": title}, message}
	}
	want := []workflowCommand{
		annotation("error", "app/bank/main.go", "23", "deadlock (observed)", "main.1 waits for to.mu here.\n"+deadlock),
		annotation("error", "/elsewhere/a b.go", "24", "deadlock (observed)", "main.2 waits for from.mu here.\n"+deadlock),
		annotation("error", "app/bank/main.go", "34", "stuck (observed)", "main waits for ever here.\nmain waits for ever (observed)"),
		annotation("warning", "app/bank/main.go", "50", "stuck (predicted)", "main closes c here.\nmain closes c, which is closed (predicted)"),
		annotation("error", "app/"+hostile+".go", "7", "race (predicted)", hostile+" "+hostile+" here.\n"+hostile+" (predicted)"),
		annotation("error", "app/ring.go", "7", "same_element (predicted)", "main is t1 here.\nsame_element is violated: t1 is main, at ring.go:7 (predicted)"),
		annotation("error", "app/ring.go", "7", "-e (predicted)", "main is t1 here.\n-e is violated: t1 is main, at ring.go:7 (predicted)"),
		annotation("error", "app/ring.go", "7", "-e (predicted)", "main is t1 here.\n-e is violated: t1 is main, at ring.go:7 (predicted)"),
		unknown("waitgroup (unknown)", "example.com/bank: unknown: the trace was not read to its end"),
		unknown("slow (unknown)", "ring.trace: unknown: the time was over"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestGitHubWithoutPlace(t *testing.T) {
	a := sample().Accounts[0]
	a.Participants, a.Also = a.Participants[2:], nil
	a.Sentence = "one\r\ntwo"
	got := gitHubCommands(a, sampleBase)
	if diff := cmp.Diff([]string{"::error title=deadlock (observed)::one%0D%0Atwo (observed; confirmed: it happened in attempt 1)"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestReadCommandsRefuses keeps the reader from taking all.
func TestReadCommandsRefuses(t *testing.T) {
	for _, text := range []string{
		"error::x\n", "::error file=a::x", "::error::50% of\n", "::error file=a:b::x\n", "::error nothing::x\n", "::debug::x\n", "::error file=a,file=b::x\n",
	} {
		if all, err := readCommands(text); err == nil {
			t.Errorf("%q: %v", text, all)
		}
	}
}
