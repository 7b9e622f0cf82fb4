//go:build unix

package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// plot is a picture of curves over sizes that double, both axes logarithmic: so a straight
// line is a power, and its slope the exponent.
type plot struct {
	x, y   string // what the axes show
	at     []int
	curves []curve
}

// curve is one value for each size, or for the first ones.
type curve struct {
	name   string
	dashed bool
	values []float64
}

const (
	plotWidth, plotHeight            = 860, 440
	marginLeft, marginTop            = 70, 20
	marginRight, marginBottom        = 270, 60
	innerWidth, innerHeight          = plotWidth - marginLeft - marginRight, plotHeight - marginTop - marginBottom
	fontSize                  int    = 13
	ink                       string = "#24292f"
	grid                      string = "#d0d7de"
)

// colours differ also for people who see few of them (Okabe and Ito); a curve and the dashed
// one behind it share one.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

// svg returns the picture.
func (p *plot) svg() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="%d">`+"\n",
		plotWidth, plotHeight, fontSize)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", plotWidth, plotHeight)
	low, high := p.decades()
	p.axes(&b, low, high)
	for i, c := range p.curves {
		p.curve(&b, i, c, low, high)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// decades returns the powers of ten around all values.
func (p *plot) decades() (low, high int) {
	least, most := math.Inf(1), math.Inf(-1)
	for _, c := range p.curves {
		for _, v := range c.values {
			least, most = min(least, v), max(most, v)
		}
	}
	if least > most {
		return 0, 1
	}
	low, high = int(math.Floor(math.Log10(least))), int(math.Ceil(math.Log10(most)))
	return low, max(high, low+1)
}

func (p *plot) left(i int) float64 {
	return marginLeft + innerWidth*float64(i)/float64(max(len(p.at)-1, 1))
}

func top(v float64, low, high int) float64 {
	return marginTop + innerHeight*(float64(high)-math.Log10(v))/float64(high-low)
}

func (p *plot) axes(b *strings.Builder, low, high int) {
	line := func(x1, y1, x2, y2 float64) {
		fmt.Fprintf(b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>`+"\n", x1, y1, x2, y2, grid)
	}
	text := func(x, y float64, anchor, more, s string) {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s"%s>%s</text>`+"\n", x, y, anchor, ink, more, html.EscapeString(s))
	}
	for e := low; e <= high; e++ {
		y := top(math.Pow10(e), low, high)
		line(marginLeft, y, marginLeft+innerWidth, y)
		text(marginLeft-8, y+4, "end", "", fmt.Sprint(math.Pow10(e)))
	}
	for i, n := range p.at {
		line(p.left(i), marginTop, p.left(i), marginTop+innerHeight)
		text(p.left(i), marginTop+innerHeight+18, "middle", "", count(n))
	}
	text(marginLeft+innerWidth/2, plotHeight-16, "middle", "", p.x)
	middle := float64(marginTop + innerHeight/2)
	text(18, middle, "middle", fmt.Sprintf(` transform="rotate(-90 18 %.1f)"`, middle), p.y)
}

// curve draws a curve and its line of the legend.
func (p *plot) curve(b *strings.Builder, n int, c curve, low, high int) {
	colour, dash := colours[n/2%len(colours)], ""
	if c.dashed {
		dash = ` stroke-dasharray="6 4"`
	}
	var points []string
	for i, v := range c.values {
		x, y := p.left(i), top(v, low, high)
		points = append(points, fmt.Sprintf("%.1f,%.1f", x, y))
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", x, y, colour)
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"%s/>`+"\n", strings.Join(points, " "), colour, dash)
	x, y := marginLeft+innerWidth+20, marginTop+10+n*22
	fmt.Fprintf(b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" stroke-width="2"%s/>`+"\n", x, y, x+30, y, colour, dash)
	fmt.Fprintf(b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", x+38, y+4, ink, html.EscapeString(c.name))
}

// count prints a number, a large one in thousands or millions.
func count(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.3gM", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.3gk", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}
