package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The formula's truth is shown in each state, and a click on a strip goes to a state.
func TestFormulaInPage(t *testing.T) {
	d := example(t, "ringbuffer")
	i := slices.IndexFunc(d.Findings, func(f *Finding) bool { return f.Property == "same_element" })
	f := d.Findings[i]
	p := open(t, writePage(t, &Document{Findings: []*Finding{f}}), 1360, 820)
	p.wantText(".formula-tree .row .truth", "✗ false")
	for state := f.Order.State; state >= 0; state-- {
		var want []string
		for _, part := range f.Parts {
			want = append(want, map[byte]string{'t': "✓ true", 'f': "✗ false",
				'u': "– undefined"}[truthIn(part, state)])
		}
		if got := p.texts(".formula-tree .truth"); !slices.Equal(got, want) {
			t.Errorf("in state %d the parts are %q, want %q", state, got, want)
		}
		p.press(kb.ArrowLeft)
	}
	p.run(chromedp.Evaluate[chromedp.Void](`(() => {
		const strip = document.querySelector(".strip");
		const r = strip.getBoundingClientRect();
		strip.dispatchEvent(new MouseEvent("click", {bubbles: true, clientX: r.right - 2, clientY: r.top + 3}));
	})()`))
	p.wantText(".counter", "state 6 of 6")
}

// truthIn is the letter of a part in a state.
func truthIn(p *Part, state int) byte {
	letter := byte('x')
	for _, row := range p.Truth {
		var from int
		var l string
		if _, err := fmt.Sscanf(row, "%d%s", &from, &l); err != nil {
			panic(err)
		}
		if from <= state {
			letter = l[0]
		}
	}
	return letter
}

// The search finds events by their texts, goes through them, and shows their number.
func TestSearchInPage(t *testing.T) {
	net, _ := readNet(t, manyTasks(5, 30))
	p := open(t, writePage(t, &Document{Runs: []*Run{RunOf("many", net)}}), 1360, 820)
	search := func(text, want string) {
		t.Helper()
		p.run(chromedp.Evaluate[chromedp.Void](`(() => {
			const s = document.querySelector(".search");
			s.focus();
			s.value = ` + quote(text) + `;
			s.dispatchEvent(new Event("input"));
		})()`))
		p.wait("document.querySelector('.search-count').textContent === " + quote(want))
	}
	p.press(kb.Home)
	search("CHAN 2", "50 found")
	search("go main.3", "1 found")
	search("main.go:24", "30 found")
	search("nowhere", "0 found")
	search("main.3", "30 found")
	p.press(kb.Enter)
	p.wantText(".search-count", "1 of 30")
	p.press(kb.Enter, kb.Enter)
	p.wantText(".search-count", "3 of 30")
	if got := p.text(".goroutine header .quiet"); got != "main.3" {
		t.Errorf("the goroutine of what was found is %q", got)
	}
	p.press(kb.Escape, "]")
	p.wantText(".search-count", "")
	if got := p.text(".goroutine header .quiet"); got != "main.3" {
		t.Errorf("the next event of the goroutine is one of %q", got)
	}
}

// At first the texts of the busiest part are shown. Keys and the wheel zoom from the whole run to
// one event and back, and dragging moves the view.
func TestZoomInPage(t *testing.T) {
	net, _ := readNet(t, manyTasks(5, 4000))
	p := open(t, writePage(t, &Document{Runs: []*Run{RunOf("many", net)}}), 1360, 820)
	rows := func() float64 { return eval[float64](p, "antichain.stage.diagram.view.rows") }
	// the page takes the run apart first
	p.wait("antichain.stage !== null && antichain.stage.state > 0")
	p.still()
	if got := rows(); got > 40 {
		t.Errorf("at first %v rows are shown", got)
	}
	p.press("0")
	whole := rows()
	if whole < 20000 {
		t.Errorf("as a whole, %v rows are shown, want all 20,005", whole)
	}
	p.press("1")
	if got := rows(); got > 40 {
		t.Errorf("with texts %v rows are shown", got)
	}
	p.press("-", "-")
	if got := rows(); got < 40 || got > 200 {
		t.Errorf("zoomed out twice, %v rows are shown", got)
	}
	p.press("+")
	before := rows()
	wheel := func(modifiers string, deltaY int) {
		p.run(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
			"document.querySelector('canvas').dispatchEvent(new WheelEvent('wheel', {deltaY: %d, cancelable: true, %s: true}))", deltaY, modifiers)))
	}
	wheel("ctrlKey", -200)
	if got := rows(); got >= before {
		t.Errorf("the wheel with ctrl changes %v rows to %v", before, got)
	}
	top := eval[float64](p, "antichain.stage.diagram.view.top")
	wheel("bubbles", 500)
	down := eval[float64](p, "antichain.stage.diagram.view.top")
	if down <= top {
		t.Errorf("the wheel moves from %v to %v", top, down)
	}
	p.run(chromedp.DragAndDropXY(500, 400, 500, 500))
	if got := eval[float64](p, "antichain.stage.diagram.view.top"); got >= down {
		t.Errorf("dragging down moves from %v to %v", down, got)
	}
	p.press("0")
	if got := rows(); got < whole-1 {
		t.Errorf("in the end %v rows are shown, before %v", got, whole)
	}
}

