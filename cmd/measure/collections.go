//go:build unix

package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// jsonLines reads a file of values, compressed if its name ends in .gz. There has to be one.
func jsonLines[T any](path string) (all []T, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var in io.Reader = bufio.NewReader(f)
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	for values := json.NewDecoder(in); ; {
		var value T
		switch err := values.Decode(&value); {
		case errors.Is(err, io.EOF) && len(all) > 0:
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("%s, value %d: %w", path, len(all)+1, err)
		}
		all = append(all, value)
	}
}

// contest is the models and formulas of the Model Checking Contest, in files as they are handed to
// antichain.
type contest struct {
	models  []string // their files
	asked   map[string]map[string]*bytes.Buffer
	answers map[string]bool // by the names of the formulas
}

// contestFormula is a question of the contest.
type contestFormula struct {
	ID      string `json:"id"`
	Formula string `json:"formula"`
	Model   string `json:"model"`
	Logic   string `json:"logic"`
	Holds   bool   `json:"holds"`
}

// contest writes the models to files, and the questions about each in both logics.
func (b *bench) contest() (*contest, error) {
	testdata := filepath.Join(b.root, "tlcheck/model/ctl/testdata")
	c := &contest{asked: map[string]map[string]*bytes.Buffer{"CTL": {}, "LTL": {}}, answers: map[string]bool{}}
	models, err := jsonLines[json.RawMessage](filepath.Join(testdata, "mcc_models.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	for _, text := range models {
		var named struct{ Model string }
		if err := json.Unmarshal(text, &named); err != nil {
			return nil, err
		}
		path := b.path(named.Model + ".json")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return nil, err
		}
		c.models = append(c.models, path)
		for _, questions := range c.asked {
			questions[path] = new(bytes.Buffer)
		}
	}
	formulas, err := jsonLines[contestFormula](filepath.Join(testdata, "mcc_formulas.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	for _, f := range formulas {
		questions := c.asked[f.Logic][b.path(f.Model+".json")]
		if questions == nil {
			return nil, fmt.Errorf("%s: no logic %s, or no model %s", f.ID, f.Logic, f.Model)
		}
		if err := json.NewEncoder(questions).Encode(map[string]string{"id": f.ID, "formula": f.Formula}); err != nil {
			return nil, err
		}
		c.answers[f.ID] = f.Holds
	}
	return c, nil
}

// ask asks all questions in a logic, one process for each model, and compares the answers with
// those of the contest.
func (c *contest) ask(b *bench, logic string) (all commandOutcome, err error) {
	for _, model := range c.models {
		questions := c.asked[logic][model].Bytes()
		t, err := timed("", bytes.NewReader(questions), b.path("antichain"), strings.ToLower(logic), "check", "--batch", "--model", model)
		if err != nil {
			return all, err
		}
		if err := c.compare(t.out, bytes.Count(questions, []byte("\n"))); err != nil {
			return all, fmt.Errorf("%s: %w", filepath.Base(model), err)
		}
		all.seconds += t.seconds
		all.mib = max(all.mib, t.mib)
	}
	return all, nil
}

// compare compares answers with those of the contest. So many must there be.
func (c *contest) compare(out string, count int) error {
	n := 0
	for answers := json.NewDecoder(strings.NewReader(out)); ; n++ {
		var a struct {
			ID    string `json:"id"`
			Holds *bool  `json:"holds"`
		}
		err := answers.Decode(&a)
		switch {
		case errors.Is(err, io.EOF) && n == count:
			return nil
		case err != nil:
			return fmt.Errorf("answer %d of %d: %w", n+1, count, err)
		}
		if holds, ok := c.answers[a.ID]; !ok || a.Holds == nil || *a.Holds != holds {
			return fmt.Errorf("%s: another answer than that of the contest, %v", a.ID, holds)
		}
	}
}
