//go:build unix

package versions

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Version is that of a release of Go, 1.Minor.Patch.
type Version struct{ Minor, Patch int }

func (v Version) String() string { return fmt.Sprintf("go1.%d.%d", v.Minor, v.Patch) }

func compareVersions(a, b Version) int {
	return cmp.Or(a.Minor-b.Minor, a.Patch-b.Patch)
}

// supported are the minor versions that antichain supports. Programs of the one before them are
// traced, too; what builds antichain itself fails there (see exceptions).
var supported = []int{26, 27}

const before = 25

// toolchainForm is the version of a toolchain in the form of a module: go1.26.1, without release
// candidates.
var toolchainForm = regexp.MustCompile(`^v0\.0\.1-go1\.(\d+)\.(\d+)\.(\w+)-(\w+)$`)

// parseVersions reads what go list -m -versions prints of the toolchains: the releases for a
// system, in order.
func parseVersions(text, goos, goarch string) []Version {
	var all []Version
	for _, word := range strings.Fields(text) {
		m := toolchainForm.FindStringSubmatch(word)
		if m == nil || m[3] != goos || m[4] != goarch {
			continue
		}
		minor, err1 := strconv.Atoi(m[1])
		patch, err2 := strconv.Atoi(m[2])
		if err1 == nil && err2 == nil {
			all = append(all, Version{minor, patch})
		}
	}
	slices.SortFunc(all, compareVersions)
	return slices.Compact(all)
}

// chooseVersions are the releases in the table: the newest of the version before the supported
// ones, and of each of these the first and the newest.
func chooseVersions(all []Version) []Version {
	var chosen []Version
	if v, ok := newest(all, before); ok {
		chosen = append(chosen, v)
	}
	for _, minor := range supported {
		first := slices.IndexFunc(all, func(v Version) bool { return v.Minor == minor })
		if first < 0 {
			continue
		}
		last, _ := newest(all, minor)
		chosen = append(chosen, all[first], last)
	}
	return slices.Compact(chosen)
}

// newest is the newest release of a minor version.
func newest(all []Version, minor int) (last Version, ok bool) {
	for _, v := range all {
		if v.Minor == minor && (!ok || compareVersions(v, last) > 0) {
			last, ok = v, true
		}
	}
	return last, ok
}

// other is the minor version that is supported besides this one: the newest of those that are.
func other(minor int) int {
	for _, o := range slices.Backward(supported) {
		if o != minor {
			return o
		}
	}
	return minor
}

// releaseForm is a release as it is named on the command line and in the table.
var releaseForm = regexp.MustCompile(`^(?:go)?1\.(\d+)\.(\d+)$`)

func parseVersion(text string) (Version, bool) {
	m := releaseForm.FindStringSubmatch(text)
	if m == nil {
		return Version{}, false
	}
	minor, err1 := strconv.Atoi(m[1])
	patch, err2 := strconv.Atoi(m[2])
	return Version{minor, patch}, err1 == nil && err2 == nil
}

// A release is a toolchain that builds the traced programs: a column of the table.
type release struct {
	name   string
	minor  int
	goroot string // where it is, if that was said; else the go command fetches it
}

// releaseOf is a release that the go command fetches.
func releaseOf(v Version) *release { return &release{name: v.String(), minor: v.Minor} }

// releaseAt is whatever version of Go is at a GOROOT, by what go env GOVERSION prints there.
func releaseAt(goroot, version string) (*release, error) {
	minor, err := minorOf(version)
	return &release{name: strings.Join(strings.Fields(version), "-"), minor: minor, goroot: goroot}, err
}

// minorForm is in the version of a release, and of what will be one.
var minorForm = regexp.MustCompile(`\bgo1\.(\d+)`)

func minorOf(version string) (int, error) {
	m := minorForm.FindStringSubmatch(version)
	if m == nil {
		return 0, fmt.Errorf("%q is not a version of Go", version)
	}
	return strconv.Atoi(m[1])
}

// environ is an environment in which the go command is this release.
func (r *release) environ(base []string) []string {
	if r.goroot != "" {
		return environAt(base, r.goroot)
	}
	return append(withoutToolchain(base), "GOTOOLCHAIN="+r.name)
}

// environAt is an environment in which the go command is that of a GOROOT.
func environAt(base []string, goroot string) []string {
	env := withoutToolchain(base)
	path := filepath.Join(goroot, "bin")
	for i, setting := range env {
		if rest, ok := strings.CutPrefix(setting, "PATH="); ok {
			env[i] = "PATH=" + path + string(filepath.ListSeparator) + rest
			path = ""
		}
	}
	if path != "" {
		env = append(env, "PATH="+path)
	}
	return append(env, "GOTOOLCHAIN=local", "GOROOT="+goroot)
}

// withoutToolchain leaves out of an environment what says which toolchain go is to run.
func withoutToolchain(base []string) []string {
	return slices.DeleteFunc(slices.Clone(base), func(setting string) bool {
		name, _, _ := strings.Cut(setting, "=")
		return name == "GOTOOLCHAIN" || name == "GOROOT" || strings.HasPrefix(name, "GOTOOLCHAIN_INTERNAL")
	})
}
