package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
)

// FuzzParse reads anything, and takes no file outside of the root.
func FuzzParse(f *testing.F) {
	f.Add("builtin: all\nreport: [json=a/b, github]\n")
	f.Add("spec: ../x")
	f.Add("timeout: {a: b}")
	f.Add("- a")
	f.Fuzz(func(t *testing.T, text string) {
		settings := &File{Path: "/module/.antichain.yaml", Root: "/module"}
		if settings.parse([]byte(text)) != nil {
			return
		}
		for _, s := range settings.Settings {
			for _, v := range s.Values {
				if k := keys[s.Key]; (k == file || k == paths) &&
					!strings.HasPrefix(filepath.Join("/module", v)+"/", "/module/") {
					t.Errorf("%s: %q is outside", s.Key, v)
				}
			}
		}
	})
}

// Values of the wrong kind are mistakes, and every setting in force is shown.
func TestParseMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"linger: [1s, 2s]":                      "line 1: linger: takes one value",
		"\nbaseline: [a, b]":                    "line 2: baseline: takes one value",
		"strict: [true, false]":                 "line 1: strict: takes one value",
		"strict: yes":                           `line 1: strict: "yes" is neither true nor false`,
		"timeout:":                              "line 1: timeout: a value is missing",
		"spec: ~":                               "line 1: spec: a value is missing",
		`exclude: [""]`:                         "line 1: exclude: a value is missing",
		"builtin: []":                           "line 1: builtin: has no values",
		"builtin: &a [deadlock]\nexclude: *a":   "line 2: exclude: *a stands for a value",
		"builtin: [&a deadlock]\nexclude: [*a]": "line 2: exclude: *a stands for a value",
		"baseline: ../x":                        "line 1: baseline: ../x is not below",
	} {
		err := (&File{Root: t.TempDir()}).parse([]byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestApply sets the flags that were not given.
func TestApply(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n", Name: "builtin: [a, b]\nexclude: [./x/..., m/y]\ntimeout: 5s\nreport: [json=r, github]\nlinger: 2s\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sub := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := Find(sub)
	if err != nil || file == nil {
		t.Fatal(file, err)
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	builtin := flags.String("builtin", "", "")
	exclude := flags.StringArray("exclude", nil, "")
	timeout, linger := flags.Duration("timeout", 0, ""), flags.Duration("linger", 0, "")
	if err := flags.Parse([]string{"--linger", "1s"}); err != nil {
		t.Fatal(err)
	}
	if err := file.Apply(flags); err != nil { // that there is no flag for report is no mistake
		t.Fatal(err)
	}
	if *builtin != "a,b" || *timeout != 5*time.Second || *linger != time.Second {
		t.Error(*builtin, *timeout, *linger)
	}
	if diff := cmp.Diff([]string{"./../../x/...", "m/y"}, *exclude); diff != "" {
		t.Error(diff)
	}
	if other, err := Find(t.TempDir()); other != nil || err != nil {
		t.Error(other, err)
	}
}

// TestLeadsOut refuses links that lead out of the module, be they directories or the files
// themselves.
func TestLeadsOut(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	inside := filepath.Join(root, "known.yaml")
	for _, file := range []string{inside, filepath.Join(outside, "secret")} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"dir": outside, "file": filepath.Join(outside, "secret"), "dangling": filepath.Join(outside, "later"),
		"fine": inside,
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]bool{
		"dir/secret": true, "dir/later": true, "file": true, "dangling": true, "fine": false, "known.yaml": false,
		"later": false, "none/later": false,
	} {
		if got := leadsOut(root, filepath.Join(root, name)); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
