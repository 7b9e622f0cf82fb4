package view

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// The truth of a formula and of its parts in each state is what tlcheck.Evaluate finds there.
func TestTruthAlongSchedule(t *testing.T) {
	compared := 0
	for name, function := range map[string]string{"ringbuffer": "append", "workers": "deliver"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		net, _ := readNet(t, string(text))
		src, err := os.ReadFile(filepath.Join(repository, "examples", name, name+".tl"))
		if err != nil {
			t.Fatal(err)
		}
		file, err := spec.Parse(name, string(src))
		if err != nil {
			t.Fatal(err)
		}
		for _, property := range append(file.Properties, formula(t, "not exists t (t:(in."+function+"))")) {
			r := check(t, net, property)
			if r.Witness == nil {
				continue
			}
			done := []int{0} // by state: how many actions of the schedule
			for _, s := range report.OrderOf(r, sourceStyle.Source).Steps {
				if !s.Beyond && !s.Later {
					done = append(done, slices.Index(r.Witness.Schedule, s.Action)+1)
				}
			}
			for _, part := range FindingOf(r, sourceStyle).Parts {
				p, err := spec.ParseFormula(part.Text)
				if err != nil || !strings.Contains(part.Text, ":(") { // a part of an atom
					continue
				}
				p.Name = "part"
				for state, actions := range done {
					e, err := tlcheck.Evaluate(context.Background(), net, p, r.Witness.Schedule[:actions],
						r.Witness.TIVA, tlcheck.Options{})
					if err != nil {
						continue // a part below a quantifier, which has a task variable of its own
					}
					compared++
					if got, want := truthIn(part, state), truthLetter(e.Truth); got != want {
						t.Errorf("%s: %s is %c in state %d, want %c", name, part.Text, got, state, want)
					}
				}
			}
		}
	}
	if compared < 50 {
		t.Errorf("only %d truths were compared", compared)
	}
}

// Each step comes behind those that it names, in the schedule and as recorded, and the locks are
// those of the goroutine.
func TestOrderOfFinding(t *testing.T) {
	for _, f := range append(example(t, "workers", builtin.Closed).Findings,
		example(t, "bank", builtin.Deadlock).Findings...) {
		if f.Order == nil {
			continue
		}
		for i, s := range f.Order.Steps {
			for _, a := range s.After {
				if a >= i || f.Order.Steps[a].Recorded > s.Recorded {
					t.Errorf("%s: step %d names step %d, which is no earlier one", f.Property, i, a)
				}
			}
			if s.Later && i < f.Order.State {
				t.Errorf("%s: step %d is said to come later than state %d", f.Property, i, f.Order.State)
			}
		}
	}
	bank := example(t, "bank", builtin.Deadlock).Findings[0]
	var locks []string
	for _, s := range bank.Order.Steps {
		for _, c := range s.Cells {
			if c.Locks != nil {
				locks = append(locks, strings.Join(*c.Locks, ", "))
			}
		}
	}
	if got, want := strings.Join(locks, "; "), "from.mu (mutex 4); from.mu (mutex 3)"; got != want {
		t.Errorf("the locks are %s, want %s", got, want)
	}
}

