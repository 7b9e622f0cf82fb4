// Package config reads the settings of a module for antichain, from the file .antichain.yaml in its
// root.
//
//	builtin: all
//	race-in: [./internal/...]
//	baseline: known.yaml
//	report: [sarif=antichain.sarif]
//
// Each key is the name of a flag. A flag on the command line takes precedence. The file cannot run
// anything, and the files it names must be below the root.
package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/antichain-go/antichain/cmd/antichain/internal/strictyaml"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// Name is the name of the file.
const Name = ".antichain.yaml"

// kind is the type of a key's values.
type kind uint8

const (
	plain    kind = iota
	single        // as plain, and one value only
	boolean       // true or false
	file          // a file below the root
	packages      // patterns of packages, relative to the root if they begin with a dot
	paths         // files below the root
	reports       // FORMAT=FILE, with the file below the root
)

// keys are the flags that the file can set.
var keys = map[string]kind{
	"spec": paths, "expr": plain, "builtin": plain, "strict": boolean,
	"race-in": packages, "exclude": packages, "baseline": file, "report": reports,
	"timeout": single, "memory": single, "linger": single,
}

// Keys are the names of all keys.
func Keys() []string { return slices.Sorted(maps.Keys(keys)) }

// Setting is the value of one key, or several ones.
type Setting struct {
	Key    string
	Values []string
	Line   int // of the value in the file
}

// File is a parsed file.
type File struct {
	Path     string // of the file
	Root     string // the directory of the module
	Dir      string // working directory of go, below Root
	Settings []Setting
}

// Find reads the file of the module of a directory; nil if there is none.
func Find(dir string) (*File, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root := moduleRoot(dir)
	if root == "" {
		return nil, nil
	}
	file := filepath.Join(root, Name)
	text, err := strictyaml.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f := &File{Path: file, Root: root, Dir: dir}
	if err := f.parse(text); err != nil {
		return nil, fmt.Errorf("%s: %w", f.displayPath(), err)
	}
	return f, nil
}

// moduleRoot returns the nearest directory at or above dir with a go.mod; "" if there is none.
func moduleRoot(dir string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
}

// displayPath returns the path relative to the current directory.
func (f *File) displayPath() string {
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, f.Path); err == nil {
			return rel
		}
	}
	return f.Path
}

// parse reads the text of the file.
func (f *File) parse(text []byte) error {
	var document yaml.Node
	if err := strictyaml.Decode(text, &document); err != nil {
		return err
	}
	if document.Kind == 0 || len(document.Content) == 0 {
		return nil // the file is empty
	}
	top := document.Content[0]
	if top.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: write keys and values, as in \"builtin: all\"", top.Line)
	}
	seen := map[string]int{}
	for i := 0; i < len(top.Content); i += 2 {
		key, value := top.Content[i], top.Content[i+1]
		if _, ok := keys[key.Value]; !ok {
			return fmt.Errorf("line %d: there is no key %q: the keys are %s", key.Line, key.Value, wording.List(Keys()))
		}
		if line := seen[key.Value]; line != 0 {
			return fmt.Errorf("line %d: %s is set in line %d, too", key.Line, key.Value, line)
		}
		seen[key.Value] = key.Line
		values, err := valuesOf(value)
		if err != nil {
			return fmt.Errorf("line %d: %s: %w", value.Line, key.Value, err)
		}
		if len(values) > 1 && slices.Contains([]kind{single, boolean, file}, keys[key.Value]) {
			return fmt.Errorf("line %d: %s: takes one value", value.Line, key.Value)
		}
		for _, v := range values {
			if err := f.check(keys[key.Value], v); err != nil {
				return fmt.Errorf("line %d: %s: %w", value.Line, key.Value, err)
			}
		}
		f.Settings = append(f.Settings, Setting{key.Value, values, key.Line})
	}
	return nil
}

// valuesOf returns the text of one or more values.
func valuesOf(n *yaml.Node) ([]string, error) {
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	var values []string
	for _, v := range nodes {
		switch {
		case v.Kind == yaml.AliasNode:
			return nil, fmt.Errorf("*%s stands for a value: write the value itself", v.Value)
		case v.Kind != yaml.ScalarNode && v == n:
			return nil, errors.New("must be a value, or a list of them in brackets")
		case v.Kind != yaml.ScalarNode:
			return nil, errors.New("its values must be single words or texts")
		case v.Tag == "!!null" || v.Value == "":
			return nil, errors.New("a value is missing: write one, or leave the key out")
		}
		values = append(values, v.Value)
	}
	if len(values) == 0 {
		return nil, errors.New("has no values: write one, or leave the key out")
	}
	return values, nil
}