// Goroutines of the same kind fold, and can be chosen by name.
func TestGoroutinesInPage(t *testing.T) {
	net, _ := readNet(t, manyTasks(40, 5))
	p := open(t, writePage(t, &Document{Runs: []*Run{RunOf("many", net)}}), 1360, 820)
	columns := func() int { return eval[int](p, "antichain.stage.diagram.layout.columns.length") }
	if got := columns(); got != 2 {
		t.Errorf("there are %d columns, want main and the others folded", got)
	}
	box := eval[[]float64](p, "(() => { const r = document.querySelector('canvas').getBoundingClientRect(); return [r.left, r.top, r.width]; })()")
	p.run(chromedp.MouseClickXY(box[0]+box[2]*0.75, box[1]+20))
	if got := columns(); got != 41 {
		t.Errorf("unfolded there are %d columns, want 41", got)
	}
	p.press("f")
	if got := columns(); got != 2 {
		t.Errorf("folded again there are %d columns", got)
	}
	p.run(chromedp.Evaluate[chromedp.Void]("antichain.stage.openFilter()"), chromedp.KeyEvent("main.7"))
	p.wait("document.querySelectorAll('.choices label').length === 1")
	p.run(chromedp.Click[string](".popover button"))
	if got := columns(); got != 1 {
		t.Errorf("of one goroutine there are %d columns", got)
	}
	if got := eval[int](p, "antichain.stage.diagram.layout.length"); got != 5 {
		t.Errorf("of one goroutine %d rows are shown, want 5", got)
	}
	p.press(kb.Escape)
	p.wait("document.querySelector('.popover').hidden")
}

// What the page reads of a run is what the net has.
func TestRunInPage(t *testing.T) {
	d := example(t, "workers", builtin.Closed)
	text := manyTasks(3, 50) + `{"t":"main","enter":"f","set":{"x":-5,"s":"a\"b"}}` + "\n" +
		`{"t":"main","set":{"x":9007199254740993}}` + "\n" +
		`{"t":"main","after":[["main.1",50],["main.2",3]],"global":{"g":[1,2]},"exit":"f"}` + "\n"
	net, _ := readNet(t, text)
	p := open(t, writePage(t, &Document{Findings: d.Findings, Runs: []*Run{RunOf("run", net)}}), 1360, 820)
	p.press("p")
	p.wait("document.querySelector('h1').textContent === 'run'")
	got := eval[[][]any](p, `(() => {
		const m = antichain.stage.model;
		return [...m.task].map((t, e) => [m.tasks[t].name, m.index[e] + 1, m.at(e),
			[...m.causes.subarray(m.causeStart[e], m.causeStart[e + 1])].map((c) => m.tasks[m.task[c]].name + " " + (m.index[c] + 1)).join(", ")]);
	})()`)
	count := make([]int32, net.Tasks())
	for e, task := range net.Recorded(0) {
		count[task]++
		a := san.Action{Task: task, K: count[task]}
		var causes []string
		for _, c := range causesOf(net, a) {
			causes = append(causes, fmt.Sprint(net.Name(c.Task), " ", c.K))
		}
		want := fmt.Sprint([]any{net.Name(task), a.K, net.Event(a).At, strings.Join(causes, ", ")})
		if have := fmt.Sprint(got[e]); have != want {
			t.Errorf("event %d is %s, want %s", e, have, want)
		}
	}
	local := "(() => { const l = antichain.stage.model.local(0, %d); return [l.stack.join(), l.values.map((v) => v.name + '=' + v.value).sort().join()]; })()"
	for k, want := range map[int]string{4: `[f (just entered) s="a\"b",x=-5]`, 5: `[f s="a\"b",x=9007199254740993]`,
		6: `[f (just left) g=[1,2],s="a\"b",x=9007199254740993]`} {
		if have := fmt.Sprint(eval[[]string](p, fmt.Sprintf(local, k))); have != want {
			t.Errorf("behind event %d of main there are %s, want %s", k, have, want)
		}
	}
}

