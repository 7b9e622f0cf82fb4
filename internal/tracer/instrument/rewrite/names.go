package rewrite

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

func sortLocals(list []local) {
	slices.SortFunc(list, func(a, b local) int { return cmp.Compare(a.obj.Pos(), b.obj.Pos()) })
}

// variablePath splits "b.data[1].x" into b, data. The part after an index is looked up in the
// recorded value.
func variablePath(text string) []string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "[")
	return strings.Split(text, ".")
}

// matchPattern reports whether a --func pattern matches a canonical name.
func matchPattern(pattern, name string) bool {
	ok, err := path.Match(canonicalPattern(pattern), name)
	return ok && err == nil
}

// canonicalPattern removes the parentheses and star of a receiver: "(*Queue).*" means "Queue.*".
func canonicalPattern(pattern string) string {
	pattern = strings.ReplaceAll(pattern, "(*", "")
	return strings.NewReplacer("(", "", ")", "").Replace(pattern)
}

// Suggest returns ` (did you mean "X"?)` for the candidate nearest to name, or "".
func Suggest(name string, candidates []string) string {
	best, bestDistance := "", 1+len(name)/3
	for _, c := range candidates {
		d := distance(strings.ToLower(name), strings.ToLower(c))
		if strings.HasSuffix(c, "."+name) {
			d = 0
		}
		if d < bestDistance || d == bestDistance && best == "" {
			best, bestDistance = c, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// distance is the edit distance of two names (Wagner & Fischer 1974).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

const maxCandidates = 12

// joinNames sorts names, drops doubles, and cuts a long list.
func joinNames(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) > maxCandidates {
		names = append(names[:maxCandidates:maxCandidates], "…")
	}
	return names
}
