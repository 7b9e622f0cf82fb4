package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/builtins"
	"github.com/antichain-go/antichain/cmd/antichain/internal/known"
	"github.com/antichain-go/antichain/tlcheck/report"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homepage    = "https://github.com/antichain-go/antichain"
	srcRoot     = "%SRCROOT%"
)

// writeSARIF writes a log in the Static Analysis Results Interchange Format 2.1.0. Evidence is a
// result; an unknown verdict is a notification.
func writeSARIF(w io.Writer, c *Collection) error {
	b, err := newBase()
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(sarifOf(c, b, verbOf(os.Args)))
}

// verbOf is the verb of a command line; "" if there is none.
func verbOf(args []string) string {
	for _, word := range args[min(1, len(args)):] {
		if !strings.HasPrefix(word, "-") {
			return word
		}
	}
	return ""
}

// sarifOf returns the log of what a verb has found.
func sarifOf(c *Collection, b base, verb string) *sarifLog {
	m := &sarifMaker{base: b, rules: map[sarifRuleKey]int{}}
	m.run = sarifRun{
		Tool:              sarifTool{Driver: sarifDriver()},
		AutomationDetails: sarifAutomation{ID: strings.ReplaceAll("antichain/"+verb+"/", "//", "/")},
		BaseIDs:           map[string]sarifArtifact{srcRoot: {URI: fileURI(strings.TrimSuffix(b.root, "/") + "/")}},
		ColumnKind:        "unicodeCodePoints",
		Invocations:       []sarifInvocation{{Successful: !c.Cut && len(c.unknown()) == 0}},
		Results:           []sarifResult{},
	}
	for _, a := range c.evidence() {
		m.result(a)
	}
	for _, a := range c.unknown() {
		m.notify(a)
	}
	return &sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{m.run}}
}

// sarifDriver says which antichain this is.
func sarifDriver() sarifComponent {
	driver := sarifComponent{
		Name: "antichain", Organization: "antichain", InformationURI: homepage, Version: "unknown", Rules: []sarifRule{},
		Full: sarifMessage{Text: "antichain finds concurrency bugs that did not happen in a run of a Go program, but can happen."},
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version, released := strings.CutPrefix(info.Main.Version, "v")
		driver.Version = version
		if released {
			driver.SemanticVersion = version
		}
	}
	return driver
}

type sarifMaker struct {
	base  base
	run   sarifRun
	rules map[sarifRuleKey]int // by property, the index
}

// sarifRuleKey identifies a property.
type sarifRuleKey struct {
	builtin       bool
	name, formula string
}

// result adds evidence.
func (m *sarifMaker) result(a *report.Account) {
	rule, index := m.rule(a)
	r := sarifResult{
		RuleID: rule, RuleIndex: index, Level: "error", Message: message(sentenceOf(a)),
		Fingerprints: map[string]string{"antichain/v1": a.Fingerprint},
		Properties:   map[string]string{"trace": a.Trace, "verdict": a.Verdict, "how": a.How},
	}
	if a.Verdict == "possible" {
		r.Level = "warning"
	}
	if a.Confirmation != "" {
		r.Properties["confirmation"] = a.Confirmation
	}
	if a.Again != "" {
		r.Properties["again"] = a.Again
	}
	if len(a.Tests) > 0 {
		r.Properties["tests"] = strings.Join(a.Tests, ", ")
	}
	for i := range a.Participants {
		m.participant(&r, &a.Participants[i])
	}
	r.CodeFlows = m.codeFlows(a)
	if a.Known != "" {
		s := sarifSuppression{Kind: "external", Status: "accepted", Justification: a.Known}
		if known.IsIgnored(a.Known) {
			s.Kind = "inSource"
		}
		r.Suppressions = []sarifSuppression{s}
	}
	m.run.Results = append(m.run.Results, r)
}

// participant adds the place of a goroutine involved, and what led there. The result is shown at
// the first one.
func (m *sarifMaker) participant(r *sarifResult, p *report.Actor) {
	at := m.location(p.At, p.Task+" "+p.Does)
	if p.Function != "" {
		at.Logical = []sarifLogical{{Name: p.Function, Kind: "function"}}
	}
	switch {
	case at.Physical == nil && at.Logical == nil:
		at.Logical = []sarifLogical{{Name: p.Task, Kind: "member"}}
		fallthrough
	case len(r.Locations) > 0:
		m.relate(r, at)
	default:
		r.Locations = []sarifLocation{at}
	}
	for _, h := range p.Holds {
		if held := m.location(h.At, h.Task+" "+h.Does+", taken here"); held.Physical != nil {
			m.relate(r, held)
		}
	}
	for _, call := range p.Calls {
		if called := m.location(call.At, call.Task+" was called by "+call.Does); called.Physical != nil {
			m.relate(r, called)
		}
	}
}

// relate adds a related location.
func (m *sarifMaker) relate(r *sarifResult, at sarifLocation) {
	at.ID = len(r.Related) + 1
	r.Related = append(r.Related, at)
}

