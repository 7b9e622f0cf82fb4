package program

// Reduction makes a program smaller: it changes the statement of that number, among Statements.
type Reduction struct {
	Stmt int
	way  way
	n    int // number of a case or block
}

// way is how a statement is reduced.
type way uint8

const (
	drop    way = iota // the statement goes, with all that is in it
	unwrap             // one of its blocks takes its place
	without            // one of its cases goes
	noElse             // its default goes
)

// Reductions are all that can be done to a program.
func (p *Program) Reductions() []Reduction {
	var all []Reduction
	for i, s := range p.Statements() {
		all = append(all, Reduction{i, drop, 0})
		for n, b := range s.blocks() {
			if len(*b) > 0 {
				all = append(all, Reduction{i, unwrap, n})
			}
		}
		if len(s.Cases) > 1 {
			for n := range s.Cases {
				all = append(all, Reduction{i, without, n})
			}
		}
		if s.Default {
			all = append(all, Reduction{i, noElse, 0})
		}
	}
	return all
}

// Reduce returns a program with these reductions. Of two for the same statement the first counts.
func (p *Program) Reduce(reductions ...Reduction) *Program {
	of := map[*Stmt]Reduction{}
	c := p.Clone()
	statements := c.Statements()
	for _, r := range reductions {
		if s := statements[r.Stmt]; of[s] == (Reduction{}) {
			of[s] = Reduction{r.Stmt + 1, r.way, r.n}
		}
	}
	c.Main = reduce(c.Main, of)
	return c
}

func reduce(list []*Stmt, of map[*Stmt]Reduction) []*Stmt {
	var out []*Stmt
	for _, s := range list {
		for _, b := range s.blocks() {
			*b = reduce(*b, of)
		}
		switch r := of[s]; {
		case r == Reduction{}:
			out = append(out, s)
		case r.way == unwrap:
			out = append(out, *s.blocks()[r.n]...)
		case r.way == without:
			s.Cases = append(s.Cases[:r.n:r.n], s.Cases[r.n+1:]...)
			out = append(out, s)
		case r.way == noElse:
			s.Default, s.Else = false, nil
			out = append(out, s)
		}
	}
	return out
}
