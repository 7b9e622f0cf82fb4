package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const readme = "../../README.md"

// picture is the report of a violation on the README's first screen.
var picture = regexp.MustCompile("(?s)<!-- picture: ([a-z/]+) -->\n```\n(.*?)```\n<!-- /picture -->")

// TestReadmePicture runs the README's first command and compares what the README shows of its
// report. UPDATE_README=1 go test ./cmd/antichain refreshes it.
func TestReadmePicture(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	m := picture.FindSubmatchIndex(text)
	if m == nil {
		t.Fatalf("%s has no picture", readme)
	}
	program, want := string(text[m[2]:m[3]]), string(text[m[4]:m[5]])
	if !strings.Contains(string(text), "go run ./cmd/antichain run ./"+program+"\n") {
		t.Errorf("the picture is of %s, which is not what the README's command runs", program)
	}
	t.Chdir("../..")
	var diff string
	// Runs differ in where the consumer stands when the element comes; nearly all are alike.
	for range 5 {
		code, _, report := runVerb(t, "run", "./"+program)
		if code != exitViolated {
			t.Fatalf("exit code %d\n%s", code, report)
		}
		got := report[strings.Index(report, "same_element: violated"):]
		got = got[:strings.Index(got, "\nShow it again")]
		if os.Getenv("UPDATE_README") != "" {
			updated := string(text[:m[4]]) + got + string(text[m[5]:])
			if err := os.WriteFile("README.md", []byte(updated), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		if diff = cmp.Diff(want, got); diff == "" {
			return
		}
	}
	t.Errorf("README.md shows another report (-README +now):\n%s", diff)
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
	root := newRoot(streams{})
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && cmd.Name() != "version" && !strings.Contains(string(text), "`antichain "+cmd.Name()) {
			t.Errorf("the README does not mention antichain %s", cmd.Name())
		}
	}
}
