//go:build unix

package versions

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// listed is in the form of go list -m -versions.
const listed = "golang.org/toolchain v0.0.1-go1.9rc2.windows-amd64 v0.0.1-go1.24.9.linux-amd64 " +
	"v0.0.1-go1.25.9.linux-amd64 v0.0.1-go1.25.14.linux-amd64 v0.0.1-go1.25.15.linux-arm64 " +
	"v0.0.1-go1.26.0.linux-amd64 v0.0.1-go1.26.11.linux-amd64 v0.0.1-go1.26.2.linux-amd64 v0.0.1-go1.26.12.darwin-amd64 " +
	"v0.0.1-go1.26rc1.linux-amd64 v0.0.1-go1.27.0.linux-amd64 v0.0.1-go1.28rc2.linux-amd64"

func names(versions []Version) string { return strings.Trim(fmt.Sprint(versions), "[]") }

func TestParseVersions(t *testing.T) {
	const want = "go1.24.9 go1.25.9 go1.25.14 go1.26.0 go1.26.2 go1.26.11 go1.27.0"
	if got := names(parseVersions(listed, "linux", "amd64")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := names(parseVersions(listed, "plan9", "amd64")); got != "" {
		t.Errorf("got %s", got)
	}
}

func TestChooseVersions(t *testing.T) {
	all := parseVersions(listed, "linux", "amd64")
	for _, tt := range []struct{ more, want string }{
		{"", "go1.25.14 go1.26.0 go1.26.11 go1.27.0"},
		{"v0.0.1-go1.27.4.linux-amd64 v0.0.1-go1.28.0.linux-amd64", "go1.25.14 go1.26.0 go1.26.11 go1.27.0 go1.27.4"},
	} {
		more := append(slices.Clone(all), parseVersions(tt.more, "linux", "amd64")...)
		if got := names(chooseVersions(more)); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
	if got := chooseVersions(nil); len(got) != 0 {
		t.Errorf("of none: %v", got)
	}
}

func TestOther(t *testing.T) {
	for minor, want := range map[int]int{26: 27, 27: 26, 28: 27} {
		if got := other(minor); got != want {
			t.Errorf("other than 1.%d: 1.%d, want 1.%d", minor, got, want)
		}
	}
}

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]Version{"go1.26.11": {26, 11}, "1.27.0": {27, 0}, "1.27": {}, "/usr/go1.27.0": {}, "": {}} {
		if got, ok := parseVersion(text); got != want || ok != (want != Version{}) {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
}

func TestEnviron(t *testing.T) {
	base := []string{"A=b", "GOTOOLCHAIN=local", "PATH=/bin:/usr/bin", "GOROOT=/x", "GOTOOLCHAIN_INTERNAL_SWITCH_COUNT=1"}
	want := []string{"A=b", "PATH=/bin:/usr/bin", "GOTOOLCHAIN=go1.26.0"}
	if diff := cmp.Diff(want, releaseOf(Version{26, 0}).environ(base)); diff != "" {
		t.Error(diff)
	}
	tip, err := releaseAt("/tip", "devel go1.28-c1a2 Mon Nov 23")
	if err != nil || tip.minor != 28 || tip.name != "devel-go1.28-c1a2-Mon-Nov-23" {
		t.Fatalf("%+v, %v", tip, err)
	}
	want = []string{"A=b", "PATH=/tip/bin:/bin:/usr/bin", "GOTOOLCHAIN=local", "GOROOT=/tip"}
	if diff := cmp.Diff(want, tip.environ(base)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"PATH=/tip/bin", "GOTOOLCHAIN=local", "GOROOT=/tip"}, tip.environ(nil)); diff != "" {
		t.Error(diff)
	}
	if base[1] != "GOTOOLCHAIN=local" {
		t.Error("the environment itself was changed")
	}
}

func TestNewerThan(t *testing.T) {
	table := "part: versions\n\n| check | go1.25.14 | go1.26.0 | go1.26.11 | go1.27.0 | devel-go1.28 |\n| --- | --- |\n| README | ok, 3 s | go1.99.0 |\n"
	in := versionsIn(table)
	if got := names(in); got != "go1.25.14 go1.26.0 go1.26.11 go1.27.0" {
		t.Fatalf("in the table: %s", got)
	}
	all := parseVersions(listed, "linux", "amd64")
	for _, tt := range []struct{ more, want string }{
		{"", ""},
		{"v0.0.1-go1.25.13.linux-amd64", ""},
		{"v0.0.1-go1.26.12.linux-amd64 v0.0.1-go1.26.13.linux-amd64", "go1.26.13"},
		{"v0.0.1-go1.25.15.linux-amd64 v0.0.1-go1.28.0.linux-amd64", "go1.25.15 go1.28.0"},
		{"v0.0.1-go1.24.99.linux-amd64", ""},
	} {
		more := append(slices.Clone(all), parseVersions(tt.more, "linux", "amd64")...)
		slices.SortFunc(more, compareVersions)
		if got := names(newerThan(in, more)); got != tt.want {
			t.Errorf("with %s: %q, want %q", tt.more, got, tt.want)
		}
	}
	if got := newerThan(versionsIn("no table\n"), all); got != nil {
		t.Errorf("without a table: %v", got)
	}
}
