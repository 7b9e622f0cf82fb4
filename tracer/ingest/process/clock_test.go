package process

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ring"
)

// Clocks against maps, over task indexes that need several parts of each size.
func TestClock(t *testing.T) {
	var tasks []int32
	for _, border := range []int32{16, twigSize, 1 << branchShift, 1 << boughShift, 2 << boughShift} {
		for i := border - 16; i < border+16; i++ {
			tasks = append(tasks, i)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		index := rapid.SampledFrom(tasks)
		clocks, models := []*clock{nil}, []map[int32]int32{{}}
		pick := rapid.Custom(func(t *rapid.T) int { return rapid.IntRange(0, len(clocks)-1).Draw(t, "clock") })
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			i, j := pick.Draw(t, "a"), pick.Draw(t, "b")
			model := maps.Clone(models[i])
			var made *clock
			if rapid.Bool().Draw(t, "join") {
				made = join(clocks[i], clocks[j])
				for k, v := range models[j] {
					model[k] = max(model[k], v)
				}
				if maps.Equal(model, models[i]) && made != clocks[i] && !maps.Equal(model, models[j]) {
					t.Fatal("join with less is a new clock")
				}
			} else {
				raised := rapid.MapOf(index, rapid.Int32Range(1, 5)).Draw(t, "events")
				var events []*node
				for _, k := range slices.Sorted(maps.Keys(raised)) {
					events = append(events, new(knowledge).newNode(&task{index: k}, raised[k], nil))
					model[k] = max(model[k], raised[k])
				}
				made = clocks[i].with(events)
			}
			clocks, models = append(clocks, made), append(models, model)
			for n, c := range clocks { // the old ones have not changed
				for _, k := range tasks {
					if c.get(k) != models[n][k] {
						t.Fatalf("clock %d: task %d: %d, want %d", n, k, c.get(k), models[n][k])
					}
				}
			}
		}
	})
}

// What ended goroutines did is forgotten once somebody has heard of all of it.
func TestForgetting(t *testing.T) {
	p := newProcess(t, testTable(), Options{})
	ctx := uint64(1)
	const workers = 50
	for range 20 {
		var records []ring.Record
		for range workers {
			ctx++
			records = append(records, goRec(1, ctx), enterRec(ctx), rec(ring.KindReleaseMerge, ctx, 100, 0, ring.OpDone),
				rec(ring.KindReleaseAcquire, ctx, 200, 0), rec(ring.KindEnd, ctx, 0, 0))
		}
		records = append(records, rec(ring.KindAcquire, 1, 100, 0, ring.OpWait))
		for i := range records {
			if err := p.Feed(&records[i], discard); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(p.objects[100].released.events); n > workers {
			t.Fatalf("after %d goroutines the wait group knows %d events", ctx, n)
		}
		if n := len(p.objects[200].released.events); n > workers {
			t.Fatalf("after %d goroutines the lock knows %d events", ctx, n)
		}
	}
	alive := 0
	p.goroutines.each(func(*goroutine) { alive++ })
	if alive != 1 {
		t.Errorf("%d goroutines are not forgotten", alive)
	}
}

func discard(*event.Event) error { return nil }
