package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/antichain-go/antichain/"

// TestDocsLayers compares the picture of the packages in docs/architecture.md with their imports.
func TestDocsLayers(t *testing.T) {
	t.Parallel()
	var picture string
	for _, p := range readPages(t) {
		for _, b := range p.Blocks {
			if p.Path == "docs/architecture.md" && b.Kind == "layers" {
				picture = b.Text
			}
		}
	}
	layerOf := map[string]int{} // by pattern
	for i, line := range strings.Split(picture, "\n") {
		for _, pattern := range regexp.MustCompile(`[a-z/.]+`).FindAllString(line, -1) {
			layerOf[pattern] = i
		}
	}
	if len(layerOf) == 0 {
		t.Fatal("there is no picture")
	}
	used := map[string]bool{}
	layer := func(path string) (int, bool) {
		candidates := []string{path, path + "/..."}
		for i, c := range path {
			if c == '/' {
				candidates = slices.Insert(candidates, 2, path[:i]+"/...")
			}
		}
		for _, pattern := range candidates {
			if i, ok := layerOf[pattern]; ok {
				used[pattern] = true
				return i, true
			}
		}
		return 0, false
	}
	for path, imports := range packages(t) {
		if strings.HasPrefix(path, "cmd/antichain/") && !strings.HasPrefix(path, "cmd/antichain/internal/") {
			t.Errorf("%s can be imported from outside of the command: it belongs into cmd/antichain/internal, or above cmd", path)
		}
		if path == "docs" || strings.HasPrefix(path, "examples/") {
			continue
		}
		from, ok := layer(path)
		if !ok && strings.HasPrefix(path, "internal/") {
			continue
		}
		if !ok {
			t.Errorf("%s is not in the picture", path)
			continue
		}
		for _, imported := range imports {
			if to, ok := layer(imported); ok && to > from {
				t.Errorf("%s imports %s, which stands below it", path, imported)
			}
		}
	}
	for pattern := range layerOf {
		if !used[pattern] {
			t.Errorf("the picture has %s, and there is no such package", pattern)
		}
	}
}

// TestCommands: go install ./cmd/... installs antichain alone.
func TestCommands(t *testing.T) {
	t.Parallel()
	list := exec.Command("go", "list", "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{end}}`, "./cmd/...")
	list.Dir = repository
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	if commands := strings.Fields(string(out)); !slices.Equal(commands, []string{module + "cmd/antichain"}) {
		t.Errorf("the commands are %q", commands)
	}
}

// TestDocsCodings compares what the table in docs/architecture.md says of package onthefly with its
// imports.
func TestDocsCodings(t *testing.T) {
	for path, imports := range packages(t) {
		if path != "onthefly" && !strings.HasPrefix(path, "onthefly/") {
			continue
		}
		for _, imported := range imports {
			coding, ok := strings.CutPrefix(imported, "tracer/ingest/")
			if ok && coding != "record" && coding != "run" && coding != "process" {
				// the latter orders operations, whatever their coding
				t.Errorf("%s imports %s, which is a coding", path, imported)
			}
		}
	}
}

// TestDocsDependencies compares the list of modules in docs/architecture.md with what is imported
// by what users import or install.
func TestDocsDependencies(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, p := range readPages(t) {
		for _, b := range p.Blocks {
			if p.Path != "docs/architecture.md" || b.Kind != "modules" {
				continue
			}
			for _, path := range regexp.MustCompile(`\S+/\S+`).FindAllString(b.Text, -1) {
				if !strings.Contains(strings.Split(path, "/")[0], ".") {
					path = "github.com/" + path
				}
				listed[path] = true
			}
		}
	}
	imported, all := shippedModules(t)
	for path := range imported {
		if !listed[path] {
			t.Errorf("%s is imported, and not in the list", path)
		}
	}
	for path := range listed {
		if !imported[path] {
			t.Errorf("%s is in the list, and nothing that ships imports it", path)
		}
	}
	for path := range all {
		if strings.HasPrefix(path, "github.com/twmb/") {
			t.Errorf("%s is for tests alone: what ships speaks to Kafka through segmentio/kafka-go", path)
		}
	}
}

// shippedModules returns the modules that packages for users import, and all that these depend on.
func shippedModules(t *testing.T) (imported, all map[string]bool) {
	t.Helper()
	args := []string{"list", "-deps", "-json=ImportPath,Imports,Module"}
	for path := range packages(t) {
		if !regexp.MustCompile(`^(internal|examples|docs)(/|$)|/internal/\w+test$`).MatchString(path) {
			args = append(args, module+path)
		}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = repository
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	type listed struct {
		ImportPath string
		Imports    []string
		Module     *struct {
			Path string
			Main bool
		}
	}
	byPath := map[string]listed{}
	for list := json.NewDecoder(strings.NewReader(string(out))); list.More(); {
		var p listed
		if err := list.Decode(&p); err != nil {
			t.Fatal(err)
		}
		byPath[p.ImportPath] = p
	}
	imported, all = map[string]bool{}, map[string]bool{}
	for _, p := range byPath {
		if p.Module == nil {
			continue
		}
		all[p.Module.Path] = true
		for _, path := range p.Imports {
			if from := byPath[path].Module; p.Module.Main && from != nil && !from.Main {
				imported[from.Path] = true
			}
		}
	}
	return imported, all
}

// packages returns the packages of the module with those of it that they import, without the path
// of the module.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = repository
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for list := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := list.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		path := strings.TrimPrefix(p.ImportPath, module)
		all[path] = nil
		for _, i := range p.Imports {
			if own, ok := strings.CutPrefix(i, module); ok {
				all[path] = append(all[path], own)
			}
		}
	}
}

// TestSizes keeps the verbs thin, and the packages that do their work small enough to read.
func TestSizes(t *testing.T) {
	t.Parallel()
	lines := map[string]int{}
	for _, pattern := range []string{"*.go", "internal/*/*.go", "internal/*/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "testdata") {
				continue
			}
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines[filepath.Dir(file)] += strings.Count(string(src), "\n")
		}
	}
	for dir, n := range lines {
		most := 2500
		if dir == "." {
			most = 4000
		}
		if n > most {
			t.Errorf("cmd/antichain/%s has %d lines, more than %d", dir, n, most)
		}
	}
	if lines["."] < 1000 {
		t.Errorf("package main has %d lines only: this test looks in the wrong place", lines["."])
	}
}
