package clock

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// Clocks against maps, over task indexes that need several parts of each size.
func TestClock(t *testing.T) {
	var tasks []int32
	for _, border := range []int32{16, twigSize, 1 << branchShift, 1 << boughShift, 2 << boughShift} {
		for i := border - 16; i < border+16; i++ {
			tasks = append(tasks, i)
		}
	}
	dense := make([]int32, 2*maxLeaves) // a task in each of many leaves
	for i := range dense {
		dense[i] = 4*twigSize + int32(i)*leafSize
	}
	tasks = append(tasks, dense...)
	rapid.Check(t, func(t *rapid.T) {
		index := rapid.SampledFrom(tasks)
		memory := new(Memory)
		clocks, models := []*Clock{nil}, []map[int32]int32{{}}
		pick := rapid.Custom(func(t *rapid.T) int { return rapid.IntRange(0, len(clocks)-1).Draw(t, "clock") })
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			i, j := pick.Draw(t, "a"), pick.Draw(t, "b")
			model := maps.Clone(models[i])
			var made *Clock
			switch rapid.SampledFrom([]string{"join", "learn", "learn", "with", "fill"}).Draw(t, "step") {
			case "join":
				made = memory.Join(clocks[i], clocks[j])
				for k, v := range models[j] {
					model[k] = max(model[k], v)
				}
				if i == j && made != clocks[i] {
					t.Fatal("join with itself is a new clock")
				}
			case "learn":
				but := index.Draw(t, "but")
				var base *Clock // that clock i is above
				if below := pick.Draw(t, "base"); covers(models[i], models[below]) {
					base = clocks[below]
				}
				made = memory.Learn(clocks[i], clocks[j], base, but)
				for k, v := range models[j] {
					if k != but {
						model[k] = max(model[k], v)
					}
				}
				if made.At(but) == max(model[but], models[j][but]) {
					model[but] = made.At(but)
				}
				if maps.Equal(model, models[i]) && made != clocks[i] && clocks[i] != nil && leavesApart(clocks[i], clocks[j]) <= maxLeaves {
					t.Fatal("to learn nothing takes a new clock")
				}
			case "with":
				made = clocks[i]
				for _, k := range rapid.SliceOf(index).Draw(t, "tasks") {
					model[k] = max(model[k], rapid.Int32Range(1, 5).Draw(t, "events"))
					made = made.With(k, model[k])
					if made.With(k, model[k]) != made {
						t.Fatal("what is known takes a new clock")
					}
				}
			case "fill":
				made = clocks[i]
				for _, k := range dense {
					model[k] = max(model[k], 1)
					made = made.With(k, 1)
				}
			}
			clocks, models = append(clocks, made), append(models, model)
			for n, c := range clocks { // the old ones have not changed
				for _, k := range tasks {
					if c.At(k) != models[n][k] {
						t.Fatalf("clock %d: task %d: %d, want %d", n, k, c.At(k), models[n][k])
					}
				}
			}
		}
	})
}

// Each of two clocks knows more than the other in every leaf of a twig.
func TestJoinOfDense(t *testing.T) {
	var clocks [2]*Clock
	for task := range int32(twigSize) {
		for i, c := range clocks {
			clocks[i] = c.With(task, 1+(task+int32(i))%2)
		}
	}
	joined := Join(clocks[0], clocks[1])
	for task := range int32(twigSize) {
		if got := joined.At(task); got != 2 {
			t.Errorf("task %d: %d, want 2", task, got)
		}
	}
}

// Base has parts that b has not: only a must be above it.
func TestLearnMuchBesideBase(t *testing.T) {
	var base, b *Clock
	for task := range int32(2 * leafSize) {
		base = base.With(task, 1)
		b = b.With(2*leafSize+task, 1)
	}
	learnt := new(Memory).Learn(base.With(0, 2), b, base, 0)
	for task := range int32(4 * leafSize) {
		want := int32(1)
		if task == 0 {
			want = 2
		}
		if got := learnt.At(task); got != want {
			t.Errorf("task %d: %d, want %d", task, got, want)
		}
	}
}

// Two clocks that were made apart say the same of many tasks: who has learnt from one looks through
// little of it from then on.
func TestLearnApart(t *testing.T) {
	const tasks = 8 * twigSize
	made := func() (c *Clock) {
		for task := range int32(tasks) {
			c = c.With(task, 1)
		}
		return c
	}
	a, b := made().With(5, 2), made().With(900, 3)
	if n := leavesApart(a, b); n <= maxLeaves {
		t.Fatalf("only %d leaves apart", n)
	}
	learnt := new(Memory).Learn(a, b, nil, -1)
	for task := range int32(tasks) {
		if got, want := learnt.At(task), max(a.At(task), b.At(task)); got != want {
			t.Errorf("task %d: %d, want %d", task, got, want)
		}
	}
	if n := leavesApart(learnt, b); n > 2 {
		t.Errorf("%d leaves are still apart", n)
	}
}

// leavesApart returns how many leaves are looked at to compare a with b, at most one more than
// maxLeaves.
func leavesApart(a, b *Clock) int {
	if a == nil || b == nil {
		return 0
	}
	n := news{a: a, but: -1, memory: new(Memory)}
	n.inClock(b, new(Clock))
	return n.leaves
}

// What is learnt of few tasks goes beside the trie, which stays the same memory.
func TestLearnLittle(t *testing.T) {
	var a *Clock
	for task := range int32(2 * twigSize) {
		a = a.With(task, 1)
	}
	a = a.settle()
	b := a.With(3, 2).With(twigSize+3, 2).settle()
	learnt := new(Memory).Learn(a, b, nil, 0)
	if !learnt.sharesTrie(a) {
		t.Error("another trie")
	}
	for _, task := range []int32{3, twigSize + 3} {
		if got := learnt.At(task); got != 2 {
			t.Errorf("task %d: %d, want 2", task, got)
		}
	}
}

// covers reports whether a is above b.
func covers(a, b map[int32]int32) bool {
	for task, k := range b {
		if a[task] < k {
			return false
		}
	}
	return true
}
