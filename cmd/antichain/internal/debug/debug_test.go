package debug

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// fork leads from state 0 to two ends, in both of which p is true: to 3 by 1, or at once, and to 2.
const fork = `{"states":4,"start":0,"labels":[[],[],["p"],["p"]],"succ":[[1,2,3],[3],[],[]]}`

func subject(t *testing.T, structure string) *Subject {
	t.Helper()
	x, err := kripke.ParseStructure("m.json", []byte(structure))
	if err != nil {
		t.Fatal(err)
	}
	return &Subject{System: x, Name: "m.json", Word: "process"}
}

// obey carries out a script, and returns what stands behind its last line.
func obey(t *testing.T, s *Subject, lines ...string) (answer string, err error) {
	t.Helper()
	var out strings.Builder
	script := console.NewScript(strings.NewReader(strings.Join(lines, "\n")), &out)
	err = Run(t.Context(), s, script, report.Style{})
	_, answer, _ = strings.Cut(out.String()[strings.LastIndex(out.String(), "(antichain) "):], "\n")
	return answer, err
}

func TestDialogue(t *testing.T) {
	for _, test := range []struct {
		script string // lines, separated by semicolons
		want   string // part of what the last one answers
	}{
		{"moves", "   1  1  0 -> 1\n   2  1  0 -> 2\n   3  1  0 -> 3\n"},
		{"move 2; moves", "Nothing: this is an end.\n"},
		{"move 1", "0 -> 1\nstate 1\n"},
		{"next", "0 -> 1\nstate 1\n"},
		{"n; n", "1 -> 3\nstate 3\n"},
		{"n; n; back", "state 1\n"},
		{"n; n; back; back", "state 0\n"},
		{"n; restart", "state 0\n"},
		{"step X X p; back", "state 1\n"},
		{"shortest F p; stack", "   1  shortest F p: 1 move, from state 0 to "},
		{"set mode min; step X X p; stack", "   1  min X X p: 2 moves, from state 0 to 3\n"},
		{"step X X p", "A step of 2 moves.\nstate 3\n"},
		{"every X p; again", "state 3\n"},
		{"every X p; again; again", "There is no other step that satisfies X p; this one is removed.\nstate 0\n"},
		{"step X X X p", "There is no step from here that satisfies X X X p.\n"},
		{"n; replace X p; stack", "   1  shortest X p: 1 move, from state 0 to 2\n"},
		{"step X X p; remove", "state 0\n"},
		{"stack", "No steps yet.\n"},
		{"n; stack", "   1  a single move: 1 move, from state 0 to 1\n"},
		{"n; n; path", "      state 1: labels=\n   1  1  → state 3: labels=p\n"},
		{"n; n; path all", "   2  1  → state 3: labels=p\n"},
		{"holds p", "p is false here.\n"},
		{"n; n; holds p", "p is true here.\n"},
		{"n; n; holds X X p", "X X p is true on the way of 3 states.\n"},
		{"show", "state 0\n"},
		{"help set", "set [NAME VALUE]"},
	} {
		answer, err := obey(t, subject(t, fork), strings.Split(test.script, ";")...)
		if err != nil || !strings.Contains(answer, test.want) {
			t.Errorf("%s: %v, %q, want %q", test.script, err, answer, test.want)
		}
	}
}

