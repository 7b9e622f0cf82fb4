package lsp

import (
	"regexp"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

// temporal, connectives and constants are the words of formulas, in the order in which completion
// lists them.
var (
	temporal = []string{"next", "all_next", "sometime", "always", "eventually", "henceforth", "until", "before",
		"forall", "exists"}
	connectives = []string{"not", "and", "or", "implies"}
	constants   = []string{"true", "false", "null"}
	builtins    = []string{"len", "abs", "min", "max", "even", "odd", "sorted", "prev"}
	phases      = []string{spec.AnyPhase.String(), spec.StartPhase.String(), spec.TermPhase.String()}
	beginnings  = []string{"property", "shared", "must_finish", "may_wait", "linearizable", "operation"}
)

// passages has the beginnings of the paragraphs, or of parts of them, in the reference that explain
// words.
var passages = map[string][]string{
	"A specification is a file":                    {"property"},
	"antichain checks a property marked initially": {"initially"},
	"A line shared b.last":                         {"shared"},
	"Two lines are about built-in properties":      {"must_finish", "may_wait"},
	"Such a property says that calls of these":     {"linearizable", "operation"},
	"Expressions follow Go": {"true", "false", "null", "len", "abs", "min",
		"max", "sorted"},
	"even(list) is true if":     {"even", "odd"},
	"prev(x) is the value that": {"prev"},
	"c is t == u":               {"if", "caller"},
	"next^3 p is":               {"next", "all_next"},
	"next, sometime, always, until and before do not look at": {"next", "sometime", "always", "until", "before"},
	"eventually and henceforth are the same with":             {"eventually", "henceforth"},
	"in.f, start.f and term.f are true or false":              {"in", "start", "term"},
}

// wordsOf returns the explanations of words in a reference, as Markdown.
func wordsOf(reference string) map[string]string {
	words := map[string]string{}
	add := func(word, text string) {
		if words[word] != "" {
			text = words[word] + "\n\n" + text
		}
		words[word] = text
	}
	for _, row := range rowsOf(reference) {
		for _, word := range row.words() {
			add(word, row.markdown())
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^    (in|start|term)\.f +(.+)$`).FindAllStringSubmatch(reference, -1) {
		add(m[1], "`"+m[1]+".f`: "+escape(m[2]))
	}
	for _, name := range builtins {
		add(name, "`"+regexp.MustCompile(`\b`+name+`\([a-z,]+\)`).FindString(reference)+"`")
	}
	for paragraph := range strings.SplitSeq(reference, "\n\n") {
		paragraph = strings.Join(strings.Fields(paragraph), " ")
		for passage, of := range passages {
			if strings.Contains(paragraph, passage) {
				for _, word := range of {
					add(word, escape(strings.TrimSuffix(paragraph, ":")))
				}
			}
		}
	}
	return words
}

func escape(text string) string {
	return strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "`", "\\`").Replace(text)
}

// row is a row of the table of formulas: the formula, and when it is true, false and undefined.
type row [4]string

// rowsOf reads the table of formulas.
func rowsOf(reference string) (rows []row) {
	head := regexp.MustCompile(`(?m)^    formula +(true +)(false +)undefined$`).FindStringIndex(reference)
	if head == nil {
		return nil
	}
	title, table, _ := strings.Cut(reference[head[0]:], "\n")
	columns := []int{4, strings.Index(title, "true"), strings.Index(title, "false"), strings.Index(title, "undefined")}
	for line := range strings.Lines(table) {
		line = strings.TrimRight(line, "\n")
		if line == "" {
			break
		}
		cells := cellsOf(line, columns)
		if cells[0] != "" {
			rows = append(rows, row{})
		}
		last := &rows[len(rows)-1]
		for i, cell := range cells {
			last[i] = strings.TrimSpace(last[i] + " " + cell)
		}
	}
	return rows
}

// cellsOf splits a line at columns. A column in the middle of a word belongs to the cell before it.
func cellsOf(line string, columns []int) (cells row) {
	from, cell := columns[0], 0
	for i := 1; i < len(columns); i++ {
		at := columns[i]
		if at >= len(line) || line[at-1] != ' ' || line[at-2] != ' ' && strings.TrimSpace(line[from:at]) != "" {
			continue
		}
		cells[cell] = strings.TrimSpace(line[from:at])
		from, cell = at, i
	}
	cells[cell] = strings.TrimSpace(line[min(from, len(line)):])
	return cells
}

// words returns the words of the language that a row explains.
func (r row) words() (words []string) {
	known := slices.Concat(spec.Keywords(), []string{"->"})
	for _, word := range strings.Fields(r[0] + strings.ReplaceAll(r[1], "also written p implies q", "implies")) {
		if slices.Contains(known, word) && (slices.Contains(strings.Fields(r[0]), word) || word == "implies") {
			words = append(words, word)
		}
	}
	return words
}

func (r row) markdown() string {
	text := "`" + r[0] + "`"
	for i, value := range []string{"true", "false", "undefined"} {
		switch cell := escape(r[i+1]); {
		case r[2] == "" && i == 0:
			text += ": " + cell
		case cell != "":
			text += "  \n" + value + ": " + cell
		}
	}
	return text
}
