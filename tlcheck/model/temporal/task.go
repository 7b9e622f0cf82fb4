package temporal

import (
	"strconv"
	"strings"
)

// QuoteTask returns the name of a task as it is written before the colon of an atom: in quotes unless it is a name.
func QuoteTask(task string) string {
	if task != "" && isLetter(task[0]) && prefix(task, isNamePart) == task && !reserved(task, CTL) {
		return task
	}
	return strconv.Quote(task)
}

// CutTask takes an atom t:(local) apart at the colon behind the task.
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
