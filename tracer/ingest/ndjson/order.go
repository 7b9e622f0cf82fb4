package ndjson

import "fmt"

// sorter sorts the records of a run: causes come first, otherwise in the order of the log. A record
// that waits for a later line, and the later records of its task, come after that line.
type sorter struct {
	*Run
	order   []int32
	done    []bool            // by record: whether it is in order
	seen    []int             // by task: its records up to the one in hand
	next    []int             // by task: of these, those that are in order
	blocked []bool            // by task: whether its next record waits
	waiting map[int32][]int32 // by record: the tasks whose next record waits for it
}

func (r *Run) sort() ([]int32, error) {
	s := &sorter{
		Run: r, done: make([]bool, len(r.records)), seen: make([]int, len(r.tasks)), next: make([]int, len(r.tasks)),
		blocked: make([]bool, len(r.tasks)), waiting: map[int32][]int32{},
	}
	for i := range r.records {
		t := r.records[i].task
		s.seen[t]++
		s.advance(t)
	}
	if len(s.order) < len(r.records) {
		return nil, s.cycleError()
	}
	return s.order, nil
}

// advance sorts the next records of a task, and the records that wait for them.
func (s *sorter) advance(t int32) {
	for ready := []int32{t}; len(ready) > 0; {
		t, ready = ready[len(ready)-1], ready[:len(ready)-1]
		for !s.blocked[t] && s.next[t] < s.seen[t] {
			i := s.tasks[t].records[s.next[t]]
			if cause, ok := s.missingCause(i); ok {
				s.blocked[t] = true
				s.waiting[cause] = append(s.waiting[cause], t)
				break
			}
			s.order = append(s.order, i)
			s.done[i] = true
			s.next[t]++
			for _, u := range s.waiting[i] {
				s.blocked[u] = false
				ready = append(ready, u)
			}
			delete(s.waiting, i)
		}
	}
}

// missingCause returns a cause of a record that is not in order.
func (s *sorter) missingCause(i int32) (int32, bool) {
	for _, c := range s.records[i].causes {
		if !s.done[c] {
			return c, true
		}
	}
	return 0, false
}

// cycleError reports records that wait for each other: it follows the causes of a waiting record
// until a record repeats.
func (s *sorter) cycleError() error {
	i := int32(0)
	for s.done[i] {
		i++
	}
	for met := map[int32]bool{}; ; {
		t := s.records[i].task
		i = s.tasks[t].records[s.next[t]]
		cause, _ := s.missingCause(i)
		if met[i] {
			format := "this line receives what line %d sends, which comes after it in every order"
			if s.mapping.clock != nil {
				format = "this line comes after line %d, by its key or clock, which comes after it in every order"
			}
			return s.fault(&s.records[i], fmt.Sprintf(format, s.records[cause].line),
				"the lines of a task must stand in the order in which they happened, and a key must name one message")
		}
		met[i] = true
		i = cause
	}
}