// Whatever names are, they are texts: nothing in them runs, and they do not widen the page.
func TestHostileNames(t *testing.T) {
	hostile := []string{
		"</script><script>window.hacked = 1</script>", "<img src=x onerror='window.hacked = 2'>", "<!--<script>", "]]>",
		"\u202egnp.exe\u2066",
		"שלום עולם", strings.Repeat("x", 10000), strings.Repeat("y ", 5000), "a\x00b\u2028c\ufffd", `"\u003c/script>`,
		"{{constructor}}", "__proto__",
	}
	var b strings.Builder
	b.WriteString(`{"antichain":2,"tasks":["main"]}` + "\n")
	for i, h := range hostile {
		name := strings.Map(func(r rune) rune {
			if r == 0 {
				return -1
			}
			return r
		}, h)
		fmt.Fprintf(&b, `{"t":"main","op":%s,"obj":%s,"at":%s,"enter":%s,"set":{%s:%s}}`+"\n", quote("op"+name),
			quote(name), quote(name+".go:1"), quote(name), quote(fmt.Sprint("v", i)), quote(h))
	}
	net, _ := readNet(t, b.String())
	r := check(t, net, formula(t, "not t:(v11 == \"__proto__\")"))
	f := FindingOf(r, sourceStyle)
	d := &Document{Title: hostile[0], Notes: hostile, Findings: []*Finding{f}, Runs: []*Run{RunOf(hostile[0], net)}}
	for _, h := range hostile {
		g := *f
		g.Property, g.Group, g.Message, g.Report, g.Formula = h, h, h, h, h
		d.Findings = append(d.Findings, &g)
	}
	p := open(t, writePage(t, d), 1360, 820)
	for range len(hostile) + 2 {
		p.still()
		p.press(kb.ArrowLeft, kb.ArrowLeft, "m", "0", "1", "n")
		if w := eval[float64](p, "Math.max(document.documentElement.scrollWidth, document.querySelector('.main').scrollWidth + 264)"); w > 1362 {
			t.Errorf("at %.40q the page is %v wide", p.text("h1"), w)
		}
	}
	if eval[bool](p, "'hacked' in window || document.querySelector('img, main script, nav script') !== null") {
		t.Error("a name was taken for markup")
	}
}

// corner is the colour of the diagram where nothing stands.
const corner = `(() => {
	const g = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
	g.drawImage(document.querySelector("canvas"), -3, -80);
	return [...g.getImageData(0, 0, 1, 1).data.slice(0, 3)];
})()`

// Light and dark differ, and on paper a page is light and as long as the order is.
func TestThemeAndPrint(t *testing.T) {
	p := open(t, writePage(t, example(t, "bank", builtin.Deadlock)), 1360, 820)
	command(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}})
	pixel := func() []int {
		p.still()
		return eval[[]int](p, corner)
	}
	if got := pixel(); got[0] < 200 {
		t.Errorf("light is %v", got)
	}
	p.press("t")
	if got := pixel(); got[0] > 60 {
		t.Errorf("dark is %v", got)
	}
	p.press("n")
	p.wait("document.querySelector('h1').textContent === 'bank'")
	height := eval[float64](p, "document.querySelector('canvas').clientHeight")
	p.run(chromedp.Evaluate[chromedp.Void]("window.dispatchEvent(new Event('beforeprint'))"))
	if got := eval[[]int](p, corner); got[0] < 200 {
		t.Errorf("on paper it is %v", got)
	}
	if got := eval[float64](p, "document.querySelector('canvas').height / devicePixelRatio"); got != 46+26*24 {
		t.Errorf("on paper 25 events are %v pixels high", got)
	}
	p.run(chromedp.Evaluate[chromedp.Void]("window.dispatchEvent(new Event('afterprint'))"))
	p.still()
	if got := eval[float64](p, "document.querySelector('canvas').clientHeight"); got != height {
		t.Errorf("afterwards the diagram is %v pixels high, before it was %v", got, height)
	}
	pdf, err := chromedp.Run(p.ctx, chromedp.PrintToPDF())
	if err != nil || len(pdf) < 10000 {
		t.Errorf("the printed page has %d bytes: %v", len(pdf), err)
	}
}

