package helper

import (
	"regexp"
	"strconv"
	"strings"
)

// release is a release of Go as far as its language goes: 27 of go1.27.4. No other part has changed the
// language or the form of export data since Go 1.
type release int

var releaseVersion = regexp.MustCompile(`^go1\.(\d+)(?:\.\d+|rc\d+|beta\d+)?(?:[- ].*)?$`)

// releaseOf reads the version of a released Go, of which a part with experiments or the name of a
// distributor does not count. It is false for what is under development.
func releaseOf(version string) (release, bool) {
	m := releaseVersion.FindStringSubmatch(version)
	if m == nil || strings.Contains(version, "devel") {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return release(n), err == nil
}

var anyVersion = regexp.MustCompile(`\bgo1\.(\d+)`)

// languageOf is the version of the language for the go line of a module that a toolchain compiles: "1.27". It is
// that of go.mod here for a toolchain that does not tell.
func languageOf(version string) string {
	if m := anyVersion.FindStringSubmatch(version); m != nil {
		return "1." + m[1]
	}
	return "1.26"
}

// knows reports whether a program that was built with one version of Go reads all that a toolchain of the
// other version compiles. What cannot be told counts as newer; a program that was built with a release under
// development knows the one before it.
func knows(own, toolchain string) bool {
	if own == toolchain {
		return true
	}
	theirs, ok := releaseOf(toolchain)
	if !ok {
		return false
	}
	if mine, ok := releaseOf(own); ok {
		return mine >= theirs
	}
	m := anyVersion.FindStringSubmatch(own)
	if m == nil {
		return false
	}
	n, err := strconv.Atoi(m[1])
	return err == nil && release(n) > theirs
}

var experiments = regexp.MustCompile(`[ -]X:.*`)

// isSame reports whether a program of one version was compiled by a toolchain of the other, which does not tell
// the experiments that are on.
func isSame(program, toolchain string) bool {
	return experiments.ReplaceAllString(program, "") == experiments.ReplaceAllString(toolchain, "")
}

// toolchainName is what GOTOOLCHAIN calls a version: go1.27.4. It is "local" for one that cannot be asked for.
func toolchainName(version string) string {
	if _, ok := releaseOf(version); !ok || strings.ContainsAny(version, "- ") {
		return "local"
	}
	return version
}
