package builtins

import (
	"go/parser"
	"go/token"
	"path"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// Every file explains a property, and its programs can be printed as programs of their own.
func TestPrograms(t *testing.T) {
	files, err := sources.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"main": true}
	for _, p := range builtin.Properties {
		known[string(p)] = true
	}
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), path.Ext(f.Name()))
		if !known[name] {
			t.Errorf("%s: no such property", f.Name())
		}
		if !Has(name) {
			t.Errorf("%s: is there, and is not", name)
		}
		topic, ok := Find(name)
		if !ok {
			t.Fatalf("%s: nothing to say", name)
		}
		if name == "main" {
			continue
		}
		if topic.Summary == "" || topic.Text == "" || len(topic.Programs) == 0 || topic.Programs[0].Good {
			t.Errorf("%s: %+v", name, topic)
		}
		for _, p := range topic.Programs {
			source, err := p.Source()
			if err != nil {
				t.Fatalf("%s %s: %v", name, p.Name, err)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), p.Name, source, 0); err != nil || strings.Contains(source, "// want") {
				t.Errorf("%s %s: %v in\n%s", name, p.Name, err, source)
			}
		}
	}
	if _, ok := Find("../builtins"); ok || Has("none") {
		t.Error("a file outside is a property")
	}
}
