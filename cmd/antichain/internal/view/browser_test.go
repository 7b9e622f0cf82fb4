package view

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The tests in a browser need Chromium. Where there is none they are skipped, unless
// ANTICHAIN_CHROMIUM is set, as in .ci/run.

// chromium is the browser of all tests, started by the first of them.
var chromium struct {
	once sync.Once
	path string
	ctx  context.Context
	stop func()
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	os.Exit(code)
}

// tab is a tab of the browser.
type tab struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	trouble  []string // errors and warnings in its console
	requests []string
}

// open shows a page in a new tab, and waits until it has drawn its first item. At the end of the
// test, there must have been no error and no request.
func open(t testing.TB, address string, width, height int) *tab {
	t.Helper()
	p := newTab(t, width, height)
	p.run(chromedp.Navigate(address))
	p.wait("document.documentElement.dataset.ready !== undefined")
	p.still()
	return p
}

func newTab(t testing.TB, width, height int) *tab {
	t.Helper()
	chromium.once.Do(startChromium)
	if chromium.path == "" {
		if os.Getenv("ANTICHAIN_CHROMIUM") != "" {
			t.Fatal("no chromium in PATH")
		}
		t.Skip("no chromium in PATH")
	}
	ctx, cancel := chromedp.NewContext(chromium.ctx)
	p := &tab{t: t, ctx: ctx}
	t.Cleanup(func() {
		cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, e := range p.trouble {
			t.Errorf("in the console: %s", e)
		}
		for _, r := range p.requests {
			t.Errorf("the page requests %s", r)
		}
	})
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	command(p, network.Enable, network.EnableParams{})
	command(p, log.Enable, cdp.Empty{})
	command(p, runtime.Enable, cdp.Empty{})
	p.run(chromedp.EmulateViewport(int64(width), int64(height)))
	return p
}

// command sends a command to the browser.
func command[P, R any](p *tab, c cdp.Command[P, R], params P) R {
	p.t.Helper()
	r, err := chromedp.Call(p.ctx, c, params)
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

func startChromium() {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			chromium.path = path
			break
		}
	}
	if chromium.path == "" {
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium.path), chromedp.NoSandbox,
		chromedp.DisableGPU)
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	chromium.ctx = ctx
	chromium.stop = func() { cancel(); end() }
	if err := chromedp.Do(ctx); err != nil {
		panic(err)
	}
}

func (p *tab) listen(ev any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		text := ev.ExceptionDetails.Text
		if e := ev.ExceptionDetails.Exception; e != nil {
			text += " " + e.Description
		}
		p.trouble = append(p.trouble, text)
	case *runtime.EventConsoleAPICalled:
		for _, a := range ev.Args {
			p.trouble = append(p.trouble, string(a.Value)+a.Description)
		}
	case *log.EventEntryAdded:
		p.trouble = append(p.trouble, ev.Entry.Text)
	case *network.EventRequestWillBeSent:
		if u := ev.Request.URL; !strings.HasPrefix(u, "file://") ||
			!strings.HasSuffix(strings.Split(u, "#")[0], "/page.html") {
			p.requests = append(p.requests, u)
		}
	}
}

func (p *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// eval returns the value of an expression.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

// text is what an element says.
func (p *tab) text(selector string) string {
	p.t.Helper()
	return eval[string](p, "(document.querySelector("+quote(selector)+") || {textContent: ''}).textContent")
}

func (p *tab) texts(selector string) []string {
	p.t.Helper()
	return eval[[]string](p, "[...document.querySelectorAll("+quote(selector)+")].map((e) => e.textContent)")
}

// wait waits until an expression is true.
func (p *tab) wait(expression string) {
	p.t.Helper()
	for deadline := time.Now().Add(time.Minute); !eval[bool](p, expression); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.t.Fatalf("it does not become true that %s", expression)
		}
	}
}

// press presses keys.
func (p *tab) press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.run(chromedp.KeyEvent(k))
	}
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func (p *tab) wantText(selector, want string) {
	p.t.Helper()
	if got := p.text(selector); got != want {
		p.t.Errorf("%s says %q, want %q", selector, got, want)
	}
}

// Stepping goes through the states of a schedule, and shows the source and the locks of each.
func TestStepping(t *testing.T) {
	p := open(t, writePage(t, example(t, "bank", builtin.Deadlock)), 1360, 820)
	p.wantText("h1", "deadlock")
	p.wantText(".counter", "state 6 of 6")
	p.wantText(".lines .current code", "    to.mu.Lock()")
	if got := strings.Join(p.texts(".goroutine .reasons li"), "; "); !strings.Contains(got,
		"holds from.mu (mutex 3), taken") {
		t.Errorf("the goroutines are %q", got)
	}
	p.press(kb.ArrowLeft)
	if got := strings.Join(p.texts(".goroutine .fact:has(.word)"), "; "); !strings.Contains(got,
		"holdsfrom.mu (mutex 3)") {
		t.Errorf("the locks are %q", got)
	}
	p.press(kb.ArrowLeft, "k")
	p.wantText(".counter", "state 3 of 6")
	p.wantText(".lines .current code", "    from.mu.Lock()")
	if got := p.text(".spoken"); !strings.Contains(got, "transfer: lock from.mu") {
		t.Errorf("the state is described as %q", got)
	}
	p.press(kb.Home)
	p.wantText(".counter", "state 0 of 6")
	p.press(kb.ArrowRight, "j")
	p.wantText(".counter", "state 2 of 6")
	p.press(kb.End, kb.ArrowRight)
	p.wantText(".counter", "state 6 of 6")
	p.press("p", "?")
	p.wait("document.querySelector('dialog').open")
	p.press(kb.Escape)
	p.wait("!document.querySelector('dialog').open")
}