// A document may have nothing to show, or verdicts alone.
func TestSmallDocuments(t *testing.T) {
	open(t, writePage(t, &Document{}), 1360, 820)
	d := example(t, "ringbuffer", builtin.Stuck)
	d.Runs = nil
	d.Findings = slices.DeleteFunc(d.Findings, func(f *Finding) bool { return f.Verdict != "holds" })
	p := open(t, writePage(t, d), 1360, 820)
	p.wantText(".badge", "✓ holds")
	p.wantText(".top .counts", "2 hold")
}

// The head of a finding takes a quarter of the height at most, and the command that shows it again
// is always visible. So is the goroutine that fails, with its source.
func TestHeadOfFinding(t *testing.T) {
	f := FindingOf(check(t, must(readNet(t, manyTasks(2, 3))), formula(t, "not t:(true)")), sourceStyle)
	long := strings.Repeat("a long sentence on what is wrong; ", 60)
	f.Message, f.Notes = long, []string{long, "why:", long}
	f.Again = "antichain run --yields 7 ./" + strings.Repeat("server/", 40)
	f.Order = &Order{Lead: "It happened.", State: 2, Focus: 1,
		Columns: []Column{
			{Name: "worker", Title: "worker", Precise: "main.1", Standing: []string{"waits for wg"}},
			{Name: "main.2", Title: strings.Repeat("handler.", 30) + "serve", Precise: "main.2"},
		},
		Steps: []Step{
			{Cells: []Cell{{Column: 0, Text: "waits for wg", At: "a.go:3", Place: "a.go:3"}}},
			{Cells: []Cell{{Column: 1, Text: "lock", At: "a.go:130", Place: "a.go:130"}}},
		}}
	lines := []string{"a", "b", strings.Repeat("wait(); ", 99)}
	f.Files = []*File{{Name: "a.go", Excerpts: []Excerpt{{From: 1, Lines: lines}}}}
	for _, size := range [][2]int{{1280, 800}, {500, 900}} {
		p := open(t, writePage(t, &Document{Findings: []*Finding{f}}), size[0], size[1])
		if high := eval[float64](p, "document.querySelector('.finding-head').offsetHeight / innerHeight"); high > 0.26 {
			t.Errorf("%d pixels wide, the head takes %.0f %% of the height", size[0], 100*high)
		}
		if !eval[bool](p, `(() => {
			const r = document.querySelector(".again code").getBoundingClientRect();
			return r.height > 10 && r.top >= 0 && r.bottom <= innerHeight && r.right <= innerWidth;
		})()`) {
			t.Errorf("%d pixels wide, the command is not to be seen", size[0])
		}
		p.wantText(".source .place", "a.go:3")
		p.wantText(".counter", "state 2 of 2")
		if w := eval[float64](p, `Math.max(document.documentElement.scrollWidth,
			document.querySelector(".lines").scrollWidth)`); w > float64(size[0]) {
			t.Errorf("%d pixels wide, the page or the source is %v wide", size[0], w)
		}
		if got := p.texts(".notes .heading"); !slices.Equal(got, []string{"why:"}) {
			t.Errorf("headings of notes are %q", got)
		}
	}
}

func must(net *san.Net, _ []*tlcheck.Result) *san.Net { return net }

// Properties that hold fold into a line, unless they are all that there is, and unfold when one of
// them is looked at.
func TestHoldingFold(t *testing.T) {
	d := &Document{}
	for i, verdict := range []string{"violated", "holds", "holds"} {
		d.Findings = append(d.Findings, &Finding{Property: fmt.Sprint("p", i), Verdict: verdict})
	}
	p := open(t, writePage(t, d), 1280, 800)
	isOpen := "document.querySelector('details.holds').open"
	if eval[bool](p, isOpen) {
		t.Error("what holds is unfolded")
	}
	p.press("n")
	p.wait("document.querySelector('h1').textContent === 'p1'")
	if !eval[bool](p, isOpen) {
		t.Error("what is looked at is folded")
	}
	d.Findings = d.Findings[1:]
	p = open(t, writePage(t, d), 1280, 800)
	if eval[bool](p, "document.querySelector('details.holds') !== null") {
		t.Error("all that there is folds")
	}
}
