package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
)

// An answer has at most so many bytes of text, and of structured content: clients show one or the
// other.
const (
	maxText       = 24 << 10
	maxStructured = 24 << 10

	maxOutput   = 4 << 10 // of the program
	maxCommand  = 2 << 10
	maxPage     = maxText - 200
	maxSentence = 300

	maxUnknown   = 10       // properties whose reasons are listed
	maxSchedules = 30       // in a list
	maxReport    = 64 << 20 // that the server reads
)

// Result is what a run, a test or a replay has shown.
type Result struct {
	Command    string    `json:"command" jsonschema:"the same in a shell, in the directory of the server"`
	Verdict    string    `json:"verdict" jsonschema:"holds, violated or unknown"`
	ExitCode   int       `json:"exit_code"`
	Conclusion string    `json:"conclusion" jsonschema:"whose exit code it is, and why"`
	Findings   []Finding `json:"findings"`
	Holding    int       `json:"holding" jsonschema:"how many properties hold"`
	Known      int       `json:"known,omitempty" jsonschema:"how many findings are in the baseline"`
	Unknown    []string  `json:"unknown,omitempty" jsonschema:"properties without a verdict, and why"`
	Output     string    `json:"output,omitempty" jsonschema:"the standard output of the program, or of go test"`
	LeftOut    []string  `json:"left_out,omitempty" jsonschema:"parts that are left out, and how to get them"`
}

// Finding is a violation, or what may be one.
type Finding struct {
	Number   int    `json:"number" jsonschema:"for explain"`
	Run      string `json:"run" jsonschema:"the program, or the package of the tests"`
	Property string `json:"property"`
	Verdict  string `json:"verdict" jsonschema:"violated, or possible"`
	How      string `json:"how" jsonschema:"observed in the run, predicted in another order of it, or possible"`
	Place    string `json:"place,omitempty"`
	Text     string `json:"text"`
	Again    string `json:"again,omitempty" jsonschema:"the command that shows it again"`
	Schedule string `json:"schedule,omitempty" jsonschema:"the file of a schedule for replay and verify"`
	Object   any    `json:"object,omitempty" jsonschema:"as --json prints it"`

	builtin bool
}

// judgement is a line of --json, with the fields that a result needs.
type judgement struct {
	Trace, Verdict, Covered, Known, How, Again string

	Builtin, Text string // of a built-in property
	Parties       []struct{ At string }

	Property, Formula string // of a property of a specification
	Happened          bool
	Witness           *struct{ TIVA, Places map[string]string }

	ScheduleFile string `json:"schedule_file"`

	whole json.RawMessage
}

// readReport returns the judgements in a file.
func readReport(name string) ([]judgement, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxReport+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxReport {
		return nil, fmt.Errorf("the findings take more than %d bytes: check fewer packages at once", maxReport)
	}
	var all []judgement
	for line := range bytes.Lines(text) {
		j := judgement{whole: line}
		if err := json.Unmarshal(line, &j); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, j)
	}
	return all, nil
}

// newResult returns the result of a run, and all findings: the result may have fewer.
func newResult(p *process, judged []judgement) (*Result, []Finding) {
	r := &Result{Command: wording.Beginning(p.command, maxCommand), Verdict: "holds", ExitCode: p.code,
		Conclusion: wording.Beginning(p.stderr.LastLine(), maxSentence), Output: p.stdout.String()}
	var all []Finding
	unknown := 0
	for _, j := range judged {
		switch {
		case j.Verdict == "holds":
			r.Holding++
		case j.Known != "":
			r.Known++
		case j.Verdict == "unknown":
			if unknown++; unknown <= maxUnknown {
				r.Unknown = append(r.Unknown, wording.Beginning(j.name()+" in "+j.Trace+": "+j.Covered, maxSentence))
			}
		default:
			all = append(all, j.finding(len(all)+1))
		}
	}
	violated := slices.ContainsFunc(all, func(f Finding) bool { return f.Verdict == "violated" })
	switch {
	case violated:
		r.Verdict = "violated"
	case unknown > 0:
		r.Verdict = "unknown"
	}
	inShell := "; the command shows them in a shell"
	if n := p.stdout.Missing(); n > 0 {
		r.leaveOut("%s of the output"+inShell, wording.Plural(n, "byte"))
	}
	if n := p.stderr.Missing(); n > 0 {
		r.leaveOut("%s of the report in words"+inShell, wording.Plural(n, "byte"))
	}
	if n := unknown - len(r.Unknown); n > 0 {
		r.leaveOut("%s without a verdict"+inShell, wording.Plural(n, "property"))
	}
	r.choose(all)
	return r, all
}

func (r *Result) leaveOut(format string, args ...any) {
	r.LeftOut = append(r.LeftOut, fmt.Sprintf(format, args...))
}

// choose takes as many findings as there is room for, and then as many of their objects.
func (r *Result) choose(all []Finding) {
	r.Findings = []Finding{}
	const forNotes = 1 << 10
	room := maxStructured - forNotes - size(r)
	if room < maxStructured/2 { // control characters take more in JSON
		r.leaveOut("the output, which is in the text")
		room += size(r.Output)
		r.Output = ""
	}
	for _, f := range all {
		f.Object = nil
		if room -= size(f) + 1; room < 0 {
			break
		}
		r.Findings = append(r.Findings, f)
	}
	if n := len(r.Findings); n < len(all) {
		r.leaveOut("findings %d to %d; explain shows each", n+1, len(all))
	}
	var without []string
	for i := range r.Findings {
		f := &r.Findings[i]
		if n := size(all[i].Object) + len(`,"object":`); n <= room {
			f.Object, room = all[i].Object, room-n
		} else {
			without = append(without, fmt.Sprint(f.Number))
		}
	}
	if len(without) > 0 {
		r.leaveOut("the objects of findings %s; explain shows each", wording.First(without, 10))
	}
}

// size returns how many bytes a value takes as JSON.
func size(value any) int {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it can be encoded
	}
	return len(text)
}

// text returns the result in words.
func (r *Result) text(p *process) string {
	text := strings.TrimSpace(p.stderr.String())
	if output := p.stdout.String(); output != "" {
		text += "\n\nStandard output:\n" + output
	}
	if len(r.LeftOut) > 0 {
		text += "\n\nLeft out:\n" + strings.Join(r.LeftOut, "\n")
	}
	return text + "\n\nThe command was:\n" + r.Command
}

// name returns the name of the property.
func (j *judgement) name() string { return j.Builtin + j.Property }

// finding returns the finding that a judgement is about.
func (j *judgement) finding(number int) Finding {
	f := Finding{Number: number, Run: j.Trace, Property: j.name(), Verdict: j.Verdict, How: j.How, Text: j.Text,
		Again: wording.Beginning(j.Again, maxCommand), Schedule: j.ScheduleFile, Object: j.whole,
		builtin: j.Builtin != ""}
	for _, party := range j.Parties {
		f.Place = cmp.Or(f.Place, party.At)
	}
	if w := j.Witness; w != nil {
		parts := []string{j.Formula}
		for _, tiv := range slices.Sorted(maps.Keys(w.TIVA)) {
			part := tiv + " is " + w.TIVA[tiv]
			if at := w.Places[tiv]; at != "" {
				part += " at " + at
				f.Place = cmp.Or(f.Place, at)
			}
			parts = append(parts, part)
		}
		f.Text = strings.Join(parts, "; ")
	}
	if f.How == "" && j.Happened {
		f.How = "observed"
	}
	f.How = cmp.Or(f.How, "predicted")
	f.Text = wording.Beginning(f.Text, maxSentence)
	return f
}
