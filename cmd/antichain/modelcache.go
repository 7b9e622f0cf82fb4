package main

import "bytes"

// modelCache keeps values that were made of models.
type modelCache[T any] struct {
	last      modelText // the model of the last call: most often it is that of the next one, too
	lastValue T

	values map[string]T // by the texts of models
	size   int          // of all texts and values, in bytes
}

// maxCached bounds the size of a cache, in bytes.
const maxCached = 256 << 20

// get returns the value of a model. If there is none for its text, make makes it, and says its size in bytes.
func (c *modelCache[T]) get(m *modelText, make func() (T, int, error)) (T, error) {
	if c.values != nil && m.program == c.last.program && m.run == c.last.run && bytes.Equal(m.text, c.last.text) {
		return c.lastValue, nil
	}
	key := "structure " + string(m.text)
	switch {
	case m.program:
		key = "program " + string(m.text)
	case m.run != nil:
		key = "run" // there is only one, that of --model
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
