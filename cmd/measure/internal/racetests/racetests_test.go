//go:build linux && (amd64 || arm64)

package racetests

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A few tests in the style of those that come with Go are judged. .ci/long racetests judges these.
func TestSample(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	s, err := parse([]string{"-dir", "testdata/sample", "-race=false", "-tries", "20", "-repeats", "1"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.board(t.Context(), "local")
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]outcome)
	for _, r := range b.rows {
		got[r.name] = r.antichain.outcome
	}
	want := map[string]outcome{
		"TestRaceIncrement": reported, "TestRaceMapOfSlices": reported, "TestRaceCapturedLoop": reported, "TestRaceFailing": quiet,
		"TestRaceSkipped": skipped, "TestNoRaceLocked": quiet, "TestNoRaceSpin": quiet, "TestNoRaceMarked": quiet,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	err = b.check(map[string]string{"TestRaceSkipped": "skips itself"})
	if err == nil || strings.Count(err.Error(), "Test") != 1 || !strings.Contains(err.Error(), "TestRaceFailing: nothing after 20 runs") {
		t.Errorf("what is not as the names say: %v", err)
	}
}

// The board counts what each of the two got wrong, and lists these tests.
func TestBoard(t *testing.T) {
	b := &board{release: "go1.99", detector: true, rows: []*row{
		{name: "TestRaceA", antichain: verdict{outcome: reported}, detector: verdict{outcome: reported}},
		{name: "TestRaceB", antichain: verdict{outcome: quiet}, detector: verdict{outcome: reported}},
		{name: "TestNoRaceC", antichain: verdict{outcome: reported}, detector: verdict{outcome: quiet}},
		{name: "TestNoRaceFailing", antichain: verdict{outcome: quiet}, detector: verdict{outcome: reported}},
		{name: "TestNoRaceE", antichain: verdict{outcome: crashed}, detector: verdict{outcome: skipped}},
	}}
	var out strings.Builder
	b.write(&out, map[string]string{"TestRaceB": "is missed"})
	got := strings.Fields(out.String())
	for _, want := range []string{
		"go1.99: 2 tests with a race, 3 without", "antichain 2 1 1 0 1", "go test -race 3 0 1 1 0", "TestRaceB nothing a race is missed",
		"TestNoRaceC a race nothing", "TestNoRaceFailing nothing a race", "TestNoRaceE crashed skipped",
	} {
		if !strings.Contains(strings.Join(got, " "), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if slices.Contains(got, "TestRaceA") {
		t.Errorf("a test is listed on which all agree:\n%s", &out)
	}
}

// What a test prints says what came out of it, if nothing is reported.
func TestOutcome(t *testing.T) {
	for text, want := range map[string]outcome{
		"--- PASS: TestRaceX (0.00s)\nPASS\n": quiet, "--- FAIL: TestRaceX\n": quiet, "--- SKIP: TestRaceX\n": skipped,
		"fatal error: concurrent map writes\n": reported, "fatal error: checkptr\n": crashed, "": crashed,
	} {
		if got := outcomeOf([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestReasons(t *testing.T) {
	reasons, err := parseReasons(reasonsText)
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^Test(No)?Race\w*$`)
	for name := range reasons {
		if !form.MatchString(name) {
			t.Errorf("%s is not a test", name)
		}
	}
	for _, wrong := range []string{"TestRaceX\n", "TestRaceX a\nTestRaceX b\n"} {
		if _, err := parseReasons(wrong); err == nil {
			t.Errorf("%q is no mistake", wrong)
		}
	}
}

func TestWrongCommandLine(t *testing.T) {
	for _, args := range [][]string{{"x"}, {"-tries", "0"}, {"-run", "("}, {"-p", "0"}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q is no mistake", args)
		}
	}
}
