package skeleton

import (
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/diagram"
)

// Skeletons are the processes into which a model was divided.
type Skeletons struct {
	Variables []Variable
	Processes []Process
}

// Variable is an atom, with the values 0 and 1, or the auxiliary variable.
type Variable struct {
	Name    string
	Process int // the only one that changes it; Shared for others
	Low     int
	High    int
	Initial int
}

// Shared is the Process of variables that several processes change.
const Shared = -1

// Process is a skeleton.
type Process struct {
	Name    string
	Regions []Region // the process begins in the first one
	Arcs    []Arc
}

// Region is a control location of a process, named by the atoms that are true there.
type Region struct {
	Name  string
	Atoms []string
}

// Arc leads from one region to another one, or back to the same.
type Arc struct {
	From, To int // indices of Regions
	Guard    []Condition
	Set      []Literal // assignments to variables other than the atoms of the process
}

// Condition is a conjunction. A guard is true if one of its conditions is. The empty condition is
// true.
type Condition []Literal

// Literal states that a variable has a value, or assigns it.
type Literal struct {
	Variable string
	Value    int
}

// Diagram draws the skeletons as figure 6.7 of Clarke and Emerson 1981 does: regions, and arcs with
// their guards and assignments.
func (sk *Skeletons) Diagram() *diagram.Graph {
	g := &diagram.Graph{}
	for i, p := range sk.Processes {
		g.Groups = append(g.Groups, p.Name)
		first := len(g.Nodes)
		for n, r := range p.Regions {
			g.Nodes = append(g.Nodes, diagram.Node{Group: i, Text: r.Name, Bold: n == 0})
		}
		for _, a := range p.Arcs {
			g.Edges = append(g.Edges, diagram.Edge{From: first + a.From, To: first + a.To, Text: a.text()})
		}
	}
	return g
}

// text writes the guard of an arc, unless it is true, and its assignments to shared variables.
func (a *Arc) text() string {
	var lines []string
	if guard := GuardText(a.Guard); guard != "true" {
		lines = append(lines, guard)
	}
	for _, l := range a.Set {
		lines = append(lines, fmt.Sprintf("%s := %d", l.Variable, l.Value))
	}
	return strings.Join(lines, "\n")
}

func (sk *Skeletons) Program() string {
	var b strings.Builder
	for _, v := range sk.Variables {
		fmt.Fprintf(&b, "declare %s : [%d..%d];\n", v.Name, v.Low, v.High)
	}
	for _, v := range sk.Variables {
		if v.Initial != max(v.Low, 0) {
			fmt.Fprintf(&b, "initially %s = %d;\n", v.Name, v.Initial)
		}
	}
	for i := range sk.Processes {
		sk.Processes[i].write(&b)
	}
	return b.String()
}

func (p *Process) write(b *strings.Builder) {
	fmt.Fprintf(b, "\nprocess %s\n", p.Name)
	for n, r := range p.Regions {
		sep := fmt.Sprintf("  %s : ", r.Name)
		left := false
		for _, a := range p.Arcs {
			if a.From != n {
				continue
			}
			left = true
			b.WriteString(sep + p.alternative(a) + "\n")
			sep = strings.Repeat(" ", len(r.Name)+3) + "| "
		}
		if !left {
			fmt.Fprintf(b, "%sif false goto %s;\n", sep, r.Name)
		}
	}
	b.WriteString("end\n")
}

func (p *Process) alternative(a Arc) string {
	var steps []string
	from, to := p.Regions[a.From], p.Regions[a.To]
	for _, name := range difference(from.Atoms, to.Atoms) {
		steps = append(steps, name+" := 0;")
	}
	for _, name := range difference(to.Atoms, from.Atoms) {
		steps = append(steps, name+" := 1;")
	}
	for _, l := range a.Set {
		steps = append(steps, fmt.Sprintf("%s := %d;", l.Variable, l.Value))
	}
	steps = append(steps, "goto "+to.Name+";")
	text := strings.Join(steps, " ")
	if len(steps) > 1 {
		text = "{ " + text + " }"
	}
	if guard := GuardText(a.Guard); guard != "true" {
		text = "if " + guard + " " + text
	}
	return text
}

// GuardText writes a guard in the syntax of the program.
func GuardText(guard []Condition) string {
	return guardText(guard, " and ", " or ", len(guard) > 1, func(l Literal) string {
		return fmt.Sprintf("%s = %d", l.Variable, l.Value)
	})
}

// guardText writes a guard, with parentheses around conjunctions if they are needed.
func guardText(guard []Condition, and, or string, parentheses bool, literal func(Literal) string) string {
	var texts []string
	for _, c := range guard {
		if len(c) == 0 {
			return "true"
		}
		var literals []string
		for _, l := range c {
			literals = append(literals, literal(l))
		}
		text := strings.Join(literals, and)
		if len(c) > 1 && parentheses {
			text = "(" + text + ")"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, or)
}

// difference returns the elements of x that are not in y.
func difference(x, y []string) []string {
	var r []string
	for _, name := range x {
		if !strings.Contains(" "+strings.Join(y, " ")+" ", " "+name+" ") {
			r = append(r, name)
		}
	}
	return r
}
