//go:build unix

package main

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/measure/goker/kernel"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// TestBoard scores three made programs: a bug that is named in the second run of three, with
// another report, one whose runs fail, and a fixed one of which something is reported.
func TestBoard(t *testing.T) {
	k, err := kernel.Parse("made5.go", []byte("package main\nfunc init() { register(\"Made5\", Made) }\nfunc f(c chan int) { c <- 1 }\n"))
	if err != nil {
		t.Fatal(err)
	}
	expected, err := expectations("Made5 f: f send", []*kernel.Kernel{k}, map[string][]*regexp.Regexp{})
	if err != nil {
		t.Fatal(err)
	}
	bug := finding("stuck", waits("main.1", "f", "send", "made5.go:3"))
	other := finding("closed", waits("main.1", "f", "close", "dir/made5.go:2"), waits("main.2", "f", "send", "made5.go:3"))
	ran := 0
	programs := []*program{
		{
			name: "Made5", class: "Mixed", expects: expected["Made5"],
			run: func(context.Context) ([]*report.BuiltinObject, error) {
				if ran++; ran == 2 {
					return []*report.BuiltinObject{bug, other}, nil
				}
				return []*report.BuiltinObject{other}, nil
			},
			untraced: func(context.Context) ([]report.PartyObject, bool, error) { return bug.Parties, true, nil },
		},
		{
			name: "Broken", class: "Mixed", expects: expected["Made5"],
			run: func(context.Context) ([]*report.BuiltinObject, error) { return nil, errors.New("no build") },
		},
		{
			name: "made5", class: "Mixed",
			run: func(context.Context) ([]*report.BuiltinObject, error) { return []*report.BuiltinObject{bug}, nil },
		},
	}
	judged, err := judgements("# KERNEL\n\nMade5 closed made5.go:2,made5.go:3 true it may come first\n")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	write(&b, "Made kernels", play(t.Context(), programs, 3, 2, func(*program) {}), judged)
	const want = `Made kernels

kernel  class  bug named  in runs  first  happens untraced  profile  other reports  how
Made5   Mixed  yes        1/3      no     3/3      3/3      1 true, 0 false, 0 to judge  1 observed
Broken  Mixed  no         0/3      no     -        -        -                           
made5   Mixed  -          -        -      -        -        0 true, 0 false, 1 to judge  

3 programs; bug named in one of 3 runs: 1 of 2, in the first: 0, in all: 0; profile: 1, on average of one run 1.0; other reports: 1 true, 0 false, 1 to judge (false until judged); runs not checked: 3

Made5 closed made5.go:2,made5.go:3 (observed): true: it may come first
    told
Broken run 1: no build
Broken run 2: no build
Broken run 3: no build
made5 stuck made5.go:3 (observed): to judge
    told

`
	if got := strings.ReplaceAll(b.String(), "\t", " "); squeeze(got) != squeeze(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// squeeze makes one space of many.
func squeeze(s string) string { return regexp.MustCompile(` +`).ReplaceAllString(s, " ") }

func TestJudgementsThatAreWrong(t *testing.T) {
	for _, text := range []string{"K closed a.go:1 true", "K closed a.go:1 maybe because", "K"} {
		if _, err := judgements(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
