//go:build unix

package sampling

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		runs []int
		want float64
	}{
		{[]int{5}, 5}, {[]int{9, 1, 4}, 4}, {[]int{0, 7, 2}, 7}, {[]int{0, 0, 2}, math.Inf(1)}, {[]int{1, 2, 4, 0}, 3},
	} {
		if got := median(tt.runs); got != tt.want {
			t.Errorf("median of %d: %g, want %g", tt.runs, got, tt.want)
		}
	}
}

func TestTable(t *testing.T) {
	b := &bench{settings: &settings{strategies: "auto,pos", seeds: 1, most: 50}, known: map[key]int{
		{"a", once, 0}: 1, {"b", "auto", 1}: 2, {"c", "auto", 1}: 8, {"c", "pos", 1}: 16,
	}}
	for _, name := range []string{"a", "b", "c", "d"} {
		b.programs = append(b.programs, program{name: name})
	}
	var w strings.Builder
	b.table().write(&w)
	want := `program         auto  pos
b               2     >50
c               8     16
geometric mean  4.0   40.0
found           2     1

1 programs are left out, since one ordinary run reports something.
The median is above 50 runs with each strategy: 1 programs: d
`
	if w.String() != want {
		t.Errorf("%s\nwant\n%s", &w, want)
	}
}

// TestResults checks that what was measured is read again.
func TestResults(t *testing.T) {
	s := &settings{results: filepath.Join(t.TempDir(), "results")}
	if known, err := s.read(); err != nil || len(known) > 0 {
		t.Errorf("%v, %v", known, err)
	}
	k := key{"goker/Etcd7492", "rff", 1001}
	if err := s.keep(result{k, 7}); err != nil {
		t.Fatal(err)
	}
	if known, err := s.read(); err != nil || len(known) != 1 || known[k] != 7 {
		t.Errorf("%v, %v", known, err)
	}
}

// TestExplored finds the number of runs among other lines.
func TestExplored(t *testing.T) {
	out := "antichain: a text\n{\"trace\":\"a\",\"builtin\":\"stuck\"}\n" +
		`{"trace":"a","exploration":{"strategy":"rff","runs":12,"orders":3}}` + "\n"
	if n, err := explored([]byte(out)); err != nil || n != 12 {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := explored(nil); err == nil {
		t.Error("nothing says how many runs there were")
	}
}

// TestLoad checks which programs there are, and that sleeps are taken out.
func TestLoad(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "..", ".."))
	const only = "^(goker/Moby27782|found/hub|nonblocking/watcher|atomicity/bank)$"
	s, err := parse([]string{"-run", only, "-awake", "-antichain", "x"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBench(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(b.dir)
	var names []string
	for _, p := range b.programs {
		names = append(names, p.name)
		if hasSpec := strings.HasPrefix(p.name, "atomicity/"); (p.spec != "") != hasSpec {
			t.Errorf("%s has the specification %q", p.name, p.spec)
		}
		if hasAll := strings.HasPrefix(p.name, "nonblocking/"); (p.builtin == "all") != hasAll {
			t.Errorf("%s is checked with %q", p.name, p.builtin)
		}
		text, err := os.ReadFile(filepath.Join(p.dir, "main.go"))
		if err != nil || strings.Contains(string(text), "time.Sleep(") {
			t.Errorf("%s: %v or a sleep", p.name, err)
		}
	}
	want := "atomicity/bank found/hub goker/Moby27782 nonblocking/watcher"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("programs %s, want %s", got, want)
	}
}
