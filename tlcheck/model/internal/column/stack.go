package column

// Stack is a stack of lists of values, which is not copied as it grows: a list lies in one chunk, and goes on in no other one.
type Stack[T any] struct {
	chunks [][]T
	top    int // the chunk that the last list is in; those above are empty, and kept for later
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

// Top returns the last n values, which must be of the list on top. It must not be changed, and is valid until that is popped.
func (s *Stack[T]) Top(n int) []T {
	have := s.chunks[s.top]
	return have[len(have)-n:]
}

// Pop takes away the list on top, which has n values.
func (s *Stack[T]) Pop(n int) {
	have := s.chunks[s.top]
	s.chunks[s.top] = have[:len(have)-n]
	if len(have) == n && s.top > 0 {
		s.top--
	}
}
