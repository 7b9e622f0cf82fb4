package goroot

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Capabilities and patches have names of their own, a reason, and exactly one way to change
// something.
func TestCapabilityTable(t *testing.T) {
	names, total := map[string]bool{}, 0
	for _, c := range capabilities {
		if names[c.name] || c.name == "" || c.gives == "" {
			t.Errorf("capability %q: the name is there already, or it does not say what it gives", c.name)
		}
		names[c.name] = true
		if len(c.patches) > 40 {
			t.Errorf("%s has %d patches: it is several capabilities", c.name, len(c.patches))
		}
		total += len(c.patches) + len(c.disables)
		for _, n := range c.needs {
			if !slices.Contains(capabilities, n) {
				t.Errorf("%s needs %s, which is not in the table", c.name, n.name)
			}
		}
		if needsItself(c, nil) {
			t.Errorf("%s needs itself", c.name)
		}
	}
	for name := range expectations {
		if !names[name] {
			t.Errorf("the self test knows a capability %q, which there is not", name)
		}
	}
	if total < 200 {
		t.Errorf("only %d patches", total)
	}
	for minor := Oldest; minor <= Newest; minor++ {
		checkPatches(t, minor)
	}
}

func needsItself(c *capability, above []*capability) bool {
	if slices.Contains(above, c) {
		return true
	}
	return slices.ContainsFunc(c.needs,
		func(n *capability) bool { return needsItself(n, append(slices.Clip(above), c)) })
}

// checkPatches checks the variants for one release.
func checkPatches(t *testing.T, minor int) {
	t.Helper()
	seen := map[string]bool{}
	unique := func(name string) {
		if seen[name] || name == "" {
			t.Errorf("go1.%d: two patches are called %q", minor, name)
		}
		seen[name] = true
	}
	for _, c := range capabilities {
		for _, d := range c.disables {
			if isFor(minor, d.since, d.until) {
				unique(d.name())
			}
			if d.reason == "" || d.file == "" || d.by == d.constant || d.constant == "" {
				t.Errorf("%s has no reason or no effect", d.name())
			}
		}
		for _, p := range c.patches {
			if isFor(minor, p.since, p.until) {
				unique(p.name + " in " + p.in)
			}
			ways := 0
			for _, has := range []bool{p.diff != "", p.entry != "", p.removed, p.directive != ""} {
				if has {
					ways++
				}
			}
			if ways != 1 || p.reason == "" || p.file == "" || p.in == "" {
				t.Errorf("patch %s has %d ways to change something, reason %q", p.name, ways, p.reason)
			}
			if p.diff == "" {
				continue
			}
			d, err := parseDiff(p.diff)
			if err != nil {
				t.Errorf("patch %s: %v", p.name, err)
			} else if !slices.Contains(d.gone, true) && strings.Join(d.added, "") == "" {
				t.Errorf("patch %s changes nothing", p.name)
			}
		}
	}
}

// brokenCopies calls f with a copy of the capabilities for each patch and disable of a release, in
// which that one does not fit.
func brokenCopies(minor int, f func(c *capability, name, file string, table []*capability)) {
	for i, c := range capabilities {
		with := func(name, file string, broken *capability) {
			table := slices.Clone(capabilities)
			table[i] = broken
			f(c, name, file, table)
		}
		for k, d := range c.disables {
			if !isFor(minor, d.since, d.until) {
				continue
			}
			broken := *c
			broken.disables = slices.Clone(c.disables)
			broken.disables[k].constant = "antichainNothing"
			with(broken.disables[k].name(), d.file, &broken)
		}
		for k, p := range c.patches {
			if !isFor(minor, p.since, p.until) {
				continue
			}
			broken := *c
			broken.patches = slices.Clone(c.patches)
			q := &broken.patches[k]
			if q.diff != "" && k%2 == 0 { // the code is not there, or else the declaration
				q.diff = "- antichainNothing\n"
			} else {
				q.in = "antichainNothing"
			}
			with(p.name, p.file, &broken)
		}
	}
}

// dependents are a capability and those that need it, in their order.
func dependents(c *capability) (names []string) {
	var needs func(d *capability) bool
	needs = func(d *capability) bool { return d == c || slices.ContainsFunc(d.needs, needs) }
	for _, d := range capabilities {
		if needs(d) {
			names = append(names, d.name)
		}
	}
	return names
}

