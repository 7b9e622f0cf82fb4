//go:build unix

package main

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
)

// A scoreObject is a score as -json prints it.
type scoreObject struct {
	Board    string        `json:"board"`
	Program  string        `json:"program"`
	Class    string        `json:"class"`
	Runs     int           `json:"runs"`
	Named    int           `json:"named"`    // runs that named the bug
	Profiled *int          `json:"profiled"` // runs in whose profile anything is leaked; null without a profile
	Extras   []extraObject `json:"extras"`   // reports that do not name the bug
	Failures []string      `json:"failures"` // runs that were not checked
}

// An extraObject is a report that does not name the bug.
type extraObject struct {
	Property string `json:"property"`
	Places   string `json:"places"`
	Judged   string `json:"judged"` // true, false, or "" where nobody has
}

// writeJSON prints a scoreboard, one line a program.
func writeJSON(w io.Writer, board string, scores []*score, judged map[extra]verdict) error {
	out := json.NewEncoder(w)
	for _, s := range scores {
		if err := out.Encode(s.object(board, judged)); err != nil {
			return err
		}
	}
	return nil
}

func (s *score) object(board string, judged map[extra]verdict) *scoreObject {
	o := &scoreObject{Board: board, Program: s.name, Class: s.class, Runs: s.runs, Named: s.named, Failures: s.failures}
	if s.untraced != nil {
		o.Profiled = &s.profiled
	}
	for _, e := range slices.SortedFunc(maps.Keys(s.extras), compareExtras) {
		x := extraObject{Property: e.property, Places: e.places}
		if v, ok := judged[e]; ok {
			x.Judged = map[bool]string{true: "true", false: "false"}[v.right]
		}
		o.Extras = append(o.Extras, x)
	}
	return o
}

// compareExtras orders the reports of one program.
func compareExtras(a, b extra) int {
	return cmp.Or(strings.Compare(a.property, b.property), strings.Compare(a.places, b.places))
}
