package diagram

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxNodes limits the nodes of one group in SVG.
const MaxNodes = 500

const (
	fontSize   = 12
	charWidth  = 7.3 // of a monospaced font
	lineHeight = 15
	margin     = 10 // around texts, groups and the picture
	layerGap   = 24
	loopSize   = 18 // of an edge that stays at its node
	ink        = "#24292f"
	fill       = "#f6f8fa"
	frame      = "#d0d7de"
)

// SVG returns the graph as a picture.
func (g *Graph) SVG() (string, error) {
	var groups []*drawing
	width, height := float64(margin), 0.0
	for i := range g.Groups {
		d, err := g.draw(i)
		if err != nil {
			return "", err
		}
		d.left = width
		width += d.width + margin
		height = max(height, d.height)
		groups = append(groups, d)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" font-family="monospace" font-size="%d">`+"\n", width, height+2*margin, fontSize)
	fmt.Fprintf(&b, `<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">`+
		`<path d="M0,0 L8,4 L0,8 z" fill="%s"/></marker></defs>`+"\n", ink)
	fmt.Fprintf(&b, `<rect width="%.0f" height="%.0f" fill="#ffffff"/>`+"\n", width, height+2*margin)
	for _, d := range groups {
		fmt.Fprintf(&b, `<g transform="translate(%.1f,%d)">`+"\n%s</g>\n", d.left, margin, d.svg.String())
	}
	b.WriteString("</svg>\n")
	return b.String(), nil
}

// drawing is the picture of one group.
type drawing struct {
	*layout
	nodes               []Node
	edges               []Edge
	left, width, height float64
	top                 []float64 // of each layer
	tall                []float64 // of each layer
	svg                 strings.Builder
}

func (g *Graph) draw(group int) (*drawing, error) {
	d := &drawing{}
	index := map[int]int{} // from nodes of the graph to nodes of the group
	var width, height []float64
	for n, node := range g.Nodes {
		if node.Group != group {
			continue
		}
		index[n] = len(d.nodes)
		d.nodes = append(d.nodes, node)
		w, h := size(node.Text)
		width, height = append(width, w+2*margin), append(height, h+margin)
	}
	if len(d.nodes) > MaxNodes {
		return nil, fmt.Errorf("a picture of %d nodes is too large (the limit is %d): choose fewer, or use DOT",
			len(d.nodes), MaxNodes)
	}
	d.take(g.Edges, index)
	var links []link
	for _, e := range d.edges {
		w, h := size(e.Text)
		if e.From == e.To { // the node stands in the middle, and the text beside it
			width[e.From] += 2 * (loopSize + w)
			height[e.From] = max(height[e.From], h)
		}
		links = append(links, link{e.From, e.To, w, h})
	}
	d.layout = arrange(width, height, links)
	d.paint(g.Groups[group])
	return d, nil
}

// take adds the edges of a group. All loops of a node become one.
func (d *drawing) take(edges []Edge, index map[int]int) {
	loops := map[int]int{}
	for _, e := range edges {
		from, ok := index[e.From]
		if !ok {
			continue
		}
		e.From, e.To = from, index[e.To]
		at, looped := loops[from]
		switch {
		case e.From != e.To:
		case looped:
			d.edges[at].Text += "\n" + e.Text
			continue
		default:
			loops[from] = len(d.edges)
		}
		d.edges = append(d.edges, e)
	}
}

// size returns the room that a text takes.
func size(text string) (width, height float64) {
	if text == "" {
		return 0, 0
	}
	for _, line := range strings.Split(text, "\n") {
		width = max(width, float64(utf8.RuneCountInString(line))*charWidth)
		height += lineHeight
	}
	return width, height
}

func (d *drawing) paint(name string) {
	d.bounds(name)
	if name != "" {
		fmt.Fprintf(&d.svg, `<rect width="%.1f" height="%.1f" fill="none" stroke="%s"/>`+"\n", d.width, d.height, frame)
		d.text(d.width/2, lineHeight/2+margin/2, name)
	}
	for i := range d.edges {
		d.edge(i)
	}
	for i := range d.edges {
		d.label(i)
	}
	for n := range d.nodes {
		d.node(n)
	}
}

// bounds moves the group to the right of the margin, and computes the positions of the layers.
func (d *drawing) bounds(name string) {
	titleWidth, y := size(name)
	left, right := 0.0, 0.0
	for n, x := range d.x {
		left, right = min(left, x-d.layout.width[n]/2), max(right, x+d.layout.width[n]/2)
	}
	d.width = max(right-left, titleWidth) + 2*margin
	shift := margin - left + (d.width-2*margin-(right-left))/2
	for n := range d.x {
		d.x[n] += shift
	}
	y += margin
	for _, layer := range d.layers {
		tall := 0.0
		for _, n := range layer {
			tall = max(tall, d.layout.height[n])
		}
		d.top, d.tall = append(d.top, y), append(d.tall, tall)
		y += tall + layerGap
	}
	d.height = y - layerGap + margin
}

func (d *drawing) middle(n int) (x, y float64) {
	layer := d.layer[n]
	return d.x[n], d.top[layer] + d.tall[layer]/2
}

// text writes lines centred at a point.
func (d *drawing) text(x, y float64, text string) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		base := y + (float64(i)-float64(len(lines)-1)/2)*lineHeight + fontSize/3.0
		fmt.Fprintf(&d.svg, `<text x="%.1f" y="%.1f" text-anchor="middle" fill="%s" xml:space="preserve">`,
			x, base, ink)
		_ = xml.EscapeText(&d.svg, []byte(line)) // a strings.Builder never fails
		d.svg.WriteString("</text>\n")
	}
}

