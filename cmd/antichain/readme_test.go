package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/google/go-cmp/cmp"
)

const readme = "../../README.md"

// picture is the report of a violation.
var picture = regexp.MustCompile("(?s)<!-- picture: ([a-z/]+) -->\n```\n(.*?)```\n<!-- /picture -->")

// TestReadmePictures runs the commands of the README's pictures and compares what it shows of their
// reports. UPDATE_README=1 go test ./cmd/antichain refreshes it.
func TestReadmePictures(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	pictures := picture.FindAllSubmatch(text, -1)
	if len(pictures) == 0 {
		t.Fatalf("%s has no picture", readme)
	}
	t.Chdir("../..")
	updated := string(text)
	for _, m := range pictures {
		program, want := string(m[1]), string(m[2])
		if !strings.Contains(string(text), "go run ./cmd/antichain run ./"+program+"\n") {
			t.Errorf("the picture is of %s, which is not what the README's commands run", program)
		}
		if os.Getenv("UPDATE_README") != "" {
			updated = strings.Replace(updated, want, reportOn(t, program), 1)
			continue
		}
		comparePicture(t, program, want)
	}
	if updated != string(text) {
		if err := os.WriteFile("README.md", []byte(updated), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// comparePicture fails unless a run is reported like that. Runs differ in where goroutines stand; nearly all
// are alike.
func comparePicture(t *testing.T, program, want string) {
	t.Helper()
	var diff string
	for range 5 {
		if diff = cmp.Diff(want, reportOn(t, program)); diff == "" {
			return
		}
	}
	t.Errorf("README.md shows another report on %s (-README +now):\n%s", program, diff)
}

// violated is how a report begins.
var violated = regexp.MustCompile(`(?m)^\w+: violated`)

// reportOn runs a program and returns the first report.
func reportOn(t *testing.T, program string) string {
	t.Helper()
	code, _, report := runVerb(t, "run", "./"+program)
	begin := violated.FindStringIndex(report)
	end := strings.Index(report, "\nShow it again")
	if code != exit.Violated || begin == nil || end < 0 {
		t.Fatalf("exit code %d\n%s", code, report)
	}
	return report[begin[0]:end]
}

// TestReadmeNames fails when the README speaks of files or verbs that are not there.
func TestReadmeNames(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllSubmatch(text, -1)
	if len(links) == 0 {
		t.Error("no links found")
	}
	for _, l := range links {
		if _, err := os.Stat(filepath.Join("../..", string(l[1]))); err != nil {
			t.Errorf("link to %s: %v", l[1], err)
		}
	}
	root := newRoot(terminal.Streams{})
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && cmd.Name() != "version" && !strings.Contains(string(text), "`antichain "+cmd.Name()) {
			t.Errorf("the README does not mention antichain %s", cmd.Name())
		}
	}
}
