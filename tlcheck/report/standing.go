package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Standing is where the goroutines of a program stand while it runs.
type Standing struct {
	ForEver []builtin.Finding // of goroutines that wait for ever
	Waits   []builtin.Wait
	Others  []LastSeen // goroutines that do not wait for others
	Names   op.Names

	// Lasts returns for how long a wait has lasted. It is nil if that is not known.
	Lasts func(*builtin.Wait) time.Duration
}

// LastSeen is where a task was when it last did something that is recorded.
type LastSeen struct {
	Task op.Task
	At   op.Place // 0 if it has done nothing
}

// maxStandingGroups bounds the number of groups of goroutines that are shown.
const maxStandingGroups = 100

// Write writes where the goroutines stand: first those that wait for ever, then those that do so
// unless a goroutine does what is assumed not to happen, then all, grouped by where they are.
func (s *Standing) Write(w io.Writer, source Source) error {
	p := standingPrinter{s: s, objects: s.objects(source)}
	p.forEver("antichain: goroutines wait for ever:", func(f *builtin.Finding) bool { return f.Guess == nil })
	p.forEver("antichain: goroutines wait for ever unless another one unlocks a lock:",
		func(f *builtin.Finding) bool { return f.Guess != nil })
	if len(s.ForEver) > 0 {
		p.b.WriteString("Where all goroutines are:\n")
	} else {
		p.b.WriteString("antichain: where the goroutines of the program are, which continues:\n")
	}
	groups := p.groups()
	for _, g := range groups[:min(len(groups), maxStandingGroups)] {
		p.group(g)
	}
	if more := len(groups) - maxStandingGroups; more > 0 {
		fmt.Fprintf(&p.b, "    and %s\n", wording.Plural(more, "other group"))
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// WriteWithdrawn writes findings that a Standing had, and that are refuted since: a goroutine of
// them has gone on.
func WriteWithdrawn(w io.Writer, found []builtin.Finding, names op.Names, source Source) error {
	s := Standing{ForEver: found, Names: names}
	p := standingPrinter{s: &s, objects: s.objects(source)}
	p.b.WriteString("antichain: no longer true, as a goroutine has continued:\n")
	for i := range found {
		fmt.Fprintf(&p.b, "    %s\n", p.sentence(found[i].Text))
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// objects finds the source's names of what is waited for.
func (s *Standing) objects(source Source) *objects {
	all := builtin.Finding{}
	for i := range s.Waits {
		all.Parties = append(all.Parties, s.Waits[i].Party)
	}
	for i := range s.ForEver {
		all.Parties = append(all.Parties, s.ForEver[i].Parties...)
	}
	return objectsOf(&all, s.Names, source)
}

type standingPrinter struct {
	s       *Standing
	objects *objects
	b       strings.Builder
}

// sentence names objects and positions in a text as the source does.
func (p *standingPrinter) sentence(text string) string {
	return event.Printable(p.objects.source.sentence(p.objects.sentence(text)))
}

// forEver writes those findings below a title, if there are any.
func (p *standingPrinter) forEver(title string, those func(*builtin.Finding) bool) {
	for i := range p.s.ForEver {
		if f := &p.s.ForEver[i]; those(f) {
			if title != "" {
				fmt.Fprintln(&p.b, title)
				title = ""
			}
			p.finding(f)
		}
	}
}

// finding writes a finding in short: the whole of it comes when the program ends.
func (p *standingPrinter) finding(f *builtin.Finding) {
	fmt.Fprintf(&p.b, "    %s", p.sentence(f.Text))
	if f.Count > 1 {
		fmt.Fprintf(&p.b, " (and %s like this)", wording.Plural(f.Count-1, "other"))
	}
	fmt.Fprintln(&p.b)
	for _, n := range f.Notes {
		fmt.Fprintf(&p.b, "        %s\n", p.sentence(n))
	}
}

// standingGroup are goroutines that do the same at the same place.
type standingGroup struct {
	key   string
	first op.Task
	does  string
	why   []string
	size  int
}

// groups are all goroutines, those that wait first.
func (p *standingPrinter) groups() []*standingGroup {
	var all []*standingGroup
	byKey := map[string]*standingGroup{}
	add := func(task op.Task, key, does string, why []string) {
		origin := p.s.Names.Task(task)
		key += " " + p.s.Names.Place(origin.At).At + " " + origin.Test
		if g := byKey[key]; g != nil {
			g.size++
			return
		}
		byKey[key] = &standingGroup{key, task, does, why, 1}
		all = append(all, byKey[key])
	}
	for i := range p.s.Waits {
		w := &p.s.Waits[i]
		place := p.where(w.At)
		ever, comes := "", ""
		switch {
		case w.ForEver:
			ever = "for ever "
		case w.Comes:
			comes = ", which a timer or the outside world ends"
		}
		so := ","
		if p.s.Lasts != nil {
			so = ", for " + lasting(p.s.Lasts(w)) + " so far" + since(&w.Party) + ","
		}
		does := " waits " + ever + w.Does + comes + so + place
		add(w.Task, fmt.Sprint("waits", ever, w.Kind, place), does, w.Why)
	}
	for _, o := range p.s.Others {
		place := p.where(o.At)
		does := " goes on"
		if place != "" {
			does += ", and was last seen" + place
		}
		add(o.Task, "goes on"+place, does, nil)
	}
	slices.SortStableFunc(all, func(a, b *standingGroup) int { return cmp.Compare(a.first, b.first) })
	return all
}

func (p *standingPrinter) group(g *standingGroup) {
	name := p.s.Names.Task(g.first).DisplayName() + p.which(g) + p.started(g.first)
	fmt.Fprintf(&p.b, "    %s%s\n", event.Printable(name), p.sentence(g.does))
	for _, why := range g.why {
		fmt.Fprintf(&p.b, "        %s\n", p.sentence(why))
	}
}

// which says which goroutines a group has, as far as the name of the first does not: " (main.1 and
// 3 more like it)".
func (p *standingPrinter) which(g *standingGroup) string {
	var which []string
	if precise := preciseName(p.s.Names, g.first); precise != "" {
		which = append(which, precise)
	}
	if g.size > 1 {
		which = append(which, fmt.Sprintf("and %d more like it", g.size-1))
	}
	if len(which) == 0 {
		return ""
	}
	return " (" + strings.Join(which, " ") + ")"
}

// started says where a goroutine was started, and in which test.
func (p *standingPrinter) started(task op.Task) string {
	origin := p.s.Names.Task(task)
	text := ""
	if origin.At != 0 {
		l := p.s.Names.Place(origin.At)
		if at := cmp.Or(l.Own, l.At); at != "" {
			text = ", started at " + p.objects.source.Path(at)
		}
	}
	if origin.Test != "" && origin.Test != op.OutsideTests {
		text += ", in " + origin.Test
	}
	if text != "" {
		text += ","
	}
	return text
}

// where is the innermost call of the user's at a place.
func (p *standingPrinter) where(at op.Place) string {
	if at == 0 {
		return ""
	}
	l := p.s.Names.Place(at)
	if l.At == "" {
		return ""
	}
	i := slices.IndexFunc(l.Stack, func(f op.Frame) bool { return f.At == l.At })
	if running := runningText(l.Stack[:i+1]); running != "" {
		return " in " + running + ", at " + l.At
	}
	return " at " + l.At
}