func (d *drawing) node(n int) {
	x, y := d.middle(n)
	node := d.nodes[n]
	w, h := d.box(n)
	stroke := 1.0
	if node.Bold {
		stroke = 2.5
	}
	style := fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="%.1f"`, fill, ink, stroke)
	switch node.Shape {
	case Box, Double:
		fmt.Fprintf(&d.svg, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="3" %s/>`+"\n", x-w/2, y-h/2,
			w, h, style)
		if in := 3 + stroke; node.Shape == Double {
			fmt.Fprintf(&d.svg, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="2" fill="none" stroke="%s"/>`+
				"\n", x-w/2+in, y-h/2+in, w-2*in, h-2*in, ink)
		}
	case Test:
		side := w/2 - margin/2
		fmt.Fprintf(&d.svg, `<polygon points="%.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f" %s/>`+"\n",
			x-w/2, y, x-side, y-h/2, x+side, y-h/2, x+w/2, y, x+side, y+h/2, x-side, y+h/2, style)
	}
	d.text(x, y, node.Text)
}

// box returns the size of a node's frame.
func (d *drawing) box(n int) (width, height float64) {
	width, height = size(d.nodes[n].Text)
	return width + 2*margin, height + margin
}

type point struct{ x, y float64 }

func (d *drawing) edge(i int) {
	e := d.edges[i]
	way := ""
	if e.From == e.To {
		way = d.loop(e.From)
	} else {
		way = curve(d.points(d.paths[i]))
	}
	dash := ""
	if e.Dashed {
		dash = ` stroke-dasharray="4 3"`
	}
	fmt.Fprintf(&d.svg, `<path d="%s" fill="none" stroke="%s" marker-end="url(#arrow)"%s/>`+"\n", way, ink, dash)
}

// loop returns the curve of an edge from a node to itself, at its right side.
func (d *drawing) loop(n int) string {
	x, y := d.middle(n)
	w, h := d.box(n)
	right := x + w/2
	return fmt.Sprintf("M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f", right, y-h/4, right+loopSize, y-h/2, right+loopSize,
		y+h/2, right, y+h/4)
}

// points returns the points of a path: it leaves nodes at the bottom, and passes joints from above.
func (d *drawing) points(p path) (ps []point) {
	last := len(p.stations) - 1
	for i, n := range p.stations {
		x, middle := d.middle(n)
		layer := d.layer[n]
		top, bottom := d.top[layer], d.top[layer]+d.tall[layer]
		if i == 0 || i == last {
			_, h := d.box(n)
			top, bottom = middle-h/2, middle+h/2
		}
		if i > 0 {
			ps = append(ps, point{x, top})
		}
		if i < last {
			ps = append(ps, point{x, bottom})
		}
	}
	if p.reversed {
		slices.Reverse(ps)
	}
	return ps
}

// curve returns a line that leaves and enters all points vertically.
func curve(ps []point) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%.1f,%.1f", ps[0].x, ps[0].y)
	for i, p := range ps[1:] {
		middle := (ps[i].y + p.y) / 2
		fmt.Fprintf(&b, " C%.1f,%.1f %.1f,%.1f %.1f,%.1f", ps[i].x, middle, p.x, middle, p.x, p.y)
	}
	return b.String()
}

// label writes the text of an edge over its first joint, or beside its loop.
func (d *drawing) label(i int) {
	e := d.edges[i]
	if e.Text == "" {
		return
	}
	w, h := size(e.Text)
	if e.From == e.To {
		x, y := d.middle(e.From)
		width, _ := d.box(e.From)
		d.text(x+width/2+loopSize+w/2, y, e.Text)
		return
	}
	x, y := d.middle(d.paths[i].stations[1])
	fmt.Fprintf(&d.svg, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#ffffff"/>`+"\n", x-w/2, y-h/2, w, h)
	d.text(x, y, e.Text)
}
