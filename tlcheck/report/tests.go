package report

import (
	"fmt"
	"regexp"
	stdslices "slices"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// foundText says how often a finding was found, and in which tests, or else that others differ.
func (f finding) foundText() string {
	text := fmt.Sprintf("found %d times", f.Count)
	if tests := f.testsText(); tests != "" {
		return text + ", " + tests
	}
	predicted := 0
	for _, like := range f.Alike {
		if like.How != f.How {
			predicted++
		}
	}
	if predicted > 0 {
		text += fmt.Sprintf(", %d of them only predicted", predicted)
	}
	return text + ", with other goroutines or objects"
}

// maxTestsShown bounds the number of tests that a report in text names.
const maxTestsShown = 20

// testsText names the tests of a finding and of those that are alike, "" if they are not known. It
// says how they are known if not all are in the same way.
func (f finding) testsText() string {
	tests := map[builtin.Certainty][]string{}
	var kinds []builtin.Certainty
	note := func(p *builtin.Party, how builtin.Certainty) {
		test := TestOf(p, f.result.Names)
		if test == "" || stdslices.Contains(tests[how], test) {
			return
		}
		if tests[how] == nil {
			kinds = append(kinds, how)
		}
		tests[how] = append(tests[how], test)
	}
	for i := range f.Parties {
		note(&f.Parties[i], f.How)
	}
	for i := range f.Alike {
		note(&f.Alike[i].Party, f.Alike[i].How)
	}
	var texts []string
	for _, how := range kinds {
		text := "in " + wording.First(tests[how], maxTestsShown)
		if len(kinds) > 1 {
			text = how.String() + " " + text
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", and ")
}

// testText says which test a party belongs to: ", in TestServer"; "" if that is not known.
func (f finding) testText(p *builtin.Party) string {
	if test := TestOf(p, f.result.Names); test != "" {
		return ", in " + event.Printable(test)
	}
	return ""
}

// tests returns the tests that the parties of a finding and of those that are alike belong to, each
// once.
func (f finding) tests() []string {
	var tests []string
	note := func(p *builtin.Party) {
		if test := TestOf(p, f.result.Names); test != "" && !stdslices.Contains(tests, test) {
			tests = append(tests, test)
		}
	}
	for i := range f.Parties {
		note(&f.Parties[i])
	}
	for i := range f.Alike {
		note(&f.Alike[i].Party)
	}
	return tests
}

// TestOf returns the test that a party belongs to, op.OutsideTests if it is none of the tests, and
// "" if that is not known.
func TestOf(p *builtin.Party, names op.Names) string {
	if p.Task != op.NoTask {
		if test := names.Task(p.Task).Test; test != "" {
			return test
		}
	}
	return outermostTest(p, names)
}

// outermostTest is TestOf for a run that does not say which tests its tasks are in: the outermost
// one among the functions that the party's task, the one that started that, and so on are known to
// have been in.
func outermostTest(p *builtin.Party, names op.Names) string {
	test := ""
	look := func(f op.Frame) {
		m := testFunction.FindStringSubmatch(f.Function)
		if m != nil && m[1] != op.OutsideTests && strings.Contains(f.At, "_test.go:") {
			test = m[1]
		}
	}
	places := []op.Place{p.At}
	for _, h := range p.Holds {
		places = append(places, h.At)
	}
	for t := p.Task; t != op.NoTask; {
		for _, place := range places {
			for _, frame := range names.Place(place).Stack {
				look(frame)
			}
		}
		origin := names.Task(t)
		look(op.Frame{Function: origin.Function, At: names.Place(origin.At).At})
		if origin.By >= t {
			break // it has appeared later: these are no true names
		}
		t, places = origin.By, []op.Place{origin.At}
	}
	return test
}

// testFunction matches functions that go test -run can choose, and those that stand in them:
// "shop_test.TestOrder.func1".
var testFunction = regexp.MustCompile(`^[^.]+\.((?:Test|Fuzz|Example)(?:[^\p{Ll}.][^.]*)?)(?:\.|$)`)
