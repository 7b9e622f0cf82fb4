package diagram

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var small = &Graph{
	Groups: []string{"P\"1\"", ""},
	Nodes: []Node{{Text: "m1: x := 1\n<\\>", Bold: true}, {Text: "m2: while x = 1", Shape: Test},
		{Group: 1, Text: "3 more", Shape: Plain}},
	Edges: []Edge{{0, 1, "", false}, {1, 0, "yes & no", false}, {1, 1, "", true}, {1, 1, "again", false}},
}

func TestDOT(t *testing.T) {
	const want = `digraph {
	node [fontname=monospace fontsize=10]
	edge [fontname=monospace fontsize=10]
	subgraph "cluster0" {
		label="P\"1\""
		0 [shape=box label="m1: x := 1\n<\\>" style=bold]
		1 [shape=hexagon label="m2: while x = 1"]
	}
	subgraph "group1" {
		2 [shape=plaintext label="3 more"]
	}
	0 -> 1 [label=""]
	1 -> 0 [label="yes & no"]
	1 -> 1 [label="" style=dashed]
	1 -> 1 [label="again"]
}
`
	if diff := cmp.Diff(want, small.DOT()); diff != "" {
		t.Error(diff)
	}
}

// drawGraph draws a graph of two groups.
func drawGraph(t *rapid.T) *Graph {
	g := &Graph{Groups: []string{"left", ""}}
	text := rapid.SampledFrom([]string{"", "a", "a longer text", "two\nlines", "<&>\"'", "\ufffe"})
	n := rapid.IntRange(0, 12).Draw(t, "nodes")
	for range n {
		g.Nodes = append(g.Nodes, Node{Group: rapid.IntRange(0, 1).Draw(t, "group"), Text: text.Draw(t, "text"),
			Shape: Shape(rapid.IntRange(0, int(Double)).Draw(t, "shape"))})
	}
	for range rapid.IntRange(0, 2*n).Draw(t, "edges") {
		e := Edge{rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to"),
			text.Draw(t, "edge"), false}
		if g.Nodes[e.From].Group == g.Nodes[e.To].Group {
			g.Edges = append(g.Edges, e)
		}
	}
	return g
}

// A picture is XML with all texts, and a path for each edge; of those that stay at a node, one for
// each node.
func TestSVG(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		svg, err := g.SVG()
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		paths := 1 // that of the arrow
		loops := map[int]bool{}
		for _, n := range g.Nodes {
			want = append(want, strings.Split(n.Text, "\n")...)
		}
		for _, e := range g.Edges {
			if e.Text != "" {
				want = append(want, strings.Split(e.Text, "\n")...)
			}
			if e.From != e.To || !loops[e.From] {
				paths++
			}
			loops[e.From] = loops[e.From] || e.From == e.To
		}
		texts, elements := read(t, svg)
		if elements["path"] != paths {
			t.Fatalf("%d paths, want %d", elements["path"], paths)
		}
		nonempty := func(all []string) []string {
			all = slices.DeleteFunc(all, func(s string) bool { return s == "" || s == "left" })
			for i := range all {
				all[i] = strings.ReplaceAll(all[i], "\ufffe", "\ufffd") // which XML has not got
			}
			slices.Sort(all)
			return all
		}
		if want, got := nonempty(want), nonempty(texts); !slices.Equal(got, want) {
			t.Fatalf("texts %q, want %q", got, want)
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Fatal(svg)
		}
	})
}

// read returns the texts of a picture, and how many elements of each kind it has.
func read(t *rapid.T, svg string) (texts []string, elements map[string]int) {
	elements = map[string]int{}
	d := xml.NewDecoder(strings.NewReader(svg))
	inside := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts, elements
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inside = token.Name.Local
			elements[inside]++
		case xml.CharData:
			if inside == "text" {
				texts = append(texts, string(token))
			}
		case xml.EndElement:
			inside = ""
		}
	}
}

func TestTooLarge(t *testing.T) {
	g := &Graph{Groups: []string{""}, Nodes: make([]Node, MaxNodes+1)}
	if _, err := g.SVG(); err == nil ||
		err.Error() != "a picture of 501 nodes is too large (the limit is 500): choose fewer, or use DOT" {
		t.Error(err)
	}
}

// In a layout every edge leads from layer to layer, and nodes of a layer do not touch.
func TestArrange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 15).Draw(t, "nodes")
		width, height := make([]float64, n), make([]float64, n)
		for i := range n {
			width[i], height[i] = float64(rapid.IntRange(0, 50).Draw(t, "width")), 10
		}
		var links []link
		for range rapid.IntRange(0, 3*n).Draw(t, "links") {
			links = append(links, link{rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to"),
				float64(rapid.SampledFrom([]int{0, 30}).Draw(t, "text")), 10})
		}
		l := arrange(width, height, links)
		for i, p := range l.paths {
			checkPath(t, l, &links[i], &p)
		}
		for _, layer := range l.layers {
			for k := 1; k < len(layer); k++ {
				a, b := layer[k-1], layer[k]
				if free := l.x[b] - l.x[a] - (l.width[a]+l.width[b])/2; free < gap-1e-6 {
					t.Fatalf("%d and %d are %f from each other", a, b, free)
				}
			}
		}
	})
}

func checkPath(t *rapid.T, l *layout, e *link, p *path) {
	if e.from == e.to {
		if len(p.stations) != 0 {
			t.Fatalf("%v has the path %v", e, p)
		}
		return
	}
	ends := []int{p.stations[0], p.stations[len(p.stations)-1]}
	if p.reversed {
		slices.Reverse(ends)
	}
	if !slices.Equal(ends, []int{e.from, e.to}) || e.width > 0 && len(p.stations) < 3 {
		t.Fatalf("%v has the path %v", e, p)
	}
	for k := 1; k < len(p.stations); k++ {
		if l.layer[p.stations[k]] != l.layer[p.stations[k-1]]+1 {
			t.Fatalf("the path %v leaves a layer out", p)
		}
	}
}

// The nearest rising sequence is that of the min-max formula (Barlow et al. 1972).
func TestNearestRising(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wanted := rapid.SliceOfN(rapid.Float64Range(-100, 100), 0, 12).Draw(t, "wanted")
		for i, got := range nearestRising(wanted) {
			want := math.Inf(-1)
			for a := range i + 1 {
				least := math.Inf(1)
				for b := i; b < len(wanted); b++ {
					sum := 0.0
					for _, x := range wanted[a : b+1] {
						sum += x
					}
					least = min(least, sum/float64(b-a+1))
				}
				want = max(want, least)
			}
			if math.Abs(got-want) > 1e-9 {
				t.Fatalf("%v: place %d is %v, want %v", wanted, i, got, want)
			}
		}
	})
}

// BenchmarkSVG draws a long chain with edges back: most of the picture are joints.
func BenchmarkSVG(b *testing.B) {
	g := &Graph{Groups: []string{""}}
	for n := range MaxNodes {
		g.Nodes = append(g.Nodes, Node{Text: fmt.Sprint(n)})
		g.Edges = append(g.Edges, Edge{From: n, To: (n + 1) % MaxNodes, Text: "next"}, Edge{From: n, To: n / 2})
	}
	for b.Loop() {
		if _, err := g.SVG(); err != nil {
			b.Fatal(err)
		}
	}
}
