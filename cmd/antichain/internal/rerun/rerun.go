// Package rerun builds the command lines that reports print, with which a user can repeat a run.
package rerun

import (
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/tlcheck/lsl"
)

// Verb returns the command line of a verb that was taken apart.
func Verb(verb string, args instrument.Args) string {
	words := slices.Concat([]string{"antichain", verb}, args.Own, args.Go)
	if len(args.Rest) > 0 && strings.HasPrefix(args.Rest[0], "-") {
		words = append(words, "--")
	}
	return Quote(append(words, args.Rest...))
}

// Attach returns the command that attaches to a process.
func Attach(spec specfile.Specification, logic string, pid int) string {
	from := specfile.Source{Files: specfile.Absolute(spec.Files), Formulas: spec.Formulas}
	words := append([]string{"antichain", "attach"}, from.Words()...)
	if logic != lsl.L3.String() {
		words = append(words, "--logic", logic)
	}
	return Quote(append(words, strconv.Itoa(pid)))
}

// With inserts flags into a command that begins with antichain and a verb.
func With(again string, flags ...string) string {
	words := strings.SplitN(again, " ", 3)
	return strings.Join(slices.Concat(words[:2], []string{Quote(flags)}, words[2:]), " ")
}

// Replay returns the command that runs a program under the schedule in a file. again is the command
// that runs it without a schedule.
func Replay(again, file string) string {
	quoted := Quote([]string{file})
	rest, runs := strings.CutPrefix(again, "antichain run ")
	switch {
	case runs && !strings.HasPrefix(rest, "-"):
		return "antichain replay " + quoted + " " + rest
	case runs, strings.HasPrefix(again, "antichain test "):
		return With(again, "--replay", file)
	}
	return "antichain replay " + quoted + " PACKAGE"
}

// Quote joins words, quoted for a shell.
func Quote(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = w
		if w == "" || strings.ContainsFunc(w, func(r rune) bool {
			return !strings.ContainsRune("+-./:=@_%,", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		}) {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
