//go:build unix

package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/report"
)

//go:embed judged.txt
var judgedText string

// A verdict on a report that does not name the bug.
type verdict struct {
	right  bool
	reason string
}

// extra identifies reports of a program that say the same.
type extra struct{ program, property, places string }

// extraOf is the identity of a report.
func extraOf(program string, f *report.BuiltinObject) extra {
	var places []string
	for _, p := range f.Parties {
		places = append(places, path.Base(p.At))
	}
	slices.Sort(places)
	return extra{program, f.Builtin, strings.Join(places, ",")}
}

// judgements reads judged reports.
func judgements(text string) (map[extra]verdict, error) {
	judged := make(map[extra]verdict)
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) < 5 || fields[3] != "true" && fields[3] != "false" {
			return nil, fmt.Errorf("judged.txt:%d: not of the form PROGRAM PROPERTY PLACES true|false REASON", n)
		}
		judged[extra{fields[0], fields[1], fields[2]}] = verdict{fields[3] == "true", strings.Join(fields[4:], " ")}
	}
	return judged, nil
}
