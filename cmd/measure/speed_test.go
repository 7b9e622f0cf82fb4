//go:build unix

package main

import (
	"errors"
	"math"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// compareAll measures made-up rows: what the first and the second measure of each show.
func compareAll(t *testing.T, table string, shown map[string][2]float64) (rows []comparison) {
	t.Helper()
	for row, ratios := range shown {
		measures := 0
		c, err := compare(table, row, func() (float64, error) {
			measures++
			return ratios[measures-1], nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := 1 + map[bool]int{true: 1}[ratios[0] > slowRow]; measures != want {
			t.Errorf("%s: measured %d times, want %d", row, measures, want)
		}
		rows = append(rows, c)
	}
	return rows
}

func TestSlower(t *testing.T) {
	for _, tt := range []struct {
		name  string
		shown map[string][2]float64
		want  []string // what is said begins with
	}{
		{"as fast", map[string][2]float64{"a": {1, 9}, "b": {1.02, 9}, "c": {0.99, 9}}, nil},
		{"noise once", map[string][2]float64{"a": {1.6, 1.01}, "b": {1, 9}, "c": {1, 9}}, nil},
		{"noise in all rows once", map[string][2]float64{"a": {1.6, 1.01}, "b": {1.3, 1.04}, "c": {1.2, 0.98}}, nil},
		{"a slowed row among many", map[string][2]float64{"a": {1.2, 1.19}, "b": {0.99, 9}, "c": {0.98, 9}, "d": {0.97, 9}, "e": {1, 9}},
			[]string{"t, a: 1.20, and 1.19 again"}},
		{"all a little slower", map[string][2]float64{"a": {1.07, 9}, "b": {1.06, 9}, "c": {1.08, 9}}, []string{"t: the geometric mean is 1.070"}},
		{"one row much slower", map[string][2]float64{"a": {2, 2}, "b": {1, 9}}, []string{"t: the geometric mean is 1.414", "t, a: 2.00, and 2.00 again"}},
		{"at the bounds", map[string][2]float64{"a": {1.15, 9}, "b": {0.95, 9}}, nil},
		{"faster", map[string][2]float64{"a": {0.5, 9}}, nil},
	} {
		said := slower([][]comparison{compareAll(t, "t", tt.shown)})
		if len(said) != len(tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, said, tt.want)
			continue
		}
		for i, want := range tt.want {
			if !strings.HasPrefix(said[i], want) {
				t.Errorf("%s: %q, want %q", tt.name, said[i], want)
			}
		}
	}
}

// A table that has become faster hides no table that has become slower.
func TestSlowerTables(t *testing.T) {
	said := slower([][]comparison{
		compareAll(t, "x", map[string][2]float64{"a": {0.5, 9}}),
		compareAll(t, "y", map[string][2]float64{"a": {1.06, 9}}),
	})
	if len(said) != 1 || !strings.HasPrefix(said[0], "y: ") {
		t.Errorf("%q", said)
	}
}

func TestCompareFails(t *testing.T) {
	broken := errors.New("broken")
	for fails := range 2 {
		n := 0
		if _, err := compare("t", "a", func() (float64, error) {
			if n++; n > fails {
				return 0, broken
			}
			return 1.5, nil
		}); !errors.Is(err, broken) {
			t.Errorf("the error of measure %d: %v", fails+1, err)
		}
	}
}

func TestGeometricMean(t *testing.T) {
	if got := geometricMean(nil); got != 1 {
		t.Errorf("of nothing: %v", got)
	}
	rows := []comparison{{first: 2}, {first: 0.5}, {first: 3, again: 1}}
	if got := geometricMean(rows); math.Abs(got-1) > 1e-12 {
		t.Errorf("got %v, want 1", got)
	}
}

// Whatever disturbs fewer than half of the pairs, and whatever the pace of the machine is at each
// pair, the ratio is found.
func TestMiddleRatio(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		disturbed := rapid.IntRange(0, 4).Draw(t, "disturbed")
		pairs := 2*disturbed + 1
		factor := rapid.Float64Range(0.5, 2).Draw(t, "factor")
		base, this := make([]float64, pairs), make([]float64, pairs)
		for i := range pairs {
			base[i] = rapid.Float64Range(1, 10).Draw(t, "pace")
			this[i] = base[i] * factor
			if i < disturbed {
				base[i] *= rapid.Float64Range(1, 100).Draw(t, "noise")
				this[i] *= rapid.Float64Range(1, 100).Draw(t, "noise")
			}
		}
		if got := middleRatio(base, this); math.Abs(got/factor-1) > 1e-9 {
			t.Fatalf("%v beside %v: %v, want %v", this, base, got, factor)
		}
	})
}

// The tables have rows with names of their own, and a row that is measured runs the executable that
// it is given.
func TestSpeedTables(t *testing.T) {
	b, err := newDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.remove)
	seen := map[string]bool{}
	for _, table := range b.speedTables() {
		if len(table.rows) < 3 {
			t.Errorf("%s has %d rows", table.name, len(table.rows))
		}
		for _, r := range table.rows {
			name := table.name + ", " + r.name
			if seen[name] {
				t.Errorf("%s stands twice", name)
			}
			seen[name] = true
			if _, err := r.cost(b.path("none")); err == nil {
				t.Errorf("%s: an executable that does not exist", name)
			}
		}
	}
}

// Both executables take part in each pair, none always first, and the first pair does not count.
func TestInTurn(t *testing.T) {
	b := &bench{dir: "d"}
	var order []string
	r := speedRow{cost: func(antichain string) (float64, error) {
		order = append(order, antichain)
		return float64(len(order)), nil
	}}
	base, this, err := b.inTurn(r, 2)
	if err != nil {
		t.Fatal(err)
	}
	old, now := b.path("antichain-base"), b.path("antichain")
	if diff := cmp.Diff([]string{old, now, now, old, old, now}, order); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]float64{{4, 5}, {3, 6}}, [][]float64{base, this}); diff != "" {
		t.Error(diff)
	}
}

// A row of each kind, with what is committed as its own base.
func TestSpeed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("tracing needs Linux")
	}
	if testing.Short() {
		t.Skip("builds antichain twice")
	}
	if err := exec.Command("git", "rev-parse", "HEAD").Run(); err != nil {
		t.Skip("not in a clone: ", err)
	}
	if err := speed([]string{"-n", "1", "-run", "^(start, explain|checking, tree, response|monitor, 1 boolean, 10 tasks)$"}); err != nil && !strings.Contains(err.Error(), "slower than ") {
		t.Error(err)
	}
	if err := speed([]string{"-base", "no-such-commit"}); err == nil || !strings.Contains(err.Error(), "no commit no-such-commit") {
		t.Errorf("%v", err)
	}
}
