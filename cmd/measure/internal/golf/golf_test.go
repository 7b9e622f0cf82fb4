//go:build unix

package golf

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// made has labels of each kind: above a go statement, in a function literal, in a method, and one
// that says that nothing leaks.
const made = `package main

type node struct{ c chan int }

func (n *node) run() {
	// deadlocks: 10
	<-n.c
}

func start(f func()) { go f() }

func main() {
	for i := 0; i < 100; i++ {
		go func() {
			// deadlocks: x > 0
			n := &node{make(chan int)}
			// deadlocks: 1
			go n.run()
			go func() {
				// deadlocks: 0
				n.c <- 1
			}()
			start(func() {
				select {}
			})
			<-n.c
		}()
	}
}
`

// madeProgram is the program as the corpus has it.
func madeProgram(t *testing.T) (*program, string) {
	t.Helper()
	p, copied, err := newProgram("deadlock/gobench/goker/blocking/made/1", []byte(made))
	if err != nil {
		t.Fatal(err)
	}
	return p, string(copied)
}

func TestProgram(t *testing.T) {
	p, copied := madeProgram(t)
	if p.name != "made/1" || p.group != "gobench" || p.correct {
		t.Errorf("got %q of %q, correct %t", p.name, p.group, p.correct)
	}
	var lines []int
	for _, l := range p.labels {
		lines = append(lines, l.line)
	}
	if want := []int{6, 15, 17}; !slices.Equal(lines, want) {
		t.Errorf("labels at %v, want %v", lines, want)
	}
	if want := strings.Replace(made, "i := 0; i < 100", "i := 1; i < 2", 1); copied != want {
		t.Errorf("the single copy is\n%s", copied)
	}
	const labelled = "package main\n\n// deadlocks: 1\nfunc main() {}\n"
	for _, wrong := range []string{"package", "package main", labelled} {
		if _, _, err := newProgram("correct/wrong", []byte(wrong)); err == nil {
			t.Errorf("%q: no error", wrong)
		}
	}
}

const dir = "deadlock/gobench/goker/blocking/made/1/main.go:"

// party is a goroutine that a go statement has started, with its calls, innermost first.
func party(op, started string, calls ...string) report.PartyObject {
	p := report.PartyObject{Started: &report.StartedObject{At: dir + started}}
	p.Op = op
	for _, at := range calls {
		p.Stack = append(p.Stack, report.FrameObject{Function: "main.f", At: at})
	}
	p.At = p.Stack[0].At
	return p
}

// TestHas says which labels are about goroutines.
func TestHas(t *testing.T) {
	p, _ := madeProgram(t)
	for _, c := range []struct {
		party report.PartyObject
		want  []int
	}{
		// the outermost call is the compiler's own
		{party("recv", "18", dir+"7", dir+"18"), []int{6, 17}},
		{party("recv", "10", dir+"7"), []int{6}},
		// the report leaves out the outermost call
		{party("recv", "14", "sync/waitgroup.go:7"), []int{15}},
		{party("recv", "10", "sync/waitgroup.go:7", dir+"26"), []int{15}},
		{party("select", "10", dir+"24", dir+"10"), nil},          // the function literal, in start
		{party("send", "19", dir+"21"), nil},                      // not labelled as a leak
		{party("end", "14", dir+"26"), nil},                       // it does not wait
		{party("recv", "10", "elsewhere/made/1/main.go:26"), nil}, // another program
	} {
		var got []int
		for _, l := range p.labels {
			if p.has(l, c.party) {
				got = append(got, l.line)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: labels %v, want %v", c.party, got, c.want)
		}
	}
}

// TestBoard scores three runs: one that names a label and has another report, one that was not
// checked, and one that names another label and says that the third is possible.
func TestBoard(t *testing.T) {
	p, _ := madeProgram(t)
	finding := func(parties ...report.PartyObject) *report.BuiltinObject {
		f := &report.FindingObject{How: "observed", Text: "text", Parties: parties}
		return &report.BuiltinObject{Builtin: "stuck", FindingObject: f}
	}
	other := finding(party("send", "19", dir+"21"))
	method, spawner := finding(party("recv", "10", dir+"7")), finding(party("recv", "14", dir+"26"))
	statement := finding(party("recv", "18", dir+"18"))
	s := newScore(p)
	s.add(&reported.Reports{Findings: []*report.BuiltinObject{method, other}}, nil)
	s.add(nil, errors.New("no build"))
	s.add(&reported.Reports{
		Findings: []*report.BuiltinObject{method, spawner}, Possible: []*report.BuiltinObject{statement, other},
	}, nil)
	var b strings.Builder
	write(&b, "Made", []*score{s})
	const want = `Made

group programs labels named in one of the runs in the first only possible other reports possible runs not checked in full
gobench 1 3 2 1 1 1 1 1
cgo-examples and gobench 1 3 2 1 1 1 1 1
all 1 3 2 1 1 1 1 1

deadlock/gobench/goker/blocking/made/1:17: only possible
deadlock/gobench/goker/blocking/made/1: stuck main.go:21 (observed)
 text
deadlock/gobench/goker/blocking/made/1: stuck main.go:21 (observed)
 text
deadlock/gobench/goker/blocking/made/1: run 2: no build

`
	if got := regexp.MustCompile(`[ \t]+`).ReplaceAllString(b.String(), " "); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFetch takes the programs of a commit of a repository.
func TestFetch(t *testing.T) {
	repository := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", repository}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet")
	git("config", "uploadpack.allowFilter", "true")
	for _, part := range append(parts, "others") {
		path := filepath.Join(repository, tests, part, "made")
		if err := os.MkdirAll(path, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "main.go"), []byte(made), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git("add", ".")
	git("-c", "user.name=Made", "-c", "user.email=made@example.com", "commit", "--quiet", "-m", "made")
	module := filepath.Join(t.TempDir(), "module")
	from := source{"file://" + repository, git("rev-parse", "HEAD")}
	if err := fetch(t.Context(), from, module); err != nil {
		t.Fatal(err)
	}
	programs, err := load(module)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range programs {
		names = append(names, p.dir)
	}
	if want := []string{"correct/made", "deadlock/made"}; !slices.Equal(names, want) {
		t.Errorf("programs %q, want %q", names, want)
	}
	if _, err := os.Stat(filepath.Join(module, single, "deadlock/made/main.go")); err != nil {
		t.Error(err)
	}
	from.commit = strings.Repeat("0", 40)
	if err := fetch(t.Context(), from, module); err == nil {
		t.Error("a commit that is not there: no error")
	}
}

func TestParse(t *testing.T) {
	for _, args := range [][]string{{"-n", "0"}, {"-p", "0"}, {"name"}, {"-run", "("}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
