package leak

import (
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// text returns the sentence that a task which runs a function has not finished when another one
// ends the program.
func text(w candidate.Words, left *candidate.Mark, t op.Task, function string, how rule.Certainty) string {
	ends, task := w.TaskName(left.Task), w.TaskName(t)
	function = op.DisplayFunction(function)
	if called, _, _ := strings.Cut(w.Task(t).Display, " #"); called == function {
		task += ", which must finish, has"
	} else {
		task += ", which runs " + function + " and must finish, has"
	}
	if how == rule.Predicted {
		return ends + " can end the program" + w.At(left.At) + " before " + task + " finished: nothing makes it wait"
	}
	return ends + " ends the program" + w.At(left.At) + " while " + task + " not"
}
