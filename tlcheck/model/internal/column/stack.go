package column

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
