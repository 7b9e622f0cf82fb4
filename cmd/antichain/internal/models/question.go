package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
)

// Keys are the keys of a model in a question.
type Keys struct {
	Structure json.RawMessage `json:"structure"`
	Program   *string         `json:"program"`
}

// text returns the model of a question; nil if it has none.
func (k *Keys) text() (*Model, error) {
	structure := len(k.Structure) > 0 && !bytes.Equal(k.Structure, []byte("null"))
	switch {
	case structure && k.Program != nil:
		return nil, errors.New(`both "structure" and "program" given: leave one of them out`)
	case structure:
		return &Model{Name: "structure", Text: k.Structure}, nil
	case k.Program != nil:
		return &Model{Name: "program", Text: []byte(*k.Program), Program: true}, nil
	}
	return nil, nil
}

// Model returns the model of a question, with these parameters if it is a program. A question
// without a model gets the given one, which may be nil.
func (k *Keys) Model(given *Model, parameters map[string]int64) (*Model, error) {
	m, err := k.text()
	switch {
	case err != nil:
		return nil, err
	case m != nil:
		m.parameters = parameters
		return m, nil
	case given == nil:
		return nil, errors.New(`no model given: add the key "structure" or "program", or the flag --model`)
	}
	return given, nil
}

// QuestionReader parses questions of a batch that have models. Most questions have the same
// structure as the one before, which is nearly all of the line. Then it is compared instead of
// parsed.
type QuestionReader struct {
	last json.RawMessage // the structure of the last question with one
}

var (
	structureKey = []byte(`"structure":`)
	blanks       = " \t\r\n"
	asBefore     = []byte(`"as before"`) // stands for the last structure; no structure is a string
)

// Parse parses a question. keys is a part of it.
func (r *QuestionReader) Parse(line []byte, question any, keys *Keys) error {
	if short := r.shorten(line); short != nil {
		if batch.Parse(short, question) == nil && bytes.Equal(keys.Structure, asBefore) {
			keys.Structure = r.last
			return nil
		}
	}
	err := batch.Parse(line, question)
	if len(keys.Structure) > 0 {
		r.last = keys.Structure
	}
	return err
}

// shorten replaces the last structure by asBefore. It returns nil if the line does not contain it.
func (r *QuestionReader) shorten(line []byte) []byte {
	before, after, ok := bytes.Cut(line, structureKey)
	if !ok || len(r.last) == 0 {
		return nil
	}
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(after, blanks), r.last)
	if !ok || bytes.Contains(before, asBefore) || bytes.Contains(rest, asBefore) {
		return nil
	}
	return slices.Concat(before, structureKey, asBefore, rest)
}

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
