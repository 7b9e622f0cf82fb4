//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// Each file of results has a head that names it and a command that makes it.
func TestResults(t *testing.T) {
	parts := partNames(t)
	files, err := filepath.Glob(root + "/docs/results/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	head := regexp.MustCompile(`^part: +([\w-]+).*\ncommand: (.+)\n`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := head.FindStringSubmatch(string(text))
		if m == nil || m[1]+".txt" != filepath.Base(file) {
			t.Errorf("%s has no head as .ci/long writes it", file)
			continue
		}
		if named, unknown := commandsIn(m[2], parts); named == 0 || len(unknown) > 0 {
			t.Errorf("%s: no %q in: %s", file, unknown, m[2])
		}
	}
	if len(files) < 40 {
		t.Errorf("%d files are not all", len(files))
	}
}

// What is measured is called in the pages, and in what .ci runs, as it is here.
func TestCommandNames(t *testing.T) {
	parts := partNames(t)
	all := 0
	for _, pattern := range []string{"*.md", "docs/*.md", ".ci/*", ".ci/long.d/*", ".github/workflows/*"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if info, err := os.Stat(file); err != nil || info.IsDir() || filepath.Base(file) == "CHANGELOG.md" {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			named, unknown := commandsIn(string(text), parts)
			if len(unknown) > 0 {
				t.Errorf("%s: no %q", file, unknown)
			}
			all += named
		}
	}
	if all < 60 {
		t.Errorf("%d commands are not all", all)
	}
}

// partNames are the parts of .ci/long, each of which must be one that it can run.
func partNames(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command(root+"/.ci/long", "-list").Output()
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Fields(string(out))
	sorted := slices.Compact(slices.Sorted(slices.Values(parts)))
	if len(parts) < 40 || len(sorted) != len(parts) {
		t.Fatalf("the parts are %q", parts)
	}
	return parts
}

// commandForms are the commands of ours, with what of each must exist.
var commandForms = []struct {
	form   *regexp.Regexp
	exists func(name string, parts []string) bool
}{
	{regexp.MustCompile(`\.ci/long ([a-z][\w-]*)`), func(name string, parts []string) bool { return slices.Contains(parts, name) }},
	{regexp.MustCompile(`(\.ci/long\.d/[a-z0-9-]+)`), func(file string, _ []string) bool { return isThere(file) }},
	{regexp.MustCompile(`go -C cmd/measure run \. ([a-z]+)`), func(name string, _ []string) bool {
		return slices.ContainsFunc(measurements, func(m measurement) bool { return m.name == name })
	}},
	{regexp.MustCompile(`go -C cmd/measure (?:run|test) (\./[\w/]+)`), func(dir string, _ []string) bool { return isThere("cmd/measure/" + dir) }},
	{regexp.MustCompile(`antichain run (\./testdata/\w+)`), func(dir string, _ []string) bool { return isThere("cmd/measure/" + dir) }},
	{regexp.MustCompile(`go test (\./[\w/]+)`), func(dir string, _ []string) bool { return isThere(dir) }},
}

func isThere(path string) bool {
	_, err := os.Stat(filepath.Join(root, path))
	return err == nil
}

// commandsIn counts the commands of ours in a text, and returns those that name what is not there.
func commandsIn(text string, parts []string) (named int, unknown []string) {
	for _, c := range commandForms {
		for _, m := range c.form.FindAllStringSubmatch(text, -1) {
			named++
			if !c.exists(m[1], parts) {
				unknown = append(unknown, fmt.Sprintf("%s (%s)", m[1], m[0]))
			}
		}
	}
	return named, unknown
}
