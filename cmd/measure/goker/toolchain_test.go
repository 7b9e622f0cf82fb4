//go:build unix

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/report"
)

func TestMinorOf(t *testing.T) {
	for version, want := range map[string]int{
		"go1.26.11": 26, "go1.27rc1": 27, "devel go1.28-c1a2b3c Mon Nov 23": 28, "go1.28-devel_c1a2b3c": 28, "weekly": 0, "": 0,
	} {
		got, err := minorOf(version)
		if got != want || (err == nil) != (want != 0) {
			t.Errorf("%q: %d, %v; want %d", version, got, err, want)
		}
	}
}

// Each version has its profile in its own way.
func TestToolchainProfile(t *testing.T) {
	for minor, want := range map[int]struct {
		profile bool
		env     int
	}{25: {false, 0}, 26: {true, 1}, 27: {true, 0}} {
		tc := &toolchain{minor: minor}
		if tc.hasProfile() != want.profile || len(tc.env()) != want.env {
			t.Errorf("1.%d: profile %v, env %v", minor, tc.hasProfile(), tc.env())
		}
	}
}

func TestWriteJSON(t *testing.T) {
	made := extra{"Made5", "closed", "made5.go:2"}
	s := &score{program: &program{name: "Made5", class: "Mixed"}, runs: 3, named: 2, failures: []string{"run 1: no build"}}

	s.extras = map[extra]*report.BuiltinObject{made: nil, {"Made5", "stuck", "made5.go:3"}: nil}
	var b bytes.Buffer
	if err := writeJSON(&b, "single", []*score{s}, map[extra]verdict{made: {true, "it may"}}); err != nil {
		t.Fatal(err)
	}
	const want = `{"board":"single","program":"Made5","class":"Mixed","runs":3,"named":2,"profiled":null,` +
		`"extras":[{"property":"closed","places":"made5.go:2","judged":"true"},{"property":"stuck","places":"made5.go:3","judged":""}],` +
		`"failures":["run 1: no build"]}`
	if got := strings.TrimSpace(b.String()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