// Of a long schedule the last steps are shown, with the truth in each of their states.
func TestLongSchedule(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"antichain":2,"tasks":["main"]}` + "\n")
	for i := range 3 * maxSteps {
		fmt.Fprintf(&b, `{"t":"main","global":{"x":%d},"at":"main.go:3"}`+"\n", i)
	}
	net, _ := readNet(t, b.String())
	f := FindingOf(check(t, net, formula(t, fmt.Sprintf("not t:(x == %d)", 3*maxSteps-10))), sourceStyle)
	if got := len(f.Order.Steps); got != maxSteps {
		t.Errorf("%d steps are shown, want %d", got, maxSteps)
	}
	if want := 2*maxSteps - 9 + 6; f.Order.Skipped != want {
		t.Errorf("%d steps are left out, want %d", f.Order.Skipped, want)
	}
	if got := truthIn(f.Parts[0], f.Order.State); got != 'f' {
		t.Errorf("in the last state the formula is %c", got)
	}
	if got := truthIn(f.Parts[0], f.Order.State-1); got != 't' {
		t.Errorf("in the state before the formula is %c", got)
	}
	if len(f.Report) > maxReport+10 {
		t.Errorf("the report has %d bytes", len(f.Report))
	}
	p := open(t, writePage(t, &Document{Findings: []*Finding{f}}), 1360, 820)
	if rows := eval[float64](p, "antichain.stage.diagram.view.rows"); rows > 40 {
		t.Errorf("at first %v rows are shown", rows)
	}
	if top := eval[float64](p, "antichain.stage.diagram.view.top"); top < maxSteps-60 {
		t.Errorf("at first row %v is at the top, and not the state of the finding in view", top)
	}
}

// A finding says what came of making it happen, and which runs show it.
func TestNotesOfFinding(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "bank.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	_, found := readNet(t, string(text), builtin.Deadlock)
	r := found[0].Assessment()
	r.Confirmation = &tlcheck.Confirmation{Outcome: tlcheck.Confirmed, Attempts: 2, Again: "antichain replay x"}
	r.Occurrence = &tlcheck.Occurrence{Runs: 5, Showing: 3}
	f := FindingOf(r, sourceStyle)
	notes := strings.Join(f.Notes, "\n")
	for _, want := range []string{"Confirmed: it happened in attempt 2", "Found in 3 of 5 runs."} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q:\n%s", want, notes)
		}
	}
	if f.Again != "antichain replay x" || strings.Contains(notes, "again") {
		t.Errorf("the command is %q, beside the notes\n%s", f.Again, notes)
	}
}

// A document survives its JSON: findings of a test binary come as that.
func TestDocumentAsJSON(t *testing.T) {
	d := example(t, "workers", builtin.Closed)
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var again Document
	if err := json.Unmarshal(b, &again); err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err := Write(&first, d); err != nil {
		t.Fatal(err)
	}
	if err := Write(&second, &again); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the page of a document and of what its JSON says differ")
	}
}

// A page has three scripts and styles at most, and its policy allows nothing else.
func TestPolicy(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, &Document{Title: "</title><script>", Notes: []string{"</script><script>"}}); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for tag, want := range map[string]int{"<script": 2, "</script": 2, "<style": 1, "</style": 1, "<title": 1} {
		if got := strings.Count(page, tag); got != want {
			t.Errorf("%s stands %d times in the page, want %d", tag, got, want)
		}
	}
	for _, unsafe := range []string{"unsafe", "http://", "https://"} {
		if strings.Contains(page, unsafe) {
			t.Errorf("the page has %s", unsafe)
		}
	}
}

// Only a page is overwritten.
func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	for _, title := range []string{"one", "two"} {
		if err := WriteFile(path, &Document{Title: title}); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(page, []byte("<title>two</title>")) {
		t.Errorf("the second page is not there: %v", err)
	}
	link := filepath.Join(filepath.Dir(path), "link.html")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(link, &Document{Title: "three"}); err != nil {
		t.Error(err)
	}
	if page, err := os.ReadFile(path); err != nil || !bytes.Contains(page, []byte("<title>three</title>")) {
		t.Errorf("the page is not where the link leads: %v", err)
	}
	for _, bad := range []string{filepath.Dir(path), filepath.Join(filepath.Dir(path), "none", "page.html")} {
		if err := CheckOverwritable(bad); err == nil || strings.Contains(err.Error(), ".antichain-") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, &Document{}); err == nil {
		t.Error("a file that is no page was overwritten")
	}
	if names, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); err != nil || len(names) > 0 {
		t.Errorf("%q were left: %v", names, err)
	}
}

// The locks that a goroutine holds are those of sections of channels, too, also of one that starts
// full.
func TestLocksOfChannels(t *testing.T) {
	net, _ := readNet(t, `{"antichain":2,"tasks":["main","other"]}
{"t":"main","op":"send (lock)","obj":"chan 1"}
{"t":"main","op":"lock","obj":"mutex 1"}
{"t":"main","op":"send (lock)","obj":"chan 2"}
{"t":"main","op":"recv (lock)","obj":"chan 2"}
{"t":"other","op":"recv (locks)","obj":"chan 1"}
{"t":"other","op":"rlock","obj":"rwmutex 1"}
{"t":"other","op":"send (unlocks)","obj":"chan 1"}
{"t":"other","op":"runlock","obj":"rwmutex 1"}
{"t":"main","op":"recv (lock)","obj":"chan 1"}
{"t":"other","op":"unlock","obj":"mutex 1"}
`)
	e := newRunEncoder(net)
	var byRun, byOrder []string
	held := make([][]string, net.Tasks())
	sections := net.Sections()
	for a := range net.Order() {
		info := net.Event(a)
		held[a.Task] = holdAfter(held[a.Task], info, sections)
		byOrder = append(byOrder, strings.Join(held[a.Task], " "))
		e.hold(a.Task, info)
		var names []string
		for _, l := range e.now[a.Task].held {
			names = append(names, e.strings.values[l])
		}
		byRun = append(byRun, strings.Join(names, " "))
	}
	want := []string{
		"", "mutex 1", "mutex 1 chan 2", "mutex 1", "chan 1", "chan 1 rwmutex 1 for reading", "rwmutex 1 for reading",
		"", "mutex 1 chan 1", "",
	}
	if !slices.Equal(byRun, want) || !slices.Equal(byOrder, want) {
		t.Errorf("of a run %q, of a finding %q, want %q", byRun, byOrder, want)
	}
	if held := e.now[0].held; len(held) != 1 {
		t.Errorf("main holds %d locks at the end, want one: another goroutine has unlocked the mutex", len(held))
	}
}
