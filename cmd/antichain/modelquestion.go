package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
)

// modelKeys are the keys of a model in a question.
type modelKeys struct {
	Structure json.RawMessage `json:"structure"`
	Program   *string         `json:"program"`
}

// text returns the model of a question; nil if it has none.
func (k *modelKeys) text() (*modelText, error) {
	structure := len(k.Structure) > 0 && !bytes.Equal(k.Structure, []byte("null"))
	switch {
	case structure && k.Program != nil:
		return nil, errors.New(`there are both "structure" and "program": leave one of them out`)
	case structure:
		return &modelText{name: "structure", text: k.Structure}, nil
	case k.Program != nil:
		return &modelText{name: "program", text: []byte(*k.Program), program: true}, nil
	}
	return nil, nil
}

// model returns the model of a question, with these parameters if it is a program, else the given one, which may be nil.
func (k *modelKeys) model(given *modelText, parameters map[string]int64) (*modelText, error) {
	m, err := k.text()
	switch {
	case err != nil:
		return nil, err
	case m != nil:
		m.parameters = parameters
		return m, nil
	case given == nil:
		return nil, errors.New(`there is no model: give the key "structure" or "program", or the flag --model`)
	}
	return given, nil
}

// questionReader parses questions of a batch that have models. Most questions have the same structure as the one before, and it is
// nearly all of the line; it is compared then instead of being parsed.
type questionReader struct {
	last json.RawMessage // the structure of the last question that had one
}

var (
	structureKey = []byte(`"structure":`)
	blanks       = " \t\r\n"
	asBefore     = []byte(`"as before"`) // stands for the last structure; no structure is a string
)

// parse parses a question; keys is a part of it.
func (r *questionReader) parse(line []byte, question any, keys *modelKeys) error {
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

// shorten puts asBefore in the place of the last structure; nil if that is not there.
func (r *questionReader) shorten(line []byte) []byte {
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
