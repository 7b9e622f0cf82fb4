//go:build unix

package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSuiteList(t *testing.T) {
	list, err := readSuites("../../.ci/suites.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 17 {
		t.Errorf("%d suites", len(list))
	}
	list, err = addSuiteLine(nil, "suite a example.com/a@v1.0.0 -run X ./...")
	for _, line := range []string{"", "# comment", "cut it is long", "differs a TestX|TestY they count allocations"} {
		if err == nil {
			list, err = addSuiteLine(list, line)
		}
	}
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	s := &list[0]
	if s.module != "example.com/a@v1.0.0" || s.tested != "./..." || cmp.Diff([]string{"-run", "X"}, s.flags) != "" || s.cut != "it is long" {
		t.Errorf("%+v", s)
	}
	for test, want := range map[string]string{"TestX": "they count allocations", "TestY/sub": "they count allocations", "TestXY": "", "TestZ": ""} {
		if got := s.exceptionFor(test); got != want {
			t.Errorf("%s: %q, want %q", test, got, want)
		}
	}
	for _, line := range []string{"suite a", "cut", "differs b TestX reason", "differs a ( reason", "what is this",
		"judged b x true reason", "judged a ( true reason", "judged a x perhaps reason", "judged a x true"} {
		if _, err := addSuiteLine(list, line); err == nil {
			t.Errorf("%q has no error", line)
		}
	}
}

func TestTakeModule(t *testing.T) {
	list := []suite{{name: "a", module: "example.com/a@v1.2.0"}, {name: "ab", module: "example.com/ab@v1.0.0"}, {name: "std", module: std}}
	takeModule(list, "")
	takeModule(list, "example.com/a@v1.1.0")
	var got []string
	for _, s := range list {
		got = append(got, s.module)
	}
	if diff := cmp.Diff([]string{"example.com/a@v1.1.0", "example.com/ab@v1.0.0", std}, got); diff != "" {
		t.Error(diff)
	}
}

func TestGoLine(t *testing.T) {
	for version, want := range map[string]string{"go1.26.11\n": "1.26.11", "go1.28-devel_c1a2 Mon Nov 23\n": "1.28", "devel go1.28-c1a2": "1.28", "go1.28rc1": "1.28rc1"} {
		if got := goLine(version); got != want {
			t.Errorf("%q: %s, want %s", version, got, want)
		}
	}
}

// A suite that is run has results for each test, also when a package ends early.
func TestSuiteRun(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go test")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/s\n",
		"a/a_test.go": `package a
import "testing"
func TestGood(t *testing.T) {}
func TestBad(t *testing.T) { t.Run("sub", func(t *testing.T) { t.Error("what it says") }) }
func TestNone(t *testing.T) { t.Skip() }
func TestLeftOut(t *testing.T) { t.Error() }
`,
		"b/b_test.go": "package b\nimport (\"os\"; \"testing\")\nfunc TestExits(t *testing.T) { os.Exit(3) }\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := suite{name: "s", flags: []string{"-skip", "LeftOut"}, tested: "./..."}
	w := way{name: "plain", test: []string{"go", "test"}}
	if err := s.build(dir, w); err != nil {
		t.Fatal(err)
	}
	r, err := s.run(dir, w)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"example.com/s/a TestGood": "pass", "example.com/s/a TestNone": "skip",
		"example.com/s/a TestBad": "fail", "example.com/s/a TestBad/sub": "fail",
		"example.com/s/b ": "fail",
	}
	if diff := cmp.Diff(want, r.results); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(r.output, "what it says") {
		t.Errorf("output %q", r.output)
	}
}

// What antichain test has found are no tests of the suite, and a package that fails for it has not
// ended early.
func TestSuiteFindings(t *testing.T) {
	r := suiteRun{results: map[string]string{}}
	if err := r.read(strings.NewReader(`{"Action":"pass","Package":"p","Test":"TestX"}
{"Action":"fail","Package":"p","Test":"antichain/stuck"}
{"Action":"fail","Package":"p","Test":"antichain"}
{"Action":"fail","Package":"p","Elapsed":1.5}
`)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"p TestX": "pass"}, r.results); diff != "" || r.seconds != 1.5 {
		t.Errorf("%v seconds\n%s", r.seconds, diff)
	}
}

