// Package column provides lists for very many values, such as one for each state of a system.
package column

// Column is a list that continues in another chunk when it is long, so it is never copied as a
// whole.
type Column[T any] struct{ chunks [][]T }

// Chunk is the length of a chunk.
const Chunk = 1 << 16

// Add adds a value at the end.
func (c *Column[T]) Add(value T) {
	last := len(c.chunks) - 1
	switch {
	case last < 0:
		c.chunks, last = make([][]T, 1), 0
	case len(c.chunks[last]) == Chunk:
		c.chunks = append(c.chunks, make([]T, 0, Chunk))
		last++
	}
	c.chunks[last] = append(c.chunks[last], value)
}

// At returns value i, counted from 0.
func (c *Column[T]) At(i int) T { return *c.Place(i) }

// Place returns a pointer to value i, which is valid until the next Add.
func (c *Column[T]) Place(i int) *T { return &c.chunks[uint(i)/Chunk][uint(i)%Chunk] }

// Len returns the number of values.
func (c *Column[T]) Len() int {
	last := len(c.chunks) - 1
	if last < 0 {
		return 0
	}
	return last*Chunk + len(c.chunks[last])
}

// Stack is a stack of lists of values, which is never copied as a whole. Each list lies within one
// chunk.
type Stack[T any] struct {
	chunks [][]T
	top    int // index of the chunk with the last list; those above are empty and reused
}

// Push puts a copy of a list on top.
func (s *Stack[T]) Push(list []T) {
	if len(s.chunks) == 0 {
		s.chunks = append(s.chunks, nil)
	}
	if have := s.chunks[s.top]; len(have) > 0 && len(have)+len(list) > max(cap(have), Chunk) {
		if s.top++; s.top == len(s.chunks) {
			s.chunks = append(s.chunks, make([]T, 0, max(Chunk, len(list))))
		}
	}
	s.chunks[s.top] = append(s.chunks[s.top], list...)
}

// Top returns the last n values, which must belong to the list on top. The caller must not change
// them, and they are valid until Pop.
func (s *Stack[T]) Top(n int) []T {
	have := s.chunks[s.top]
	return have[len(have)-n:]
}

// Pop removes the list on top, which has n values.
func (s *Stack[T]) Pop(n int) {
	have := s.chunks[s.top]
	s.chunks[s.top] = have[:len(have)-n]
	if len(have) == n && s.top > 0 {
		s.top--
	}
}
