package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tracer/instrument"
)

// sourceDirs is where the lines of the traced program are looked for: here, beside the
// specifications, and where the modules of these begin, since positions are relative to that.
func sourceDirs(specs []string) []string {
	dirs := []string{"."}
	for _, f := range specs {
		dirs = append(dirs, filepath.Dir(f))
	}
	for _, dir := range dirs {
		if root, ok := moduleRoot(dir); ok {
			dirs = append(dirs, root)
		}
	}
	return dirs
}

// moduleRoot finds the directory above dir, or dir itself, that holds a go.mod.
func moduleRoot(dir string) (string, bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// againCheck is the command that checks a trace again.
func againCheck(specs *specfile.Source, how *checkFlags, from *input.Flags, trace, run string) string {
	if trace == "-" {
		return ""
	}
	words := append([]string{"antichain", "check"}, specs.Words()...)
	if how.logic != "l3" {
		words = append(words, "--logic", how.logic)
	}
	if how.witness == lastWitness {
		words = append(words, "--witness", lastWitness)
	}
	words = append(words, how.Counting.Words()...)
	words = append(words, from.Words(run)...)
	return quoteCommand(append(words, trace))
}

// againVerb is the command line of a verb that was taken apart, once more.
func againVerb(verb string, args instrument.Args) string {
	words := slices.Concat([]string{"antichain", verb}, args.Own, args.Go)
	if len(args.Rest) > 0 && strings.HasPrefix(args.Rest[0], "-") {
		words = append(words, "--")
	}
	return quoteCommand(append(words, args.Rest...))
}

// againAttach is the command that attaches to a process.
func againAttach(spec specification, logic string, pid int) string {
	from := specfile.Source{Files: absolute(spec.Files), Formulas: spec.Formulas}
	words := append([]string{"antichain", "attach"}, from.Words()...)
	if logic != lsl.L3.String() {
		words = append(words, "--logic", logic)
	}
	return quoteCommand(append(words, strconv.Itoa(pid)))
}

// quoteCommand joins words so that a shell reads them as they are.
func quoteCommand(words []string) string {
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
