//go:build linux && (amd64 || arm64)

package waiting

import (
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestWaiting is a short form of .ci/long waiting. Its programs are the same each time, their
// schedules are not.
func TestWaiting(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	c := newTable()
	if err := c.run(t.Context(), settings{seed: 2, programs: 40}, io.Discard); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	c.write(&text)
	if err := c.verdict(); err != nil {
		t.Errorf("%v\n%s", err, &text)
	}
	if got := slices.Sorted(maps.Keys(c.rows)); len(got) != len(waitKinds) {
		t.Errorf("only these kinds of waits: %v", got)
	}
}

// Who can still end a wait.
func TestEndless(t *testing.T) {
	c, c2 := object{sort: channel, holder: -1}, object{sort: channel, holder: -1}
	held := func(by int) object { return object{sort: mutex, holder: by} }
	global := object{sort: channel, holder: -1, global: inVariable}
	waitsFor := func(on int, has ...int) task { return task{fate: waits, on: []int{on}, has: has} }
	ticker := func(has ...int) task { return task{fate: ticks, has: has} }
	for _, test := range []struct {
		name string
		program
		want []int
	}{
		{"none goes on", program{objects: []object{global}, tasks: []task{waitsFor(0)}}, []int{0}},
		{"one goes on", program{objects: []object{c}, tasks: []task{waitsFor(0), ticker()}}, []int{0}},
		{"one goes on that leads there", program{objects: []object{c}, tasks: []task{waitsFor(0), ticker(0)}}, nil},
		{"a variable does", program{objects: []object{global}, tasks: []task{waitsFor(0), ticker()}}, nil},
		{"one that is woken does", program{objects: []object{c, c2},
			tasks: []task{waitsFor(0), ticker(1), waitsFor(1, 0)}}, nil},
		{"one that waits for ever does", program{objects: []object{c, c2},
			tasks: []task{waitsFor(0), ticker(), waitsFor(1, 0)}}, []int{0, 2}},
		{"main does", program{objects: []object{c}, tasks: []task{waitsFor(0), ticker()}, exits: true,
			mainHas: []int{0}}, nil},
		{"main alone does", program{objects: []object{c, c2}, tasks: []task{waitsFor(0), waitsFor(1)}, exits: true,
			mainHas: []int{0}}, []int{1}},
		{"main alone has a variable", program{objects: []object{global}, tasks: []task{waitsFor(0)},
			exits: true}, []int{0}},
		{"the holder has ended", program{objects: []object{held(1)},
			tasks: []task{waitsFor(0), {fate: ends}, ticker(0)}}, []int{0}},
		{"the holder waits for ever", program{objects: []object{held(1), c},
			tasks: []task{waitsFor(0), waitsFor(1), ticker(0)}}, []int{0, 1}},
		{"the holder goes on", program{objects: []object{held(1)}, tasks: []task{waitsFor(0), ticker(0)}}, nil},
		{"a cycle", program{objects: []object{held(0), held(1)},
			tasks: []task{waitsFor(1), waitsFor(0), ticker(0, 1)}}, []int{0, 1}},
	} {
		endless := test.endless()
		maps.DeleteFunc(endless, func(_ int, is bool) bool { return !is })
		if got := slices.Sorted(maps.Keys(endless)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v wait for ever, want %v", test.name, got, test.want)
		}
	}
}
