package kripke

import (
	"fmt"
	"strings"
)

// Text writes a state in a line, as "state 3: P0.at=m2 P1.at=n1 turn=0".
func Text(sys System, s State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "state %d", s)
	sep := ": "
	for _, f := range sys.Describe(s) {
		b.WriteString(sep + FieldText(sys, f))
		sep = " "
	}
	return b.String()
}

// FieldText writes a field: "P0.at=m2" or "turn=0". Variables need no process, as their names are
// unique.
func FieldText(sys System, f Field) string {
	if f.Process == NoProcess || f.Name != At {
		return f.Name + "=" + f.Value
	}
	return sys.Processes()[f.Process] + "." + f.Name + "=" + f.Value
}
