package temporal

import (
	"strconv"
	"strings"
)

// QuoteTask returns the name of a task for use in an atom: in quotes unless it is a name.
func QuoteTask(task string) string {
	if isName(task) && !reserved(task, CTL) {
		return task
	}
	return strconv.Quote(task)
}

func isName(text string) bool {
	return text != "" && isLetter(rune(text[0])) && strings.TrimLeftFunc(text, isNamePart) == ""
}

// CutTask splits an atom t:(local) at the colon after the task.
func CutTask(atom string) (task, local string, ok bool) {
	if !strings.HasPrefix(atom, `"`) {
		task, local, ok = strings.Cut(atom, ":")
		return strings.TrimSpace(task), local, ok
	}
	quoted, err := strconv.QuotedPrefix(atom)
	if err != nil {
		return "", "", false
	}
	task, _ = strconv.Unquote(quoted)
	local, ok = strings.CutPrefix(strings.TrimSpace(atom[len(quoted):]), ":")
	return task, local, ok
}
