package program

import (
	"go/parser"
	"go/token"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func random(seed uint64, constructs ...Construct) *Program {
	return Generate(rand.New(rand.NewPCG(seed, 0)), 3, constructs...)
}

// Each program can be parsed, is the same for the same random numbers, and knows its statements'
// lines.
func TestGenerate(t *testing.T) {
	for _, c := range Constructs {
		for seed := range uint64(20) {
			p := random(seed, c)
			text := p.String()
			if _, err := parser.ParseFile(token.NewFileSet(), "main.go", text, 0); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if again := random(seed, c).String(); again != text {
				t.Fatalf("%s: not the same program:\n%s\n%s", c, text, again)
			}
			source := Print(p, "f")
			lines := strings.Split(source.Text, "\n")
			for line, s := range source.Lines {
				if text := lines[line-1]; s.Op == Mark && !strings.Contains(text, "at_") || s.Op == Sleep && !strings.Contains(text, "Sleep") {
					t.Fatalf("line %d is %q", line, text)
				}
			}
		}
	}
}

// Every construct makes programs that differ from those of the others.
func TestConstructs(t *testing.T) {
	if len(idioms) != len(Constructs) {
		t.Errorf("%d idioms, %d constructs", len(idioms), len(Constructs))
	}
	for _, c := range Constructs {
		if idioms[c] == nil {
			t.Errorf("%s: no idiom", c)
		}
	}
}

// A reduction makes a program smaller and leaves the original one as it was.
func TestReduce(t *testing.T) {
	for _, c := range Constructs {
		p := random(5, c)
		before := p.Clone()
		for _, r := range p.Reductions() {
			small := p.Reduce(r)
			if !reflect.DeepEqual(p, before) {
				t.Fatalf("%s: the original was changed", c)
			}
			if len(small.String()) >= len(p.String()) {
				t.Errorf("%s: %+v makes nothing smaller:\n%s\n%s", c, r, p, small)
			}
		}
		if all := p.Reduce(p.Reductions()...); len(all.Main) > 0 && len(all.Statements()) >= len(p.Statements()) {
			t.Errorf("%s: all reductions leave\n%s", c, all)
		}
	}
}
