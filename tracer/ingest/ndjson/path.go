package ndjson

import (
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

// path locates a field: the names on the way.
type path []string

func newPath(text string) (path, error) {
	p := path(strings.Split(text, "."))
	if slices.Contains(p, "") {
		return nil, fmt.Errorf("%q is not a path of a field: write names separated by dots", text)
	}
	return p, nil
}

func pathOf(v event.Value) (path, error) {
	if v.Kind() != event.String {
		return nil, fmt.Errorf("%.40s is not a path of a field: write it in quotes", event.Printable(v.String()))
	}
	return newPath(v.Str())
}

// String is for messages: a mapping can hold any characters.
func (p path) String() string { return event.Printable(strings.Join(p, ".")) }

// lookup returns the field of an object. Names can have dots: the longest existing one is taken, as
// for the variables of formulas.
func (p path) lookup(v event.Value) (event.Value, bool) {
	for len(p) > 0 {
		n := len(p)
		for ; n > 0; n-- {
			if w, ok := v.Field(strings.Join(p[:n], ".")); ok {
				v = w
				break
			}
		}
		if n == 0 {
			return event.Value{}, false
		}
		p = p[n:]
	}
	return v, true
}

// text returns a string, or the digits of a number: the values that can be a name or a key.
func text(v event.Value) (string, bool) {
	switch v.Kind() {
	case event.String:
		return v.Str(), v.Str() != ""
	case event.Int, event.Uint, event.Float:
		return v.String(), true
	}
	return "", false
}

// template is a text with fields in it.
type template struct {
	texts  []string // one more than there are fields
	fields []path
}

func newTemplate(text string) (template, error) {
	var t template
	rest := text
	for {
		before, behind, ok := strings.Cut(rest, "{")
		t.texts = append(t.texts, before)
		if !ok {
			break
		}
		name, behind, ok := strings.Cut(behind, "}")
		if !ok {
			return t, fmt.Errorf("%q has a { without a }", text)
		}
		field, err := newPath(name)
		if err != nil {
			return t, err
		}
		t.fields = append(t.fields, field)
		rest = behind
	}
	if len(t.fields) == 0 && text == "" {
		return t, fmt.Errorf("the name of a function is empty")
	}
	return t, nil
}

// fill puts the fields of a line in.
func (t template) fill(line event.Value) (string, error) {
	var b strings.Builder
	for i, text := range t.texts {
		b.WriteString(text)
		if i == len(t.fields) {
			break
		}
		s, err := requiredText(line, t.fields[i], "which names a function")
		if err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

// requiredText returns the text of a field that a line must have.
func requiredText(line event.Value, field path, why string) (string, error) {
	v, ok := field.lookup(line)
	if !ok {
		return "", fmt.Errorf("no field %s, %s", field, why)
	}
	s, ok := text(v)
	if !ok {
		return "", fmt.Errorf("the field %s, %s, is neither a string nor a number: %.40s", field, why,
			event.Printable(v.String()))
	}
	return s, nil
}

// distance is the number of letters by which two words differ (Levenshtein's).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
