package reports

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validateSARIF compares a log with the schema of the standard, as @microsoft/sarif-multitool has
// it.
func validateSARIF(t *testing.T, text []byte) error {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	log, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(log)
}

// sampleBase is where the sample is.
var sampleBase = base{dir: "/src/app", root: "/src"}

func TestSARIFIsValid(t *testing.T) {
	for name, c := range map[string]*Collection{"sample": sample(), "nothing": {}} {
		text, err := json.Marshal(sarifOf(c, sampleBase, "test"))
		if err != nil {
			t.Fatal(err)
		}
		if err := validateSARIF(t, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSARIFSchemaRefuses keeps the schema from being one that takes all.
func TestSARIFSchemaRefuses(t *testing.T) {
	spoil := map[string]func(*sarifRun){
		"level":  func(r *sarifRun) { r.Results[0].Level = "fatal" },
		"uri":    func(r *sarifRun) { r.Results[0].Locations[0].Physical.Artifact.URI = "a b:%" },
		"line":   func(r *sarifRun) { r.Results[0].Locations[0].Physical.Region.StartLine = 0 },
		"flow":   func(r *sarifRun) { r.Results[0].CodeFlows[0].Threads[0].Locations = nil },
		"column": func(r *sarifRun) { r.ColumnKind = "bytes" },
	}
	for name, change := range spoil {
		log := sarifOf(sample(), sampleBase, "test")
		change(&log.Runs[0])
		text, err := json.Marshal(log)
		if err != nil {
			t.Fatal(err)
		}
		if validateSARIF(t, text) == nil {
			t.Errorf("%s: the schema takes a log that is wrong", name)
		}
	}
}

func TestSARIFResults(t *testing.T) {
	run := sarifOf(sample(), sampleBase, "test").Runs[0]
	var got []string
	for _, r := range run.Results {
		text := r.Level + " " + r.RuleID + " " + r.Fingerprints["antichain/v1"][30:]
		for _, s := range r.Suppressions {
			text += " " + s.Kind + ": " + s.Justification
		}
		if rule := run.Tool.Driver.Rules[r.RuleIndex].ID; rule != r.RuleID {
			t.Errorf("%s: the index is that of %s", r.RuleID, rule)
		}
		got = append(got, text)
	}
	want := []string{
		"error deadlock 01", "error stuck 02", "warning stuck 06", "error closed 03 inSource: ignored at bank/main.go:50: it is closed once only",
		"error unlock 04 external: goes away with issue 12", "error race 05", "error property/same_element 07", "error property/714442b6 08", "error property/88751486 09",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if again := run.Results[0].Properties["again"]; again != "antichain replay bank.schedule ./bank" {
		t.Errorf("the first result is shown again by %q", again)
	}
	if run.Invocations[0].Successful {
		t.Error("two properties have no verdict, and the execution is called successful")
	}
	var unknown []string
	for _, n := range run.Invocations[0].Notifications {
		unknown = append(unknown, n.Rule.ID+": "+n.Message.Text)
	}
	if diff := cmp.Diff([]string{
		"waitgroup: waitgroup of example.com/bank: unknown: the trace was not read to its end",
		"property/slow: slow of ring.trace: unknown: the time was over",
	}, unknown); diff != "" {
		t.Error(diff)
	}
}

func TestSARIFPlaces(t *testing.T) {
	r := sarifOf(sample(), sampleBase, "test").Runs[0].Results[0]
	places := func(all []sarifLocation) (texts []string) {
		for _, l := range all {
			text := l.Message.Text
			if l.Physical != nil {
				text += " @ " + l.Physical.Artifact.BaseID + " " + l.Physical.Artifact.URI
			}
			texts = append(texts, text)
		}
		return texts
	}
	if diff := cmp.Diff([]string{"main.1 waits for to.mu @ %SRCROOT% app/bank/main.go"}, places(r.Locations)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"main.1 holds from.mu, taken here @ %SRCROOT% app/bank/main.go",
		"main.1 was called by main.main.func1 @ %SRCROOT% app/bank/main.go",
		"main.2 waits for from.mu @  file:///elsewhere/a%20b.go",
		"main waits for ever",
	}, places(r.Related)); diff != "" {
		t.Error(diff)
	}
	if got, want := r.CodeFlows[0].Message.Text, "It happened in this run."; got != want {
		t.Errorf("the order is %q, want %q", got, want)
	}
	var order []string
	for _, thread := range r.CodeFlows[0].Threads {
		for _, l := range thread.Locations {
			order = append(order, string(rune('0'+l.Order))+" "+thread.ID+" "+l.Location.Message.Text)
		}
	}
	slices.Sort(order)
	if diff := cmp.Diff([]string{"1 main go main.1", "2 main.1 lock from.mu", "3 main.2 lock from.mu", "4 main.1 waits for to.mu"}, order); diff != "" {
		t.Error(diff)
	}
}

func TestSARIFHelp(t *testing.T) {
	for _, r := range sarifOf(sample(), sampleBase, "test").Runs[0].Tool.Driver.Rules {
		example, formula := "```go\n// Program", "```text\n"
		if !strings.Contains(r.Help.Markdown, example) && !strings.Contains(r.Help.Markdown, formula) || r.Help.Text == "" {
			t.Errorf("%s: %+v", r.ID, r.Help)
		}
	}
}

// TestSARIFMessages tells what a text is in a viewer that knows placeholders and links.
func TestSARIFMessages(t *testing.T) {
	for text, want := range map[string]string{
		"x = {0, 1}":  "x = {{0, 1}}",
		"a[0](b)":     `a[0\](b)`,
		"a[0] = b":    "a[0] = b",
		`\x1b[31m "q`: `\x1b[31m "q`,
	} {
		if got := escapeMessage(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestFenced(t *testing.T) {
	if got := fenced("text", "a ``` b"); !strings.HasPrefix(got, "````text\n") || !strings.HasSuffix(got, "\n````\n") {
		t.Error(got)
	}
}

func TestBaseFind(t *testing.T) {
	for file, want := range map[string]string{
		"a.go": "app/a.go", "../b/b.go": "b/b.go", "../../c.go": "/c.go", "/src/d.go": "d.go", "/srcs/e.go": "/srcs/e.go", "C:/f.go": "C:/f.go",
	} {
		if got, below := sampleBase.find(file); got != want || below != !isAbsolute(want) {
			t.Errorf("%s: %s, %v", file, got, below)
		}
	}
}

func TestPlaceOf(t *testing.T) {
	for at, want := range map[string]place{"a.go:7": {"a.go", 7}, "C:/a.go:7": {"C:/a.go", 7}, "a.go": {file: "a.go"}, "a.go:0": {file: "a.go:0"}} {
		if got, ok := placeOf(at); got != want || !ok {
			t.Errorf("%s: %v", at, got)
		}
	}
	if _, ok := placeOf(""); ok {
		t.Error("no position is a place")
	}
}
