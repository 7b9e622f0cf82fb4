package skeleton

import (
	"fmt"
	"strings"
)

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

// GuardText writes a guard as the program has it.
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
