package tlcheck_test

import (
	"errors"
	"fmt"
	stdslices "slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/spectest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// placesOf says straight from the definition where the tasks of a TIVA stand in a slice.
func placesOf(net *san.Net, slice slices.Ideal, tiva []tlcheck.Binding) []tlcheck.Place {
	var places []tlcheck.Place
	for _, b := range tiva {
		if by, spawned := net.SpawnedBy(b.Task); spawned && !slice.Has(by) {
			places = append(places, tlcheck.Place{Absent: true})
			continue
		}
		w := net.Walk(b.Task)
		w.Seek(slice.At(b.Task))
		var p tlcheck.Place
		if frames := w.State().Stack(); len(frames) > 0 {
			p.Func = frames[len(frames)-1].Func
		}
		for k := slice.At(b.Task); k > 0 && p.At == ""; k-- {
			p.At = net.Event(san.Action{Task: b.Task, K: int32(k)}).At
		}
		places = append(places, p)
	}
	return places
}

// TestAllAgainstEnumeration compares the groups of violations, their numbers and their
// witnesses with the table of the formula.
func TestAllAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := santest.Generate(santest.Rapid(t), santest.Config{Steps: 10})
		for _, e := range trace.Events {
			if n := rapid.IntRange(0, 5).Draw(t, "line"); n > 0 {
				e.At = fmt.Sprintf("a.go:%d", n)
			}
		}
		net := trace.MustBuild()
		for range 3 {
			prop := &spec.Property{Formula: spectest.Formula(words).Draw(t, "formula"),
				Initially: rapid.IntRange(0, 5).Draw(t, "initially") == 0}
			opt := tlcheck.Options{Last: rapid.Bool().Draw(t, "last")}
			if rapid.Bool().Draw(t, "frey96") {
				opt.Logic = lsl.Frey96
			}
			if rapid.Bool().Draw(t, "symmetric") {
				prop.Formula = symmetric(t, prop.Formula)
			}
			compareAll(t, net, prop, opt)
		}
	})
}

// symmetric returns a disjunction that says the same of t1 and t2, in both dialects.
func symmetric(t *rapid.T, f spec.Formula) spec.Formula {
	text := spec.Format(f)
	exchanged := strings.NewReplacer("t1", "t2", "t2", "t1").Replace(text)
	return &spec.Nary{Op: spec.Or, Xs: []spec.Formula{property(t, text).Formula, property(t, exchanged).Formula}}
}

// unordered returns the places of a group, those of TIVs that can be exchanged in an order of their
// own.
func unordered(places []tlcheck.Place, tivs []string, classes [][]string) string {
	var parts []string
	for i, p := range places {
		class := stdslices.IndexFunc(classes, func(c []string) bool { return stdslices.Contains(c, tivs[i]) })
		who := tivs[i]
		if class >= 0 {
			who = classes[class][0]
		}
		parts = append(parts, fmt.Sprint(who, p))
	}
	stdslices.Sort(parts)
	return fmt.Sprint(parts)
}