func TestSuiteDifferences(t *testing.T) {
	results := func(of ...string) (runs []suiteRun) {
		for _, result := range of {
			r := suiteRun{results: map[string]string{"p TestX": "pass"}}
			if result != "" {
				r.results["p TestY"] = result
			}
			runs = append(runs, r)
		}
		return runs
	}
	ways := []way{{name: "plain"}, {name: "other"}}
	for _, tt := range []struct {
		plain, other []suiteRun
		list         string
		notes        []string
		unexplained  bool
	}{
		{plain: results("pass", "pass"), other: results("pass", "pass")},
		{results("pass", "pass"), results("pass", "fail"), "",
			[]string{"s: p TestY: plain pass 2, other fail 1, pass 1: WITHOUT A REASON"}, true},
		{results("pass"), results(""), "",
			[]string{"s: p TestY: plain pass 1, other no result 1: WITHOUT A REASON"}, true},
		{results("pass"), results("skip"), "differs s TestY it counts",
			[]string{"s: p TestY: plain pass 1, other skip 1: it counts"}, false},
		{results("pass", "fail"), results("fail", "fail"), "",
			[]string{"s: p TestY: plain fail 1, pass 1, other fail 2: it does so plain"}, false},
	} {
		list, err := addSuiteLine([]suite{{name: "s"}}, tt.list)
		if err != nil {
			t.Fatal(err)
		}
		m := &measuredSuite{&list[0], ways, [][]suiteRun{tt.plain, tt.other}}
		notes, unexplained := m.differences()
		if diff := cmp.Diff(tt.notes, notes); diff != "" || unexplained != tt.unexplained {
			t.Errorf("unexplained %v\n%s", unexplained, diff)
		}
	}
}

// What antichain says of two packages, and of a third one where records are missing.
const saidOfSuite = `antichain: example.com/a
stuck: violated (observed)
    main.5.1 waits for ever at a.go:153 to receive from chan 27

main.5.1, running a.worker, started by main.5 at a.go:30
    waits for ever to receive from chan 27 in a.worker, at a.go:153

It happened in this run.

stuck: violated (predicted): main.6 can wait for ever at a.go:9 to send on chan 3
Show it again:
    antichain test ./...

antichain: example.com/b
deadlock: violated (observed)
    main.7 waits at b.go:1 for mutex 1, which main.7 holds

built-in properties: unknown: 3 records are missing (deadlock)
`

func TestSuiteJudged(t *testing.T) {
	list := []suite{{name: "s"}}
	for _, line := range []string{
		`judged s stuck.*waits.for.ever.to.receive.from.chan.27.in.a\.worker meant a test leaves it behind`,
		`judged s b\.go:1 true it locks twice`,
		`judged s Show|antichain false what is around the reports`,
	} {
		var err error
		if list, err = addSuiteLine(list, line); err != nil {
			t.Fatal(err)
		}
	}
	run := suiteRun{said: saidOfSuite}
	m := &measuredSuite{&list[0], []way{{name: "antichain"}}, [][]suiteRun{{run, run}}}
	want := map[string]int{isMeant: 1, isTrue: 1, notJudged: 1}
	if diff := cmp.Diff(want, m.judge(&run)); diff != "" {
		t.Error(diff)
	}
	notes := []string{
		"s: antichain: NO VERDICT: built-in properties: unknown: 3 records are missing (deadlock)",
		"s: antichain: NOT JUDGED: stuck: violated (predicted): main.6 can wait for ever at a.go:9 to send on chan 3",
	}
	if diff := cmp.Diff(notes, m.unjudged()); diff != "" {
		t.Error(diff)
	}
}

// Of the processes below this one only test binaries count, and antichain beside one.
func TestTreeWatch(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks at /proc")
	}
	if !slices.Contains(childrenOf(os.Getppid()), os.Getpid()) {
		t.Error("this test binary is not a child of its parent")
	}
	w := &treeWatch{root: os.Getppid(), seen: map[int]procStat{}}
	w.look(os.Getpid(), w.root) // not what go test runs beside it, which may be antichain
	if p, seen := w.seen[os.Getpid()]; !seen || p.parent != os.Getppid() || w.memory == 0 {
		t.Errorf("this test binary was not seen: %v", w.seen)
	}
	if w.antichain != 0 {
		t.Error("an antichain was seen")
	}
	w = &treeWatch{root: os.Getpid(), seen: map[int]procStat{}}
	for _, child := range childrenOf(w.root) {
		w.look(child, w.root)
	}
	if len(w.seen) != 0 {
		t.Errorf("processes %v are not below this one", w.seen)
	}
}

// What a process did after it was last seen is known of its parent; what was seen of it is known if
// the parent was not seen again.
func TestTreeWatchSeconds(t *testing.T) {
	const root, antichain, binary, helper = 1, 2, 3, 4
	for _, tt := range []struct {
		seen map[int]procStat
		want float64
	}{
		{nil, 0},
		{map[int]procStat{binary: {root, 5, 0}}, 5},
		{map[int]procStat{binary: {root, 5, 2}, helper: {binary, 1.5, 0}}, 7},
		{map[int]procStat{antichain: {root, 1, 0}, binary: {antichain, 5, 0}}, 6},
		{map[int]procStat{antichain: {root, 1, 6}, binary: {antichain, 5, 0}}, 7},
		{map[int]procStat{antichain: {root, 1, 0}, binary: {antichain, 5, 1}, helper: {binary, 2, 0}}, 8},
	} {
		w := &treeWatch{root: root, seen: tt.seen}
		if got := w.seconds(); got != tt.want {
			t.Errorf("%v: %v seconds, want %v", tt.seen, got, tt.want)
		}
	}
}