// check rejects values that do not have the kind, above all files that are not below the root.
func (f *File) check(k kind, value string) error {
	switch k {
	case boolean:
		if value != "true" && value != "false" {
			return fmt.Errorf("%q is neither true nor false", value)
		}
	case file, paths:
		return f.checkFile(value)
	case reports:
		if _, name, named := strings.Cut(value, "="); named {
			return f.checkFile(name)
		}
	}
	return nil
}

// checkFile rejects a file that is not below the root.
func (f *File) checkFile(name string) error {
	if !filepath.IsLocal(name) {
		return fmt.Errorf("%s is not below the module's root: name a file there", name)
	}
	if leadsOut(f.Root, filepath.Join(f.Root, name)) {
		return fmt.Errorf("a symbolic link leads with %s out of the module", name)
	}
	return nil
}

// leadsOut reports whether symbolic links lead a file below a root out of it. The file itself may
// be a link, and need not exist. A dangling link counts, since it could lead anywhere later.
func leadsOut(root, file string) bool {
	if info, err := os.Lstat(file); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		file = filepath.Dir(file)
	} else if _, err := os.Stat(file); err != nil {
		return true
	}
	target, err := filepath.EvalSymlinks(file)
	if err != nil {
		return false // opening it reports the error
	}
	root, err = filepath.EvalSymlinks(root)
	return err != nil ||
		target != root && !strings.HasPrefix(target, strings.TrimSuffix(root,
			string(filepath.Separator))+string(filepath.Separator))
}

// Apply sets the flags that are not on the command line.
func (f *File) Apply(flags *pflag.FlagSet) error {
	if f == nil {
		return nil
	}
	for _, s := range f.Settings {
		flag := flags.Lookup(s.Key)
		if flag == nil || flag.Changed {
			continue
		}
		values := s.Values
		if _, repeats := flag.Value.(pflag.SliceValue); !repeats && keys[s.Key] == plain {
			values = []string{strings.Join(values, ",")}
		}
		for _, v := range values {
			if err := flags.Set(s.Key, f.resolve(s.Key, v)); err != nil {
				return fmt.Errorf("%s: line %d: %w", f.displayPath(), s.Line, err)
			}
		}
	}
	return nil
}

// resolve makes files in a value relative to the current directory.
func (f *File) resolve(key, value string) string {
	switch keys[key] {
	case packages:
		return f.pattern(value)
	case file, paths:
		return filepath.Join(f.fromHere(), value)
	case reports:
		if format, file, named := strings.Cut(value, "="); named {
			return format + "=" + filepath.Join(f.fromHere(), file)
		}
	}
	return value
}

// pattern returns a pattern of packages relative to the working directory of go.
func (f *File) pattern(p string) string {
	if !strings.HasPrefix(p, ".") {
		return p
	}
	rel, err := filepath.Rel(f.Dir, f.Root)
	if err != nil {
		return p
	}
	return "./" + path.Join(filepath.ToSlash(rel), p)
}

// fromHere returns the root relative to the current directory.
func (f *File) fromHere() string { return filepath.Dir(f.displayPath()) }

// InForce is a setting and its origin.
type InForce struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
	From   string   `json:"from"` // "default", or the file with the line
}

// List returns the values in force for all keys: those of the file, else the defaults of the flags.
// The file may be nil.
func (f *File) List(flags *pflag.FlagSet) []InForce {
	var all []InForce
	for _, key := range Keys() {
		flag := flags.Lookup(key)
		s := InForce{Key: key, Values: []string{}, From: "default"}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			s.Values = append(s.Values, list.GetSlice()...)
		} else if text := flag.Value.String(); text != "" {
			s.Values = append(s.Values, text)
		}
		if f != nil {
			if i := slices.IndexFunc(f.Settings, func(s Setting) bool { return s.Key == key }); i >= 0 {
				s.Values, s.From = f.Settings[i].Values, fmt.Sprintf("%s:%d", f.displayPath(), f.Settings[i].Line)
			}
		}
		all = append(all, s)
	}
	return all
}

// Write prints settings as a table.
func Write(w io.Writer, all []InForce) error {
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, s := range all {
		value := event.Printable(strings.Join(s.Values, ", "))
		if value == "" {
			value = "none"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", s.Key, value, s.From)
	}
	return table.Flush()
}

// WriteJSON prints settings as one JSON object.
func WriteJSON(w io.Writer, file *File, all []InForce) error {
	object := struct {
		File     string    `json:"file,omitempty"`
		Settings []InForce `json:"settings"`
	}{Settings: all}
	if file != nil {
		object.File = file.Path
	}
	return json.NewEncoder(w).Encode(object)
}
