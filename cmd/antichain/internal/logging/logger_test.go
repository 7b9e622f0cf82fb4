package logging

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// The log is JSON, with foreign texts cut short.
func TestNew(t *testing.T) {
	var out strings.Builder
	log, err := New(&out, "warn")
	if err != nil {
		t.Fatal(err)
	}
	log.Info().Msg("quiet")
	log.Warn().Str("run", Shorten(strings.Repeat("é", maxText))).Msg("loud")
	var line map[string]string
	if err := json.Unmarshal([]byte(out.String()), &line); err != nil || line["message"] != "loud" || len(line["run"]) > maxText+3 {
		t.Errorf("%v: %s", err, out.String())
	}
	if _, err := New(io.Discard, "disabled"); err == nil || fmt.Sprint(err) != "--log-level disabled: the levels are debug, info, warn and error" {
		t.Error(err)
	}
}
