package view

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/report"
)

// around is the number of source lines shown before and after a position.
const around = 8

// maxSourceLines limits the source lines of one finding or run.
const maxSourceLines = 4000

// filesOf returns the lines around the positions, as far as the source can be read.
func filesOf(places []string, source report.Source) []*File {
	lines := map[string]map[int]bool{} // by file
	example := map[string]string{}
	for _, at := range places {
		i := strings.LastIndexByte(at, ':')
		if i < 0 {
			continue
		}
		n, err := strconv.Atoi(at[i+1:])
		if err != nil {
			continue
		}
		name := at[:i]
		if lines[name] == nil {
			lines[name], example[name] = map[int]bool{}, at
		}
		lines[name][n] = true
	}
	var files []*File
	left := maxSourceLines
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		content, _, ok := source.File(example[name])
		if !ok {
			continue
		}
		shown := source.Path(example[name])
		f := &File{Name: text(name), Shown: text(shown[:max(strings.LastIndexByte(shown, ':'), 0)])}
		f.Excerpts = excerpts(strings.Split(strings.TrimSuffix(string(content), "\n"), "\n"),
			slices.Sorted(maps.Keys(lines[name])), &left)
		if len(f.Excerpts) > 0 {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b *File) int { return cmp.Compare(a.Name, b.Name) })
	return files
}

// excerpts returns the lines around those with these numbers, which ascend, while lines are left.
func excerpts(content []string, numbers []int, left *int) (all []Excerpt) {
	next := 1 // the first line that is not shown yet
	for _, n := range numbers {
		if n > len(content) {
			break
		}
		from, to := max(n-around, 1), min(n+around, len(content))
		if len(all) == 0 || from > next {
			all = append(all, Excerpt{From: from})
			next = from
		}
		e := &all[len(all)-1]
		for ; next <= to && *left > 0; next++ {
			e.Lines = append(e.Lines, text(strings.ReplaceAll(content[next-1], "\t", "    ")))
			*left--
		}
		if *left <= 0 {
			break
		}
	}
	return slices.DeleteFunc(all, func(e Excerpt) bool { return len(e.Lines) == 0 })
}
