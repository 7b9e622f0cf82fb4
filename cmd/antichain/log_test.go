package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// The log is JSON, with what others wrote cut short.
func TestLog(t *testing.T) {
	var out strings.Builder
	log, err := newLog(&out, "warn")
	if err != nil {
		t.Fatal(err)
	}
	log.Info().Msg("quiet")
	log.Warn().Str("run", logged(strings.Repeat("é", longestLogged))).Msg("loud")
	var line map[string]string
	if err := json.Unmarshal([]byte(out.String()), &line); err != nil || line["message"] != "loud" || len(line["run"]) > longestLogged+3 {
		t.Errorf("%v: %s", err, out.String())
	}
	if _, err := newLog(io.Discard, "disabled"); err == nil || fmt.Sprint(err) != "--log-level disabled: the levels are debug, info, warn and error" {
		t.Error(err)
	}
}
