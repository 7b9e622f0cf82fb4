//go:build unix

package verifying

import (
	"bufio"
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed fixes.txt
var fixesText string

// A fix is what changes in a program.
type fix struct {
	kernel  string
	changes []change
}

// A change is of lines that follow each other.
type change []line

// line is a line of a change.
type line struct {
	mark byte // '=' it stays, '-' it goes, '+' it is new
	text string
}

// fixes reads the fixes of kernels.
func fixes(text string) (all []*fix, err error) {
	lines := bufio.NewScanner(strings.NewReader(text))
	var f *fix
	open := false // further lines are of the last change
	for n := 1; lines.Scan(); n++ {
		switch l := lines.Text(); {
		case strings.HasPrefix(l, "#"):
		case l == "":
			open = false
		case strings.IndexByte("=-+", l[0]) < 0:
			f = &fix{kernel: l}
			all = append(all, f)
			open = false
		case f == nil:
			return nil, fmt.Errorf("fixes.txt:%d: a change of no kernel", n)
		default:
			if !open {
				f.changes, open = append(f.changes, nil), true
			}
			last := &f.changes[len(f.changes)-1]
			*last = append(*last, line{l[0], l[1:]})
		}
	}
	return all, lines.Err()
}

// apply returns the text with all changes made. suffix stands for _X in them.
func (f *fix) apply(text, suffix string) (string, error) {
	lines := strings.Split(text, "\n")
	for _, c := range f.changes {
		var err error
		if lines, err = c.apply(lines, suffix); err != nil {
			return "", fmt.Errorf("%s: %w", f.kernel, err)
		}
	}
	return strings.Join(lines, "\n"), nil
}

// apply makes the change in the lines of a program.
func (c change) apply(lines []string, suffix string) ([]string, error) {
	at := c.find(lines, suffix)
	if at == nil {
		return nil, fmt.Errorf("there is no place, or there are several, for the change that begins with %q", c[0].text)
	}
	var changed []string
	done := 0
	for _, l := range c {
		text := strings.ReplaceAll(l.text, "_X", suffix)
		if l.mark == '+' {
			changed = append(changed, text)
			continue
		}
		changed = append(changed, lines[done:at[0]]...)
		if l.mark == '=' {
			changed = append(changed, lines[at[0]])
		}
		done, at = at[0]+1, at[1:]
	}
	return append(changed, lines[done:]...), nil
}

// find returns the lines that stay or go; nil if they are not in the program, or more than once.
func (c change) find(lines []string, suffix string) (at []int) {
	for from := range lines {
		if found := c.findAt(lines, suffix, from); found != nil {
			if at != nil {
				return nil
			}
			at = found
		}
	}
	return at
}

func (c change) findAt(lines []string, suffix string, from int) (at []int) {
	for _, l := range c {
		if l.mark == '+' {
			continue
		}
		for len(at) > 0 && from < len(lines) && code(lines[from]) == "" {
			from++
		}
		if from >= len(lines) || code(lines[from]) != code(strings.ReplaceAll(l.text, "_X", suffix)) {
			return nil
		}
		at = append(at, from)
		from++
	}
	return at
}

// code is a line without space around it and without a comment.
func code(line string) string {
	line, _, _ = strings.Cut(line, "//")
	return strings.TrimSpace(line)
}

// A half is a fix without a part.
type half struct {
	*fix
	without string
}

// halves returns the fix without one of its changes, then with one of the lines again that go, then
// without one of its new lines; at last one without anything.
func (f *fix) halves() (all []half) {
	add := func(without string, changes []change) {
		all = append(all, half{&fix{f.kernel, changes}, without})
	}
	if len(f.changes) > 1 {
		for i, c := range f.changes {
			without := fmt.Sprintf("without change %d of %d, at %q", i+1, len(f.changes), c[0].text)
			add(without, slices.Delete(slices.Clone(f.changes), i, i+1))
		}
	}
	for _, mark := range []byte("-+") {
		for i, c := range f.changes {
			for j, l := range c {
				if l.mark != mark {
					continue
				}
				some := slices.Clone(f.changes)
				if mark == '+' {
					some[i] = slices.Delete(slices.Clone(c), j, j+1)
					add(fmt.Sprintf("without %q", l.text), some)
				} else {
					some[i] = slices.Clone(c)
					some[i][j].mark = '='
					add(fmt.Sprintf("with %q again", l.text), some)
				}
			}
		}
	}
	return append(all, half{&fix{kernel: f.kernel}, "without all of it"})
}
