//go:build unix

package main

import (
	"bufio"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const saidOfHang = `load: begins
antichain: goroutines wait for ever:
    main.9 waits for ever at bug/Other/other.go:7 to lock mu
        main.8 has locked mu at bug/Etcd1/etcd1.go:3
    main.2 waits for ever at bug/Etcd1/etcd1.go:5 to lock mu
Where all goroutines are:
    main.3, started at bug/Etcd1/etcd1.go:9, goes on
load: served 7
`

// Only what a report says to wait for ever is found, and only what is in the program's own file.
func TestReadHangs(t *testing.T) {
	want := []string{
		"main.9 waits for ever at bug/Other/other.go:7 to lock mu",
		"main.2 waits for ever at bug/Etcd1/etcd1.go:5 to lock mu",
	}
	if got := whileRunning(saidOfHang); !slices.Equal(got, want) {
		t.Errorf("found %q", got)
	}
	for said, want := range map[string]*besideRun{
		"no such package\n":              nil,
		"load: begins\nload: served 7\n": {},
		saidOfHang:                       {after: 5 * time.Second, found: want[1]},
		"load: begins\nstuck: violated (observed)\n    main.2 waits for ever at etcd1.go:5\n":     {ended: true},
		"load: begins\nstuck: violated (observed)\n    main.2 waits for ever at other.go:5\n":     {},
		"load: begins\nstuck: violated (predicted)\n    main.2 can wait for ever at etcd1.go:5\n": {},
	} {
		seconds := int64(-5)
		now := func() time.Time {
			seconds += 5
			return time.Unix(seconds, 0)
		}
		got := readBeside(bufio.NewScanner(strings.NewReader(said)), "etcd1.go:", now)
		if (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%q: %+v, want %+v", said, got, want)
		}
	}
}

// All programs beside the server can be parsed.
func TestProgramsBeside(t *testing.T) {
	b, err := newDir()
	if err != nil {
		t.Fatal(err)
	}
	defer b.remove()
	names, err := b.writeBeside(regexp.MustCompile(""))
	if err != nil {
		t.Skip(err) // the kernels come with Go 1.26 and later
	}
	files, err := filepath.Glob(b.path("beside/*/*/*.go"))
	if want := 2 * 2 * besideCount; err != nil || len(names) != besideCount || len(files) != want {
		t.Fatalf("%d kernels, %d files, want %d: %v", len(names), len(files), want, err)
	}
	for _, f := range files {
		if _, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.SkipObjectResolution); err != nil {
			t.Error(err)
		}
	}
	for _, name := range names {
		mains, err := filepath.Glob(b.path("beside/*/" + name + "/main.go"))
		if err != nil || len(mains) != 2 {
			t.Errorf("%s: %v, %v", name, mains, err)
		}
	}
}
