//go:build unix

package main

import (
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{3}, 3},
		{[]float64{9, 1, 2}, 2},
		{[]float64{1, 100, 4, 2}, 3},
	} {
		if got := median(tt.values); got != tt.want {
			t.Errorf("median of %v: %v, want %v", tt.values, got, tt.want)
		}
	}
}

func TestDistribution(t *testing.T) {
	var values []float64
	for i := range 200 {
		values = append(values, float64(200-i))
	}
	for _, tt := range []struct {
		values []float64
		want   []string
	}{
		{nil, []string{"0", "-", "-", "-", "0"}},
		{[]float64{2}, []string{"1", "2.00", "2.00", "2.00", "0.002"}},
		{values, []string{"200", "100", "198", "200", "20.1"}},
	} {
		if got := distribution(tt.values); !slices.Equal(got, tt.want) {
			t.Errorf("%d values: %q, want %q", len(tt.values), got, tt.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{1.234: "1.23", 12.34: "12.3", 123.4: "123", 54321: "54321"} {
		if got := number(x); got != want {
			t.Errorf("number(%v) = %s, want %s", x, got, want)
		}
	}
	if got := ratio(1, 0); got != "-" {
		t.Errorf("ratio to nothing: %s", got)
	}
}

func TestTables(t *testing.T) {
	r := result{row: row{"lock", "Lock", 1_000_000}}
	for i := range 3 { // the medians are those of i = 1
		x := float64(i)
		r.samples[plain] = append(r.samples[plain], sample{own: 10 * x, total: 1})
		r.samples[traced] = append(r.samples[traced], sample{own: 100 * x, total: 2 * x, memory: 80 * x, perEach: 3})
		r.samples[withSpec] = append(r.samples[withSpec], sample{own: 50 * x, total: 1.5 * x, memory: 40})
		r.samples[builtins] = append(r.samples[builtins], sample{own: 80 * x, total: 1.6 * x, memory: 30})
		r.samples[race] = append(r.samples[race], sample{own: 200 * x, total: 4 * x})
	}
	want := `| ns an operation | plain | traced, -o | traced, spec | built-ins | -race | -o / race | spec / race | built-ins / race | -o / plain | spec / plain | built-ins / plain |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| Lock | 10.0 | 100 | 50.0 | 80.0 | 200 | 0.50 | 0.25 | 0.40 | 10.00 | 5.00 | 8.00 |
`
	if diff := cmp.Diff(want, costTable([]result{r})); diff != "" {
		t.Error(diff)
	}
	want = `| Lock | 1000000 | 1.00 | 2.00 | 1.50 | 1.60 | 4.00 | 0.50 | 0.38 | 0.40 | 3.0 | 1.5 | 80.0 | 40.0 | 30.0 |
`
	if got := verdictTable([]result{r}); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestLiveCells(t *testing.T) {
	r := result{row: row{"lock", "Lock", 1_000_000}}
	for v, ns := range map[variant]float64{plain: 10, live: 50, race: 200} {
		r.samples[v] = []sample{{own: ns}}
	}
	want := []string{"Lock", "10.0", "50.0", "200", "5.00", "0.25", "< -race", "yes"}
	if diff := cmp.Diff(want, r.liveCells()); diff != "" {
		t.Error(diff)
	}
	r.samples[race][0].own = 50
	if got := r.liveCells(); got[7] != "no" {
		t.Errorf("%q", got)
	}
}

func TestPeakOf(t *testing.T) {
	if got := peakOf([]byte("Name:\tx\nVmPeak:\t 9999 kB\nVmHWM:\t    2048 kB\nVmRSS:\t 100 kB\n")); got != 2 {
		t.Errorf("peak of %v MiB, want 2", got)
	}
	if got := peakOf([]byte("Name:\tx\n")); got != 0 {
		t.Errorf("peak of %v MiB without a mark", got)
	}
}

func TestLossless(t *testing.T) {
	for _, tt := range []struct {
		v      variant
		stderr string
		want   bool
	}{
		{plain, "", true},
		{traced, "antichain: exit code 0 is the program's own; nothing was checked\n", true},
		{traced, "", false},
		{withSpec, "p: holds\nantichain: exit code 0 is the program's own, and every property holds\n", true},
		{builtins, "antichain: exit code 0 is the program's own, and no built-in property is violated\n", true},
		{builtins, "built-in properties: unknown: at least 3 records of the program lost\n", false},
		{withSpec, "antichain: at least 3 records of the program lost\n", false},
	} {
		if err := lossless(tt.v, tt.stderr); (err == nil) != tt.want {
			t.Errorf("%s %q: %v", variantNames[tt.v], tt.stderr, err)
		}
	}
}

// One row, all variants, few operations.
func TestRow(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("tracing needs Linux")
	}
	if testing.Short() {
		t.Skip("builds with -race")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("go build -race needs a C compiler: ", err)
	}
	b, err := newBench()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.remove)
	r := row{"buffered", "buffered", 1000}
	got, err := b.row(r, []variant{plain, traced, withSpec, builtins, race, live}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for v := range variants {
		if got.median(v, own) <= 0 || got.median(v, total) <= 0 {
			t.Errorf("%s: no time: %+v", variantNames[v], got.samples[v])
		}
	}
	// A send and a receive, also while warming up.
	if each := got.median(traced, events); each < 2 || each > 2.2 {
		t.Errorf("%v events an operation, want a few more than 2", each)
	}
	if got.median(withSpec, memory) <= 0 {
		t.Error("no memory measured")
	}
	if _, err := b.workers(row{name: "workers", n: 100}, []variant{plain, live, race}, 1, 1); err != nil {
		t.Error(err)
	}
}
