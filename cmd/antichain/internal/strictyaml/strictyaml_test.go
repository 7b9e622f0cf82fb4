package strictyaml

import (
	"strings"
	"testing"
)

type file struct {
	Names []string `yaml:"names"`
}

func TestDecode(t *testing.T) {
	var f file
	if err := Decode([]byte("# nothing\n"), &f); err != nil || f.Names != nil {
		t.Errorf("%v, %v", f, err)
	}
	if err := Decode([]byte("names: [a, 1]\n"), &f); err != nil || len(f.Names) != 2 || f.Names[1] != "1" {
		t.Errorf("%v, %v", f, err)
	}
	for text, want := range map[string]string{
		"names: []\nother: 1":       `line 2: there is no key "other"`,
		"names: {a: b}":             "line 1: cannot unmarshal map",
		"names: [":                  "line 1: did not find expected node content",
		"names: []\n---\nnames: []": "there is more than one document",
		"names: []\n---\nnames: [":  "did not find expected node content",
		"names: []\nnames: [a]\n":   `line 2: mapping key "names" already defined at line 1`,
	} {
		if err := Decode([]byte(text), new(file)); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "strictyaml") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