// A script ends at its first mistake, which has its line.
func TestMistakes(t *testing.T) {
	for _, test := range []struct{ script, want string }{
		{"move 0", "line 1: there is no move 0: moves lists all 3"},
		{"move 4", "line 1: there is no move 4: moves lists all 3"},
		{"# the first;; move x", "line 3: there is no move x: moves lists all 3"},
		{"move 2; next", "line 2: no move is possible: this is a final state"},
		{"next nobody", "line 1: there is no process nobody"},
		{"back", "line 1: this is where the stack begins"},
		{"restart 0", "line 1: there is no initial state 0: there are 1"},
		{"restart 2", "line 1: there is no initial state 2: there are 1"},
		{"restart x", "line 1: there is no initial state x: there are 1"},
		{"again", "line 1: " + errNoStep.Error()},
		{"n; again", "line 2: the last step was a single move"},
		{"replace p", "line 1: " + errNoStep.Error()},
		{"remove", "line 1: " + errNoStep.Error()},
		{"path", "line 1: " + errNoStep.Error()},
		{"path some", "line 1: usage: path [all]"},
		{"step (", "line 1: formula:1:2: "},
		{"holds (", "line 1: formula:1:2: "},
		{"n; replace (", "line 2: formula:1:2: "},
		{"backward p", "line 1: other paths to this state are unknown"},
		{"draw m.dot order", "line 1: order needs a recorded run"},
		{"draw m.dot both", "line 1: usage: draw FILE [seen|order]"},
		{"draw m.png", "line 1: m.png: the name of a picture must end in .dot or .svg"},
		{"set mode no; quit", "line 1: "},
		{"set limit 1 2", "line 1: usage: set [NAME VALUE]"},
		{"restart 1 2", "line 1: usage: restart [N]"},
		{"draw m.dot seen order", "line 1: usage: draw FILE [seen|order]"},
	} {
		_, err := obey(t, subject(t, fork), strings.Split(test.script, ";")...)
		var mistake *console.ScriptError
		if !errors.As(err, &mistake) || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.script, err, test.want)
		}
	}
}

func TestQuit(t *testing.T) {
	for _, quit := range []string{"quit", "q", "exit"} {
		if answer, err := obey(t, subject(t, fork), quit, "move 0"); err != nil || answer != "" {
			t.Errorf("%s: %v, %q", quit, err, answer)
		}
	}
}

func TestSet(t *testing.T) {
	for _, test := range []struct{ name, value, mistake string }{
		{"mode", "literal-max", ""}, {"mode", "longest", "longest"},
		{"limit", "1", ""}, {"limit", "0", "limit 0: must be a number above zero"},
		{"limit", "x", "limit x: must be a number above zero"},
		{"time", "5m0s", ""}, {"time", "0s", "time 0s: must be a time above zero"},
		{"time", "-1s", "time -1s: must be a time above zero"}, {"time", "5", "time 5: must be a time above zero"},
		{"all-paths", "on", ""}, {"all-paths", "yes", "all-paths yes: must be on or off"},
		{"new-ends", "on", ""}, {"memoryless", "on", ""}, {"repeat", "on", ""}, {"repeat", "off", ""},
		{"limt", "3", "there is no setting limt: did you mean limit?"},
		{"colour", "on", "there is no setting colour: set lists them"},
		{"limit", "", "usage: set limit VALUE"},
	} {
		answer, err := obey(t, subject(t, fork), "set "+test.name+" "+test.value, "set")
		if test.mistake != "" {
			if err == nil || !strings.Contains(err.Error(), test.mistake) {
				t.Errorf("%s %s: %v, want %s", test.name, test.value, err, test.mistake)
			}
			continue
		}
		if want := fmt.Sprintf("    %-10s  %-8s  ", test.name, test.value); err != nil ||
			!strings.Contains(answer, want) {
			t.Errorf("%s %s: %v, %s", test.name, test.value, err, answer)
		}
	}
}

// The switches are what the search sees, and not each other.
func TestSwitches(t *testing.T) {
	usual, err := obey(t, subject(t, fork), "set")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"all-paths", "new-ends", "memoryless", "repeat"} {
		answer, err := obey(t, subject(t, fork), "set "+name+" on", "set")
		want := strings.Replace(usual, fmt.Sprintf("    %-10s  off", name), fmt.Sprintf("    %-10s  on ", name), 1)
		if err != nil || answer != want || answer == usual {
			t.Errorf("%s: %v\n%swant\n%s", name, err, answer, want)
		}
	}
}

