package helper

import (
	"regexp"
	"strconv"
	"strings"
)

// release is the part of a release of Go that determines its language: 27 of go1.27.4. No other
// part has changed the language or the form of export data since Go 1.
type release int

var releaseVersion = regexp.MustCompile(`^go1\.(\d+)(?:\.\d+|rc\d+|beta\d+)?(?:[- ].*)?$`)

// releaseOf reads the version of a released Go, without experiments or a distributor's name. It is
// false for a version under development.
func releaseOf(version string) (release, bool) {
	m := releaseVersion.FindStringSubmatch(version)
	if m == nil || strings.Contains(version, "devel") {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return release(n), err == nil
}

var anyVersion = regexp.MustCompile(`\bgo1\.(\d+)`)

// languageOf returns the version of the language, such as "1.27", for the go line of a module that
// a toolchain compiles. For a toolchain with an unknown version it is the version in this go.mod.
func languageOf(version string) string {
	if m := anyVersion.FindStringSubmatch(version); m != nil {
		return "1." + m[1]
	}
	return "1.26"
}

// canRead reports whether a program that was built with one version of Go reads all that a
// toolchain of the other version compiles. An unknown version counts as newer; a program that was
// built with a release under development knows the one before it.
func canRead(own, toolchain string) bool {
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

// isSame reports whether a program of one version was compiled by a toolchain of the other, which
// does not report its experiments.
func isSame(program, toolchain string) bool {
	return experiments.ReplaceAllString(program, "") == experiments.ReplaceAllString(toolchain, "")
}

// toolchainName returns the value of GOTOOLCHAIN for a version, such as go1.27.4. It is "local" for
// a version that cannot be requested.
func toolchainName(version string) string {
	if _, ok := releaseOf(version); !ok || strings.ContainsAny(version, "- ") {
		return "local"
	}
	return version
}