func compareAll(t *rapid.T, net *san.Net, prop *spec.Property, opt tlcheck.Options) {
	all, err := tlcheck.All(t.Context(), net, prop, opt)
	if err != nil {
		t.Fatal(err)
	}
	number := compareGroups(t, net, prop, opt, all)
	count, err := tlcheck.Count(t.Context(), net, prop, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !count.Number.Exact() || count.Number.Min.Int64() != number || count.Groups != nil {
		t.Fatalf("%v violations of %s, want %d", count.Number, spec.Format(prop.Formula), number)
	}
	rough, err := tlcheck.RoughCount(t.Context(), net, prop, opt)
	if err != nil || rough.Min.Int64() > number || rough.Max.Int64() < number {
		t.Fatalf("%v violations of %s, and are %d; %v", rough, spec.Format(prop.Formula), number, err)
	}
}

// compareGroups compares all violations with the table of the formula, and returns their number.
func compareGroups(
	t *rapid.T, net *san.Net, prop *spec.Property, opt tlcheck.Options, all *tlcheck.Violations,
) (number int64) {
	tivs := spec.TIVs(prop.Formula)
	groups := map[string][]row{}
	for _, r := range table(t, net, prop.Formula, opt.Logic) {
		if r.value == lsl.False && (!prop.Initially || r.slice.Events() == 0) {
			k := unordered(placesOf(net, r.slice, r.tiva), tivs, all.Exchangeable)
			groups[k] = append(groups[k], r)
			number++
		}
	}
	if !all.Number.Exact() || all.Number.Min.Int64() != number {
		t.Fatalf("%v violations of %s, want %d", all.Number, spec.Format(prop.Formula), number)
	}
	if len(all.Groups)+all.Further != len(groups) || all.Stopped != nil {
		t.Fatalf("%d groups and %d further ones of %s, want %d", len(all.Groups), all.Further,
			spec.Format(prop.Formula), len(groups))
	}
	for i, g := range all.Groups {
		want := groups[unordered(g.Places, tivs, all.Exchangeable)]
		if places := placesOf(net, g.Witness.Slice, g.Witness.TIVA); !stdslices.Equal(g.Places, places) {
			t.Fatalf("places %v, and those of the witness are %v", g.Places, places)
		}
		if !g.Number.Exact() || g.Number.Min.Int64() != int64(len(want)) {
			t.Fatalf("%v violations of %s at %v, want %d", g.Number, spec.Format(prop.Formula), g.Places, len(want))
		}
		best, _ := first(net, want, false, opt.Last)
		if !g.Witness.Slice.Equal(best.slice) || !stdslices.Equal(g.Witness.TIVA, best.tiva) {
			t.Fatalf("witness %s of %s, want %s", key(net, g.Witness.Slice, g.Witness.TIVA), spec.Format(prop.Formula),
				key(net, best.slice, best.tiva))
		}
		if i == 0 {
			checkExplanation(t, net, g.Witness.Reason, opt.Logic) // enumerates for each part
		} else {
			earlier := all.Groups[i-1].Witness
			if opt.Last == (earlier.Slice.Size() < g.Witness.Slice.Size()) &&
				earlier.Slice.Size() != g.Witness.Slice.Size() {
				t.Fatalf("groups of %s out of order", spec.Format(prop.Formula))
			}
		}
	}
	return number
}

// Without time there are bounds, and what ended the search is said.
func TestAllBudgets(t *testing.T) {
	net := santest.Read(t, wide(20, 50))
	prop := property(t, "not (t1:(even) and next t2:(even)) if t1 != t2")
	v, err := tlcheck.All(t.Context(), net, prop, tlcheck.Options{Intervals: 3})
	if err != nil {
		t.Fatal(err)
	}
	if v.Stopped == nil || v.Number.Exact() || !strings.Contains(v.Covered, "intervals") ||
		!strings.Contains(v.Covered, "of the 400 assignments") {
		t.Errorf("%v violations, stopped by %v: %s", v.Number, v.Stopped, v.Covered)
	}
	for _, g := range v.Groups {
		if g.Number.Exact() {
			t.Errorf("%v violations of a group that may have more", g.Number)
		}
	}
}

// Numbers of slices are beyond enumeration: 26 even states of each of two tasks, the others are
// anywhere.
func TestCountLarge(t *testing.T) {
	net := santest.Read(t, wide(6, 50))
	v, err := tlcheck.Count(t.Context(), net, property(t, "not (t1:(even) and t2:(even)) if t1 != t2"),
		tlcheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := int64(6*5) * 25 * 25 * 51 * 51 * 51 * 51; !v.Number.Exact() || v.Number.Min.Int64() != want {
		t.Errorf("%v violations, want %d", v.Number, want)
	}
}

// A sparse trace has other slices than the run had.
func TestCountRefusesSparse(t *testing.T) {
	net := santest.Read(t, `{"antichain":1,"tasks":["env"],"sparse":true}
{"t":"env","spawn":"p"}
{"t":"p","enter":"f"}
`)
	prop := property(t, "not t:(in.f)")
	if r := check(t, net, "not t:(in.f)", tlcheck.Options{}); r.Verdict != tlcheck.Violated {
		t.Errorf("verdict %v", r.Verdict)
	}
	if v, err := tlcheck.Count(t.Context(), net, prop, tlcheck.Options{}); !errors.Is(err, tlcheck.ErrSparse) {
		t.Errorf("%v violations, %v", v, err)
	}
}
