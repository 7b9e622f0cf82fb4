// Package site defines the site table. It describes each instrumented place of a traced program,
// and the meaning of the values that the place records. The source rewriter writes the table, the
// traced binary contains it, and package internal/tracer/process reads it.
//
// It is also compiled by the user's toolchain (package frontend), so it imports nothing but the
// standard library.
package site

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Kind is the kind of a site.
type Kind string

// The kinds of site. The zero Kind is a site that does not matter to the
// specification of this table: a reader skips its records, values included. Such
// sites exist because several specifications may share one build (go test ./...).
const (
	None  Kind = ""
	Enter Kind = "enter" // function entered; values: tracked parameters
	// function left; values: tracked results, absent after a panic or Goexit
	Exit       Kind = "exit"
	Stmt       Kind = "stmt"       // statement executed; values: the tracked variables it mentions
	SharedInit Kind = "sharedinit" // end of package initialisation; values: shared variables
)

// Scope says where the value of a variable goes.
type Scope string

// The scopes. A Shared value is only a write: every look-up would find a local copy first, which
// would hide the set of values (docs/semantics.md, "What a local state knows").
const (
	Frame  Scope = "frame"  // event.Set
	Global Scope = "global" // event.Global
	Shared Scope = "shared" // event.Write; in a SharedInit site, the initial value in the header
)

// Var is one value of a site's record. A variable without a name is decoded and dropped.
type Var struct {
	Name  string `json:"name,omitempty"` // path as in the specification: "b.last"
	Scope Scope  `json:"scope,omitempty"`
}

// Site is one instrumented place. Its id in records is its index in Table.Sites.
type Site struct {
	Kind Kind `json:"kind,omitempty"`
	// canonical frame name: "append", "Queue.append", "main.func1"; in a Stmt, where it stands
	Func string `json:"func,omitempty"`
	At   string `json:"at,omitempty"`   // "file.go:line", the user's own position
	Vars []Var  `json:"vars,omitempty"` // in the order of the record's values
}

// Table describes a traced binary for one specification.
type Table struct {
	Module  string // module path; "" outside of modules
	Package string // import path of the specification's package
	Root    string // directory that positions are relative to; "" if it is not to be known
	SpecID  string // identity of the instrumented code; see ID

	Instrumented Instrumentation
	Consts       []Const  // program constants that the specification names
	Shared       []string // shared variables, as named in Var

	Sites []Site // index = site id; ids are common to all tables of one build
}

// Instrumentation lists what a traced program records, as canonical names. The header of a trace
// has the same fields (event.Instrumentation).
type Instrumentation struct {
	Package   string   // import path that short names are resolved against
	Functions []string // frame names
	Variables []string // variable paths as recorded
	Steps     bool     // every statement of the traced functions is an event
	// frame names of functions, by other names that the specification has for them
	Names map[string]string `json:",omitempty"`
	// functions whose calls have arguments and results, as those of operations
	Operations []string `json:",omitempty"`
	// kinds of synchronisation that the tracer cannot see
	Untraced []string `json:",omitempty"`
	// built-in properties that cannot be judged, each followed by a colon and why
	Unwatched []string `json:",omitempty"`
}

// Const is a constant of the program.
type Const struct {
	Name  string
	Value any // bool, int64, uint64, float64 or string
}

// ID computes the identity of what t instruments: tables with the same id record the
// same functions and variables of the same package.
func (t *Table) ID() string {
	var b strings.Builder
	add := func(kind string, names []string) {
		names = slices.Clone(names)
		slices.Sort(names)
		fmt.Fprintf(&b, "%s %q\n", kind, names)
	}
	add("package", []string{t.Package})
	add("functions", t.Instrumented.Functions)
	add("variables", t.Instrumented.Variables)
	add("shared", t.Shared)
	fmt.Fprintf(&b, "steps %v\n", t.Instrumented.Steps)
	if len(t.Instrumented.Operations) > 0 {
		add("operations", t.Instrumented.Operations)
		for _, s := range t.Sites {
			if slices.Contains(t.Instrumented.Operations, s.Func) {
				fmt.Fprintf(&b, "%s %s %q\n", s.Kind, s.Func, s.Vars)
			}
		}
	}
	if len(t.Instrumented.Untraced) > 0 {
		add("untraced", t.Instrumented.Untraced)
	}
	if len(t.Instrumented.Unwatched) > 0 {
		add("unwatched", t.Instrumented.Unwatched)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:8])
}

// Site returns the site of an id in a record. The id may be arbitrary: a crashing program scribbles
// over its ring.
func (t *Table) Site(id uint64) (*Site, bool) {
	if id >= uint64(len(t.Sites)) {
		return nil, false
	}
	return &t.Sites[id], true
}

// wireTable is the JSON form of a Table; constants are scalars with their kind.
type wireTable struct {
	Version      int             `json:"antichain_sites"`
	Module       string          `json:"module,omitempty"`
	Package      string          `json:"package,omitempty"`
	Root         string          `json:"root,omitempty"`
	SpecID       string          `json:"spec_id,omitempty"`
	Instrumented Instrumentation `json:"instrumented"`
	Consts       []wireConst     `json:"consts,omitempty"`
	Shared       []string        `json:"shared,omitempty"`
	Sites        []Site          `json:"sites"`
}

type wireConst struct {
	Name   string   `json:"name"`
	Bool   *bool    `json:"bool,omitempty"`
	Int    *int64   `json:"int,omitempty"`
	Uint   *uint64  `json:"uint,omitempty"`
	Float  *float64 `json:"float,omitempty"`
	String []byte   `json:"string,omitempty"` // bytes: a Go string need not be UTF-8
}

const version = 1

// MarshalJSON writes the table.
func (t *Table) MarshalJSON() ([]byte, error) {
	w := wireTable{
		Version: version, Module: t.Module, Package: t.Package, Root: t.Root, SpecID: t.SpecID,
		Instrumented: t.Instrumented, Shared: t.Shared, Sites: t.Sites,
	}
	for _, c := range t.Consts {
		wc, err := encodeConst(c)
		if err != nil {
			return nil, err
		}
		w.Consts = append(w.Consts, wc)
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads a table; one of another version is an error.
func (t *Table) UnmarshalJSON(data []byte) error {
	var w wireTable
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	if w.Version != version {
		return fmt.Errorf("site table of version %d, want %d: build the program again with this antichain", w.Version,
			version)
	}
	*t = Table{
		Module: w.Module, Package: w.Package, Root: w.Root, SpecID: w.SpecID,
		Instrumented: w.Instrumented, Shared: w.Shared, Sites: w.Sites,
	}
	for _, wc := range w.Consts {
		t.Consts = append(t.Consts, Const{Name: wc.Name, Value: wc.value()})
	}
	return nil
}

func encodeConst(c Const) (wireConst, error) {
	w := wireConst{Name: c.Name}
	switch v := c.Value.(type) {
	case bool:
		w.Bool = &v
	case int64:
		w.Int = &v
	case uint64:
		w.Uint = &v
	case float64:
		w.Float = &v
	case string:
		w.String = []byte(v)
	default:
		return w, fmt.Errorf("constant %s: not a scalar", c.Name)
	}
	return w, nil
}

func (w wireConst) value() any {
	switch {
	case w.Bool != nil:
		return *w.Bool
	case w.Int != nil:
		return *w.Int
	case w.Uint != nil:
		return *w.Uint
	case w.Float != nil:
		return *w.Float
	}
	return string(w.String)
}
