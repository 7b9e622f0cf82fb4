package goroot

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Release is a release of Go.
type Release struct {
	Name  string // "go1.26.8", or a substitute
	Minor int    // 26; 0 if it is not known
}

// The minor releases that the patches have been written and tested for.
const (
	Oldest = 25
	Newest = 27
)

// IsKnown reports whether the patches have been written for a release like this.
func (r Release) IsKnown() bool { return Oldest <= r.Minor && r.Minor <= Newest }

var (
	releaseForm   = regexp.MustCompile(`^(go1\.(\d+)\S*)`)
	goversionForm = regexp.MustCompile(`(?m)^const Version = (\d+)$`)
)

// ReleaseOf returns the release of the Go tree at goroot, according to its file VERSION. A checkout
// without the file counts as the next release, and a tree without any version as new.
func ReleaseOf(goroot string) Release {
	if b, err := os.ReadFile(filepath.Join(goroot, "VERSION")); err == nil {
		if m := releaseForm.FindStringSubmatch(string(b)); m != nil {
			minor, _ := strconv.Atoi(m[2])
			return Release{m[1], minor}
		}
	}
	if b, err := os.ReadFile(filepath.Join(goroot, "src", "internal", "goversion", "goversion.go")); err == nil {
		if m := goversionForm.FindSubmatch(b); m != nil {
			minor, _ := strconv.Atoi(string(m[1]))
			return Release{"devel go1." + strings.TrimSpace(string(m[1])), minor}
		}
	}
	return Release{"an unknown version of Go", Newest + 1}
}
