package kripke

// column is a list that is not copied as it grows, once it is long: it goes on in another chunk then.
type column[T any] struct{ chunks [][]T }

const columnChunk = 1 << 16

// add adds a value at the end.
func (c *column[T]) add(value T) {
	last := len(c.chunks) - 1
	switch {
	case last < 0:
		c.chunks, last = make([][]T, 1), 0
	case len(c.chunks[last]) == columnChunk:
		c.chunks = append(c.chunks, make([]T, 0, columnChunk))
		last++
	}
	c.chunks[last] = append(c.chunks[last], value)
}

func (c *column[T]) at(i int) T { return *c.place(i) }

// place returns where value i stands, until the next one is added.
func (c *column[T]) place(i int) *T { return &c.chunks[uint(i)/columnChunk][uint(i)%columnChunk] }

func (c *column[T]) len() int {
	last := len(c.chunks) - 1
	if last < 0 {
		return 0
	}
	return last*columnChunk + len(c.chunks[last])
}