// Whichever patch does not fit, the overlay is the one without its capability and those that need
// it.
func TestEachPatch(t *testing.T) {
	t.Parallel()
	for name, root := range toolchains() {
		if root != goroot() && os.Getenv(longEnv) == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			l := readLibrary(t, root)
			minor := ReleaseOf(root).Minor
			without := map[string]map[string]string{}
			// what the overlays share
			changes, finished := map[*capability]changeResult{}, map[string]string{}
			broken := 0
			brokenCopies(minor, func(c *capability, patchName, file string, table []*capability) {
				broken++
				if without[c.name] == nil {
					var lacks []Lack
					without[c.name], lacks = l.overlay(t,
						Options{Without: map[string]error{c.name: errors.New("for a test")}})
					if d := cmp.Diff(dependents(c), lackNames(lacks)); d != "" {
						t.Errorf("without %s: lacks (-want +got):\n%s", c.name, d)
					}
				}
				g := l.generator(Options{})
				g.capabilities, g.changes, g.finished = table, changes, finished
				if err := g.generate(); err != nil {
					t.Fatalf("%s: %v", patchName, err)
				}
				maps.Copy(l.sources, g.sources)
				if d := cmp.Diff(dependents(c), lackNames(g.missing())); d != "" {
					t.Errorf("patch %s of %s: lacks (-want +got):\n%s", patchName, c.name, d)
				}
				for _, lack := range g.missing() {
					if why := lack.Why.Error(); !strings.Contains(why, "patch "+patchName+": ") ||
						!strings.Contains(why, file) {
						t.Errorf("%q does not name patch %s of %s", why, patchName, file)
					}
				}
				if !maps.Equal(without[c.name], g.files) {
					t.Errorf("patch %s: not the overlay without %s: %s", patchName, c.name,
						cmp.Diff(without[c.name], g.files))
				}
			})
			t.Logf("%d patches", broken)
		})
	}
}

func lackNames(lacks []Lack) (names []string) {
	for _, l := range lacks {
		names = append(names, l.Name)
	}
	return names
}

// Whatever is left out, the rest is Go, and imports what it uses.
func TestSubsetsOfCapabilities(t *testing.T) {
	t.Parallel()
	l := readLibrary(t, goroot())
	full, _ := l.overlay(t, Options{})
	// what the overlays share
	changes, finished := map[*capability]changeResult{}, map[string]string{}
	checked := map[string]bool{} // texts of files
	draw := func(r *rapid.T) {
		opt := Options{Memory: rapid.Bool().Draw(r, "memory"), Without: map[string]error{}}
		for _, c := range capabilities {
			if rapid.IntRange(0, 3).Draw(r, c.name) == 0 {
				opt.Without[c.name] = errors.New("for a test")
			}
		}
		g := l.generator(opt)
		g.changes, g.finished = changes, finished
		if err := g.generate(); err != nil {
			r.Fatal(err)
		}
		for name, text := range g.files {
			if full[name] == "" && !strings.HasPrefix(name, "runtime/antichain") {
				r.Errorf("%s is only there if something is left out", name)
			}
			if !checked[text] && strings.HasSuffix(name, ".go") {
				checked[text] = true
				checkGo(r, name, text)
			}
		}
	}
	for range 2 { // 200 draws
		rapid.Check(t, draw)
	}
	t.Logf("%d texts of files", len(checked))
}

// checkGo reports what is no Go or imports something that it does not use.
func checkGo(t rapid.TB, name, text string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	all, err := scan(text)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	imported := map[string]bool{}
	for _, s := range file.Imports {
		path := strings.Trim(s.Path.Value, `"`)
		local := path[strings.LastIndexByte(path, '/')+1:]
		if s.Name != nil {
			local = s.Name.Name
		}
		if imported[local] && local != "_" {
			t.Errorf("%s imports %s twice", name, local)
		}
		imported[local] = true
		if local != "_" && local != "." && !uses(all, local) {
			t.Errorf("%s imports %s and does not use it", name, path)
		}
	}
	for _, used := range []string{"race", "unsafe", "atomic", "poll"} {
		if uses(all, used) && !imported[used] && declaresNone(all, used) {
			t.Errorf("%s uses %s and does not import it", name, used)
		}
	}
}

// declaresNone reports whether a name only comes before a point.
func declaresNone(all []lexeme, name string) bool {
	for i := range all {
		if all[i].tok == token.IDENT && all[i].text == name && (i+1 == len(all) || all[i+1].tok != token.PERIOD) &&
			(i == 0 || all[i-1].tok != token.PERIOD) {
			return false
		}
	}
	return true
}

// BenchmarkGenerate is what every build pays before it begins.
func BenchmarkGenerate(b *testing.B) {
	root := goroot()
	for b.Loop() {
		g := newGenerator(root, Options{})
		if err := g.generate(); err != nil {
			b.Fatal(err)
		}
		if len(g.files) == 0 {
			b.Fatal(fmt.Errorf("no files"))
		}
	}
}
