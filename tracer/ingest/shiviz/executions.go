package shiviz

import (
	"cmp"
	"fmt"
	"strings"
)

// split returns a reader for each execution of a log that was loaded. A blank one is none. An
// execution is called what its delimiter says, or else by its number.
func (r *Reader) split() ([]*Reader, error) {
	if r.form.delimiter == nil {
		return []*Reader{r}, nil
	}
	var all []*Reader
	ids := map[string]bool{}
	label, from := "", r.begin
	add := func(to int) error {
		if strings.TrimSpace(r.text[from:to]) == "" {
			return nil
		}
		if err := r.charge(bytesOfReader); err != nil {
			return err
		}
		number := fmt.Sprint(len(all) + 1)
		id := cmp.Or(label, number)
		for ids[id] {
			id += " " + number
		}
		ids[id] = true
		one := *r
		one.ID, one.text, one.begin = id, r.text[:to], from
		all = append(all, &one)
		return nil
	}
	group := r.form.delimiter.SubexpIndex(groupTrace)
	for _, m := range r.form.delimiter.FindAllStringSubmatchIndex(r.text[r.begin:], -1) {
		if err := add(r.begin + m[0]); err != nil {
			return nil, err
		}
		label, from = "", r.begin+m[1]
		if group >= 0 && m[2*group] >= 0 {
			label = strings.TrimSpace(r.text[r.begin+m[2*group] : r.begin+m[2*group+1]])
		}
	}
	if err := add(len(r.text)); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return []*Reader{r}, nil // which has no event
	}
	return all, nil
}

const bytesOfReader = 1 << 9 // about
