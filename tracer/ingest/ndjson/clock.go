package ndjson

import (
	"fmt"
	"slices"
	"sort"

	"github.com/antichain-go/antichain/tracer/event"
)

// entry is an entry of a vector clock that is not 0.
type entry struct {
	task  string
	count int64
}

const remedyClock = `a clock is an object of tasks and numbers of their events, like {"a":2,"b":1}`

// clockIn returns the vector clock of a line, nil if it has none.
func (m *Mapping) clockIn(line event.Value) ([]entry, error) {
	if m.clock == nil {
		return nil, nil
	}
	v, ok := m.clock.lookup(line)
	if !ok || v.Kind() == event.Null {
		return nil, nil
	}
	if v.Kind() == event.String { // a logger of strings has encoded it
		var inner event.Value
		if err := inner.UnmarshalJSON([]byte(v.Str())); err == nil {
			v = inner
		}
	}
	if v.Kind() != event.Object {
		return nil, fmt.Errorf("the field %s, which has a vector clock, is no object: %.40s", m.clock,
			event.Printable(v.String()))
	}
	clock := []entry{}
	for _, f := range v.Fields() {
		if f.Value.Kind() != event.Int || f.Value.Int() < 0 {
			return nil, fmt.Errorf("the entry %.60q of the vector clock %s is no number of events: %.40s", f.Name,
				m.clock, event.Printable(f.Value.String()))
		}
		if f.Value.Int() > 0 {
			clock = append(clock, entry{f.Name, f.Value.Int()})
		}
	}
	return clock, nil
}

// ticks are the lines of a task that have a clock, with its own entry of that.
type ticks struct {
	counts  []int64 // in ascending order
	records []int32
}

// linkClocks makes the lines that a clock counts causes. Not every event must have a line, nor must
// every line be an event.
func (r *Run) linkClocks() error {
	if r.mapping.clock == nil {
		return nil
	}
	all, err := r.ticks()
	if err != nil {
		return err
	}
	for t := range r.tasks {
		known := map[string]int64{}
		for _, i := range r.tasks[t].records {
			rec := &r.records[i]
			messages := rec.causes
			for _, e := range rec.clock {
				last := known[e.task]
				if e.count < last {
					return r.goesBack(rec, e.task, last, e.count)
				}
				known[e.task] = e.count
				u, ok := r.numbers[e.task]
				if e.count == last || !ok || int(u) == t {
					continue
				}
				if cause, ok := all[u].last(e.count); ok && !slices.Contains(messages, cause) {
					rec.causes = append(rec.causes, cause)
				}
			}
			if rec.clock != nil && len(known) > len(rec.clock) {
				return r.goesBack(rec, r.missing(rec, known), 1, 0)
			}
		}
	}
	return nil
}

// missing returns a task that was known and that the clock of a record lacks.
func (r *Run) missing(rec *record, known map[string]int64) string {
	has := map[string]bool{}
	for _, e := range rec.clock {
		has[e.task] = true
	}
	missing := ""
	for task := range known {
		if !has[task] && (missing == "" || task < missing) {
			missing = task
		}
	}
	return missing
}

func (r *Run) goesBack(rec *record, task string, last, count int64) error {
	return r.fault(rec, fmt.Sprintf("the vector clock counts %d events of task %.60q, but before it task %.60q "+
		"counted at least %d", count, task, r.tasks[rec.task].name, last),
		"the lines of a task must stand in the order in which they happened")
}

// ticks returns the ticks of each task.
func (r *Run) ticks() ([]ticks, error) {
	all := make([]ticks, len(r.tasks))
	for i := range r.records {
		rec := &r.records[i]
		t := &all[rec.task]
		for _, e := range rec.clock {
			if e.task != r.tasks[rec.task].name {
				continue
			}
			if n := len(t.counts); n > 0 && t.counts[n-1] > e.count {
				return nil, r.goesBack(rec, e.task, t.counts[n-1], e.count)
			}
			t.counts = append(t.counts, e.count)
			t.records = append(t.records, int32(i))
		}
	}
	return all, nil
}

// last returns the last record of a task that surely comes before a clock that counts so many of
// its events. Of several lines with that count the first one has counted; the others may be
// later.
func (t *ticks) last(count int64) (int32, bool) {
	i := sort.Search(len(t.counts), func(i int) bool { return t.counts[i] >= count })
	if i == len(t.counts) || t.counts[i] > count {
		i--
	}
	if i < 0 {
		return 0, false
	}
	return t.records[i], true
}