func TestBackward(t *testing.T) {
	s := subject(t, fork)
	s.Backward = func(ctx context.Context) (kripke.System, error) {
		g, err := kripke.Explore(ctx, s.System)
		if err != nil {
			return nil, err
		}
		return kripke.Backward(g), nil
	}
	answer, err := obey(t, s, "move 3", "backward X X !p") // by another way than it came
	if err != nil || !strings.HasPrefix(answer, "A step of 2 moves.\nstate 0\n") {
		t.Errorf("%v, %s", err, answer)
	}
	answer, err = obey(t, s, "move 3", "backward X X X p")
	if err != nil || answer != "There is no step back from here that satisfies X X X p.\n" {
		t.Errorf("%v, %s", err, answer)
	}
	s.Backward = func(context.Context) (kripke.System, error) { return nil, errors.New("no way") }
	if _, err = obey(t, s, "move 3", "backward X p"); err == nil || err.Error() != "line 2: no way" {
		t.Error(err)
	}
}

func TestDraw(t *testing.T) {
	s := subject(t, fork)
	for _, test := range []struct {
		what, ext string
		states    []kripke.State
	}{{"", ".dot", []kripke.State{0, 1}}, {" seen", ".dot", []kripke.State{0, 1, 2, 3}},
		{"", ".svg", []kripke.State{0, 1}}} {
		file := filepath.Join(t.TempDir(), "m"+test.ext)
		if answer, err := obey(t, s, "next", "draw "+file+test.what); err != nil || answer != file+" is written.\n" {
			t.Errorf("%s%s: %v, %s", test.ext, test.what, err, answer)
			continue
		}
		g, err := kripke.Diagram(s.System, test.states)
		if err != nil {
			t.Fatal(err)
		}
		g.Nodes[0].Bold, g.Nodes[1].Bold = true, true // the way
		want := g.DOT()
		if test.ext == ".svg" {
			if want, err = g.SVG(); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s%s: %v\n%s\nwant\n%s", test.ext, test.what, err, got, want)
		}
	}
	large := subject(t, fmt.Sprintf(`{"states":%d,"start":0,"labels":[[]%[2]s],"succ":[[]%[2]s]}`, maxDrawn+1,
		strings.Repeat(",[]", maxDrawn)))
	if _, err := obey(t, large, "draw m.dot seen"); err == nil ||
		!strings.Contains(err.Error(), "301 states, more than the limit of 300") {
		t.Error(err)
	}
	s.Order = func(kripke.State, int) (*diagram.Graph, error) { return nil, errors.New("too many") }
	if _, err := obey(t, s, "draw m.dot order"); err == nil || err.Error() != "line 1: too many" {
		t.Error(err)
	}
}

// A search that has ended before it was over is no mistake of the person's.
func TestUnfinished(t *testing.T) {
	for _, test := range []struct {
		err    error
		want   bool
		remedy string
	}{
		{&timeError{Time}, true, "set time lets a search take longer"},
		{&budget.MemoryError{}, true, "--memory allows more"},
		{ltl.ErrNodes, true, ""},
		{errNoStep, false, ""},
		{nil, false, ""},
	} {
		err := withRemedy(test.err)
		if !errors.Is(err, test.err) || Unfinished(err) != test.want {
			t.Errorf("%v: unfinished %v, want %v", err, Unfinished(err), test.want)
		}
		if test.remedy == "" && err != test.err || err != nil && !strings.Contains(err.Error(), test.remedy) {
			t.Errorf("%v, want %s", err, test.remedy)
		}
	}
}

func TestMemoryIsOver(t *testing.T) {
	s := subject(t, fork)
	s.Memory = 1
	for _, search := range []string{"step F p", "holds F p"} {
		_, err := obey(t, s, search)
		if err == nil || !Unfinished(err) || !strings.Contains(err.Error(), "--memory allows more") {
			t.Errorf("%s: %v", search, err)
		}
	}
}

// An expression that cannot be evaluated is reported once.
func TestUndefined(t *testing.T) {
	s := subject(t, fork)
	s.EvalErrors = func() []lsl.EvalError { return []lsl.EvalError{{Expr: "x > 1", Reason: "compares a string"}} }
	for n, want := range map[int]int{0: 0, 1: 1, 2: 0} {
		answer, err := obey(t, s, append([]string{"show"}, []string{"holds p", "holds p"}[:n]...)...)
		if got := strings.Count(answer, "compares a string"); err != nil || got != want {
			t.Errorf("question %d: %v, told %d times: %s", n, err, got, answer)
		}
	}
}
