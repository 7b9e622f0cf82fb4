package goroot

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// go build -race also sets the build tag race, which selects files of the program, and lets a chain
// of functions without a stack check use twice as much stack. A program that reports its memory
// accesses is built in the same way (InstrumentTags, LinkMemory). The standard library itself has
// the same files with the tag and without: the hooks replace the race detector.

const withoutTag = "//go:build !race\n"

// ofDetector are files of the standard library that have or call the race detector. They are left
// out.
var ofDetector = []string{
	"runtime/race.go", "runtime/race_amd64.s", "runtime/race_arm64.s", "internal/race/race.go", "sync/atomic/race.s",
	constsOfDetector,
	// The linker requires package runtime/race, which is empty without them.
	"runtime/race/race.go", "runtime/race/race_v1_amd64.go", "runtime/race/race_v3_amd64.go",
	"runtime/race/race_linux_arm64.syso",
}

const (
	assemblyOfAtomics = "sync/atomic/asm.s"
	consts            = "internal/runtime/sys/consts_norace.go"
	constsOfDetector  = "internal/runtime/sys/consts_race.go"
)

// leaveOutDetector leaves the files of the race detector out of the library at goroot.
func (o *Overlay) leaveOutDetector(goroot string) {
	for _, name := range ofDetector {
		o.Replace[filepath.Join(goroot, "src", filepath.FromSlash(name))] = ""
	}
}

// ignoreTag builds files also with the tag that are built only without it.
func (g *generator) ignoreTag() error {
	for _, name := range []string{assemblyOfAtomics, consts} {
		text, ok := g.files[name]
		if !ok {
			var err error
			if text, err = g.text(name); errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return err
			}
		}
		g.files[name] = strings.Replace(text, withoutTag, "", 1)
	}
	return nil
}

// widenStacks makes the runtime reserve as much stack for functions without a stack check as the
// linker lets them use with LinkMemory.
func (g *generator) widenStacks() error {
	text, err := g.text(consts)
	if err != nil {
		return err
	}
	const narrow, wide = "const isRace = 0\n", "const isRace = 1\n"
	if strings.Count(text, narrow) != 1 {
		return &MismatchError{fmt.Errorf("%s does not declare isRace as 0", consts)}
	}
	g.files[consts] = strings.Replace(text, narrow, wide, 1)
	return nil
}
