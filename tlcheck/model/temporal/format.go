package temporal

import "strings"

// String returns f in the notation that Parse reads, with the parentheses that are necessary. It
// adds those around a comparison after an operator, as in !(x == 1), for readability.
func (f *Formula) String() string {
	var b strings.Builder
	f.write(&b)
	return b.String()
}

func (f *Formula) write(b *strings.Builder) {
	o := operators[f.Op]
	switch {
	case f.Op == Atomic:
		b.WriteString(f.Atom.Text)
	case f.X == nil:
		b.WriteString(o.text)
	case o.level == levelPrimary:
		b.WriteString(quantifier(f.Op) + "[")
		f.X.operand(b, levelUnary)
		b.WriteString(" " + o.text + " ")
		f.Y.operand(b, levelUnary)
		b.WriteString("]")
	case f.Y == nil:
		f.writeUnary(b, o.text)
	default:
		left, right := f.levels()
		f.X.operand(b, left)
		b.WriteString(" " + o.text + " ")
		f.Y.operand(b, right)
	}
}

func (f *Formula) writeUnary(b *strings.Builder, text string) {
	b.WriteString(text)
	if f.Process != "" {
		b.WriteString("_" + f.Process)
	}
	if f.Op != Not {
		b.WriteByte(' ')
	}
	if f.X.Op == Atomic && f.X.Atom.Relation != "" {
		b.WriteString("(" + f.X.Atom.Text + ")")
		return
	}
	f.X.operand(b, levelUnary)
}

// levels returns the precedences that the operands of a binary operator need to stand without
// parentheses.
func (f *Formula) levels() (left, right int) {
	level := operators[f.Op].level
	switch f.Op {
	case Implies:
		return level + 1, level
	case And, Or, Iff:
		return level, level + 1
	}
	return level + 1, level + 1
}

// operand writes f, in parentheses if its precedence is below level.
func (f *Formula) operand(b *strings.Builder, level int) {
	if operators[f.Op].level >= level {
		f.write(b)
		return
	}
	b.WriteByte('(')
	f.write(b)
	b.WriteByte(')')
}
