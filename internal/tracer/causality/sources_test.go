package causality

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// TestSources has tasks learn from each other and from objects, by all relations, and tests that
// who is said to know all that a task does knows it.
func TestSources(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m clock.Memory
		tasks := []*operationClocks{{task: 0, past: &history{witness: op.NoTask}}}
		objects := make([]operationClocks, 4)
		relation := func() relation {
			return rapid.SampledFrom([]relation{synchronises, excludes, decides, queues}).Draw(t, "relation")
		}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			task := rapid.SampledFrom(tasks).Draw(t, "task")
			object := &objects[rapid.IntRange(0, len(objects)-1).Draw(t, "object")]
			switch rapid.IntRange(0, 6).Draw(t, "step") {
			case 0:
				if len(tasks) < 6 {
					task.k++
					child := &operationClocks{task: op.Task(len(tasks))}
					child.learn(&m, task, synchronises)
					child.past = task.childHistory(child)
					tasks = append(tasks, child)
				}
			case 1, 2:
				if *object != (operationClocks{}) {
					task.learn(&m, object, relation())
				}
			case 3:
				task.k++
				*object = *task
			case 4:
				task.k++
				object.merge(&m, task, relation())
			case 5:
				if other := rapid.SampledFrom(tasks).Draw(t, "other"); other != task {
					task.k++
					other.k++
					task.exchange(&m, other)
				}
			case 6:
				object.fold()
			}
			for _, h := range tasks {
				for i := range objects {
					checkWithin(t, h, &objects[i], len(tasks))
				}
				for _, s := range tasks {
					checkWithin(t, h, s, len(tasks))
				}
			}
		}
	})
}

// checkWithin tests that s knows all that h does where it is said to.
func checkWithin(t *rapid.T, h, s *operationClocks, tasks int) {
	if h == s {
		return
	}
	for order := range inData {
		if !h.isWithin(s, order) {
			continue
		}
		for x := range op.Task(tasks) {
			if x != h.task && h.latestKnown(x, order) > s.latestKnown(x, order) {
				t.Fatalf("in order %d task %d is said to be within %d, but knows %d operations of %d, which knows %d",
					order, h.task, s.task, h.latestKnown(x, order), x, s.latestKnown(x, order))
			}
		}
	}
}
