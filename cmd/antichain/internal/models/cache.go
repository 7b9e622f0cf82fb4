package models

import "bytes"

// Cache keeps values computed from models.
type Cache[T any] struct {
	last      Model // the model of the last call, which is usually that of the next one
	lastValue T

	values map[string]T // by text of the model
	size   int          // of all texts and values, in bytes
}

// maxCached limits the size of a cache, in bytes.
const maxCached = 256 << 20

// Get returns the value of a model. If there is none for its text, make computes it, and returns
// its size in bytes.
func (c *Cache[T]) Get(m *Model, make func() (T, int, error)) (T, error) {
	if c.values != nil && m.Program == c.last.Program && m.Run == c.last.Run && bytes.Equal(m.Text, c.last.Text) {
		return c.lastValue, nil
	}
	key := "structure " + string(m.Text)
	switch {
	case m.Program:
		key = "program " + string(m.Text)
	case m.Run != nil:
		key = "run" // the only one, that of --model
	}
	value, ok := c.values[key]
	if !ok {
		var size int
		var err error
		if value, size, err = make(); err != nil {
			return value, err
		}
		if c.size += size + len(key); c.size > maxCached || c.values == nil {
			c.values, c.size = map[string]T{}, size+len(key)
		}
		c.values[key] = value
	}
	c.last, c.lastValue = *m, value
	return value, nil
}

// Grown adds bytes to the size of the last model's value.
func (c *Cache[T]) Grown(bytes int) {
	if c.size += bytes; c.size > maxCached {
		c.values, c.size = nil, 0
	}
}
