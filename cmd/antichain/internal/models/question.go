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