// location is a position where something happens.
func (m *sarifMaker) location(at, text string) sarifLocation {
	location := sarifLocation{}
	if text != "" {
		says := message(text)
		location.Message = &says
	}
	if p, ok := placeOf(at); ok {
		location.Physical = &sarifPhysical{Artifact: m.artifact(p.file)}
		if p.line > 0 {
			location.Physical.Region = &sarifRegion{StartLine: p.line}
		}
	}
	return location
}

// artifact names a file: relative to the root if it is below it.
func (m *sarifMaker) artifact(file string) sarifArtifact {
	name, below := m.base.find(file)
	if !below {
		return sarifArtifact{URI: fileURI(name)}
	}
	return sarifArtifact{URI: relativeURI(name), BaseID: srcRoot}
}

// codeFlows returns the order of operations that leads there, with a flow for each goroutine. None
// has the numbers of two.
func (m *sarifMaker) codeFlows(a *report.Account) []sarifCodeFlow {
	if len(a.Steps) == 0 {
		return nil
	}
	flow := sarifCodeFlow{Message: message(a.Lead)}
	index := map[string]int{}
	for order, s := range a.Steps {
		i, ok := index[s.Task]
		if !ok {
			i = len(flow.Threads)
			index[s.Task] = i
			flow.Threads = append(flow.Threads, sarifThreadFlow{ID: s.Task, Message: message(s.Task)})
		}
		flow.Threads[i].Locations = append(flow.Threads[i].Locations, sarifStep{
			Location: m.location(s.At, s.Does), Order: order + 1, Importance: "essential",
		})
	}
	return []sarifCodeFlow{flow}
}

// notify adds an unknown verdict.
func (m *sarifMaker) notify(a *report.Account) {
	rule, index := m.rule(a)
	text := a.Property + " of " + a.Trace + ": " + unknownOf(a)
	invocation := &m.run.Invocations[0]
	invocation.Notifications = append(invocation.Notifications, sarifNotification{
		Level: "warning", Message: message(text), Rule: sarifRuleReference{ID: rule, Index: index},
	})
}

// rule returns the id and index of the rule of a property, and adds it if it is new.
func (m *sarifMaker) rule(a *report.Account) (id string, index int) {
	key := sarifRuleKey{a.Builtin, a.Property, a.Formula}
	rules := &m.run.Tool.Driver.Rules
	index, ok := m.rules[key]
	if !ok {
		index = len(*rules)
		m.rules[key] = index
		*rules = append(*rules, m.newRule(a))
	}
	return (*rules)[index].ID, index
}

func (m *sarifMaker) newRule(a *report.Account) sarifRule {
	rule := sarifRule{Configuration: sarifConfiguration{Level: "error"}, Properties: map[string][]string{"tags": {"concurrency", "correctness"}}}
	if topic, ok := builtins.Find(a.Property); ok && a.Builtin {
		rule.ID = a.Property
		rule.Short, rule.Full = message(sentence(topic.Summary)), message(topic.Text)
		rule.Help = sarifHelp(topic.Text, topic.Text+exampleOf(topic))
		rule.HelpURI = homepage + "/blob/main/docs/builtin-properties.md"
		return rule
	}
	rule.ID = "property/" + a.Property
	if m.isTaken(rule.ID) || strings.HasPrefix(a.Property, "-") || a.Property == a.Formula {
		// it has no name of its own
		sum := sha256.Sum256([]byte(a.Property + "\x00" + a.Formula))
		rule.ID = "property/" + hex.EncodeToString(sum[:4])
	}
	rule.Short = message("A property of the program's specification.")
	rule.Full = message("In every global state that the program's synchronisation allows: " + a.Formula)
	text := "This formula of the specification must be true in every global state that some order of the run's events leads to:\n\n"
	rule.Help = sarifHelp(text+a.Formula+"\n", text+fenced("text", a.Formula))
	rule.HelpURI = homepage + "/blob/main/docs/specification-language.md"
	return rule
}

// sarifHelp is help in both forms.
func sarifHelp(text, markdown string) sarifMessage {
	return sarifMessage{Text: escapeBraces(text), Markdown: escapeBraces(markdown)}
}

// isTaken reports whether a rule has this id.
func (m *sarifMaker) isTaken(id string) bool {
	return slices.ContainsFunc(m.run.Tool.Driver.Rules, func(r sarifRule) bool { return r.ID == id })
}

// exampleOf is the typical program of a property, in Markdown.
func exampleOf(topic *builtins.Topic) string {
	source, err := topic.Programs[0].Source()
	if err != nil {
		return ""
	}
	return "\nAn example:\n\n" + fenced("go", strings.TrimSuffix(source, "\n"))
}

// sentence ends a text with a full stop.
func sentence(text string) string { return strings.TrimSuffix(text, ".") + "." }

// message is a plain text.
func message(text string) sarifMessage { return sarifMessage{Text: escapeMessage(text)} }

// escapeMessage keeps a text from having placeholders, {0}, and embedded links, [text](1).
func escapeMessage(text string) string {
	return escapeBraces(strings.ReplaceAll(text, "](", `\](`))
}

// escapeBraces keeps a text from having placeholders.
func escapeBraces(text string) string {
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(text)
}
