//go:build unix

package main

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// toolchain is the version of Go that builds the programs.
type toolchain struct {
	goroot string
	minor  int // of its version 1.minor
}

// toolchainOf asks the go command.
func toolchainOf(ctx context.Context) (*toolchain, error) {
	out, err := output(ctx, "go", "env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	goroot, version, _ := strings.Cut(out, "\n")
	minor, err := minorOf(version)
	return &toolchain{goroot, minor}, err
}

// versionForm is in the version of a release, and of what will be one.
var versionForm = regexp.MustCompile(`\bgo1\.(\d+)`)

// minorOf is the minor version in what go env GOVERSION prints.
func minorOf(version string) (int, error) {
	m := versionForm.FindStringSubmatch(version)
	if m == nil {
		return 0, fmt.Errorf("%q is not the version of a Go distribution", version)
	}
	return strconv.Atoi(m[1])
}

// withExperiment is the version whose profile of leaked goroutines is an experiment: those before
// have none, those after it have it always, and do not know the experiment.
const withExperiment = 26

func (t *toolchain) hasProfile() bool { return t.minor >= withExperiment }

// env is the setting with which there is a profile, if one is needed.
func (t *toolchain) env() []string {
	if t.minor == withExperiment {
		return []string{"GOEXPERIMENT=goroutineleakprofile"}
	}
	return nil
}

// module is the text of a go.mod for programs of this version.
func (t *toolchain) module() string { return fmt.Sprintf("module goker\n\ngo 1.%d\n", t.minor) }
