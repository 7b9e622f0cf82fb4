package main

import (
	"bytes"
	"encoding/json"
	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"slices"
)

// modelQuestions reads questions of a batch that have models. Most often a question names the same structure as the one before, and that is
// nearly all of its line; it is compared then instead of being read.
type modelQuestions struct {
	last json.RawMessage // the structure of the last question that had one
}

var (
	structureKey = []byte(`"structure":`)
	blanks       = " \t\r\n"
	asBefore     = []byte(`"as before"`) // stands for the last structure; no structure is a string
)

// parse reads a question of which keys is a part.
func (m *modelQuestions) parse(line []byte, question any, keys *modelKeys) error {
	if short := m.shorten(line); short != nil {
		if batch.Parse(short, question) == nil && bytes.Equal(keys.Structure, asBefore) {
			keys.Structure = m.last
			return nil
		}
	}
	err := batch.Parse(line, question)
	if len(keys.Structure) > 0 {
		m.last = keys.Structure
	}
	return err
}

// shorten puts asBefore in the place of the last structure; nil if that is not there.
func (m *modelQuestions) shorten(line []byte) []byte {
	before, after, ok := bytes.Cut(line, structureKey)
	if !ok || len(m.last) == 0 {
		return nil
	}
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(after, blanks), m.last)
	if !ok || bytes.Contains(before, asBefore) || bytes.Contains(rest, asBefore) {
		return nil
	}
	return slices.Concat(before, structureKey, asBefore, rest)
}

// memo remembers what was made of models.
type memo[T any] struct {
	last modelText // the one that was asked for last: most often it is the next one, too
	one  T         // what was made of it

	made map[string]T // by the texts of models
	size int          // of all texts and of what was made, in bytes
}

// maxRemembered bounds the size of what is remembered.
const maxRemembered = 256 << 20

// of returns what make makes of a model with its size in bytes, or has made of one with the same text.
func (c *memo[T]) of(m *modelText, make func() (T, int, error)) (T, error) {
	if c.made != nil && m.program == c.last.program && m.run == c.last.run && bytes.Equal(m.text, c.last.text) {
		return c.one, nil
	}
	key := "structure " + string(m.text)
	switch {
	case m.program:
		key = "program " + string(m.text)
	case m.run != nil:
		key = "run" // there is but one, that of --model
	}
	made, ok := c.made[key]
	if !ok {
		var size int
		var err error
		if made, size, err = make(); err != nil {
			return made, err
		}
		if c.size += size + len(key); c.size > maxRemembered || c.made == nil {
			c.made, c.size = map[string]T{}, size+len(key)
		}
		c.made[key] = made
	}
	c.last, c.one = *m, made
	return made, nil
}
