package program

import (
	"fmt"
	"slices"
	"strings"
)

// LibraryCalls is how many functions of the library programs call: see Library.
const LibraryCalls = 8

// Marks is how many functions mark places: at_0 and so on.
const Marks = 16

// Support is the source of what all programs use. Functions that mark a place have this body, in
// which %d is their number.
func Support(body string) string {
	var b strings.Builder
	for i := range Marks {
		b.WriteString(marker(i, body))
	}
	for _, h := range helpers {
		b.WriteString(h.source)
	}
	return b.String()
}

func marker(i int, body string) string {
	body = strings.ReplaceAll(body, "%d", fmt.Sprint(i))
	return fmt.Sprintf("func at_%d(x int, then ...func()) {%s\n\tfor _, f := range then {\n\t\tf()\n\t}\n}\n", i, body)
}

// helpers make one value of what operations return.
var helpers = []struct{ name, source string }{
	{"number", `
func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
`},
	{"found", `
func found(v any, ok bool) int {
	if ok {
		return v.(int)
	}
	return -1
}
`},
	{"second", `
func second(_ any, ok bool) bool { return ok }
`},
	{"pooled", `
func pooled(v any) int {
	if v == nil {
		return 0
	}
	return v.(int)
}
`},
	{"choose", `
// choose does what a select statement does, and returns the index of the case.
func choose(cases ...choice) int {
	var all []reflect.SelectCase
	for _, c := range cases {
		all = append(all, c.SelectCase)
	}
	i, v, _ := reflect.Select(all)
	if cases[i].to != nil {
		*cases[i].to = int(v.Int())
	}
	return i
}

type choice struct {
	reflect.SelectCase
	to *int
}

func send(c chan int, v int) choice {
	return choice{SelectCase: reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(c), Send: reflect.ValueOf(v)}}
}

func receive(c any, to *int) choice {
	return choice{reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)}, to}
}

func none() choice { return choice{SelectCase: reflect.SelectCase{Dir: reflect.SelectDefault}} }
`},
	{"library", `
var (
	logger    = log.New(new(strings.Builder), "", 0)
	root, _   = context.WithCancel(context.Background())
	_, writer = io.Pipe()
	null, _   = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
)

// library does something that needs a lock of the standard library.
func library(n int) {
	switch n {
	case 0:
		logger.Writer()
	case 1:
		logger.Print(n)
	case 2:
		os.Getenv("HOME")
	case 3:
		os.Setenv("SET", "1")
	case 4:
		_, cancel := context.WithCancel(root)
		cancel()
	case 5:
		writer.Close()
	case 6:
		null.WriteString("written")
	case 7:
		fmt.Fprint(io.Discard, n)
	}
}
`},
	{"stream", `
// stream returns the ends of a new pipe or connection.
func stream(kind int) (r io.Reader, w io.WriteCloser) {
	network, address := "tcp", "127.0.0.1:0"
	switch kind {
	case 0:
		r, w, _ := os.Pipe()
		return r, w
	case 2:
		dir, _ := os.MkdirTemp("", "stream")
		defer os.RemoveAll(dir)
		network, address = "unix", dir+"/socket"
	}
	l, err := net.Listen(network, address)
	if err != nil {
		panic(err)
	}
	defer l.Close()
	w, _ = net.Dial(network, l.Addr().String())
	r, _ = l.Accept()
	return r, w
}

// read reads at most n bytes and returns the last one, 0 at the end.
func read(r io.Reader, n int) int {
	buf := make([]byte, n)
	n, _ = r.Read(buf)
	if n == 0 {
		return 0
	}
	return int(buf[n-1])
}
`},
	{"sum", `
func sum(m *sync.Map) int {
	n := 0
	m.Range(func(_, v any) bool {
		n += 10 + v.(int)
		return true
	})
	return n
}
`},
}

// Imports are the packages that programs may use.
var Imports = []string{"context", "fmt", "io", "log", "net", "os", "reflect", "strings", "sync", "sync/atomic", "time"}

// Source is the text of a program.
type Source struct {
	Text  string
	Lines map[int]*Stmt // the statement on each line, from 1
}

// Print returns the source of a program as a function of that name.
func Print(p *Program, name string) *Source {
	w := &printer{p: p, lines: make(map[int]*Stmt)}
	w.line("func %s() {", name)
	w.depth++
	w.objects()
	w.task(p.Main)
	w.depth--
	w.line("}")
	return &Source{w.text.String(), w.lines}
}

// String returns the source of a program as a file of package main, with what it needs.
func (p *Program) String() string {
	body := "\n" + Print(p, "main").Text
	for _, h := range helpers {
		if strings.Contains(body, h.name+"(") {
			body += h.source
		}
	}
	for i := range Marks {
		if strings.Contains(body, fmt.Sprintf("at_%d(", i)) {
			body += "\n" + marker(i, "")
		}
	}
	var imports strings.Builder
	for _, path := range Imports {
		if strings.Contains(body, path[strings.LastIndex(path, "/")+1:]+".") {
			fmt.Fprintf(&imports, "\t%q\n", path)
		}
	}
	if imports.Len() == 0 {
		return "package main\n" + body
	}
	return "package main\n\nimport (\n" + imports.String() + ")\n" + body
}

type printer struct {
	p     *Program
	text  strings.Builder
	at    int // lines so far
	depth int
	lines map[int]*Stmt
	read  map[Var]bool // those of the goroutine's variables that some statement reads
}

func (w *printer) line(format string, args ...any) {
	w.text.WriteString(strings.Repeat("\t", w.depth))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
	w.at++
}

var kindNames = [kindCount]string{
	"c", "m", "rw", "wg", "once", "cond", "kv", "n", "timer", "timer", "ctx", "stop", "x", "pool", "s",
}

// name is the name of an object.
func (w *printer) name(object int) string {
	return fmt.Sprint(kindNames[w.p.Objects[object].Kind], object)
}

// duration is how long until something happens, soon or never.
func duration(soon int) string {
	if soon == 1 {
		return "time.Microsecond"
	}
	return "time.Hour"
}

// objects declares those that some statement uses, or another object.
func (w *printer) objects() {
	used := w.p.used()
	for i, o := range w.p.Objects {
		if !used[i] {
			continue
		}
		name := w.name(i)
		switch o.Kind {
		case Chan:
			w.line("%s := make(chan int, %d)", name, o.N)
		case Mutex:
			w.line("var %s sync.Mutex", name)
		case RWMutex:
			w.line("var %s sync.RWMutex", name)
		case WaitGroup:
			w.line("var %s sync.WaitGroup", name)
		case Once:
			w.line("var %s sync.Once", name)
		case Cond:
			w.line("%s := sync.NewCond(&%s)", name, w.name(o.Of))
		case Map:
			w.line("var %s sync.Map", name)
		case Atomic:
			w.line("var %s atomic.Int32", name)
		case Timer:
			w.line("%s := time.NewTimer(%s)", name, duration(o.N))
		case Func:
			w.line("var %s *time.Timer", name)
			w.line("_ = %s", name)
		case Context:
			parent := "context.Background()"
			if o.Of > 0 {
				parent = w.name(o.Of - 1)
			}
			if o.N == 1 {
				w.line("%s, cancel%d := context.WithTimeout(%s, time.Microsecond)", name, i, parent)
			} else {
				w.line("%s, cancel%d := context.WithCancel(%s)", name, i, parent)
			}
			w.line("_, _ = %s, cancel%d", name, i)
		case ContextFunc:
			w.line("var %s func() bool", name)
			w.line("_ = %s", name)
		case Pool:
			w.line("var %s sync.Pool", name)
		case Stream:
			w.line("%s, %sw := stream(%d)", name, name, o.N)
			w.line("_, _ = %s, %sw", name, name)
		case Shared:
			w.line("%s := 0", name)
			w.line("_ = %s", name)
		}
	}
}

// used says which objects the program needs.
func (p *Program) used() []bool {
	used := make([]bool, len(p.Objects))
	var use func(i int)
	use = func(i int) {
		if i < 0 || used[i] {
			return
		}
		used[i] = true
		switch o := p.Objects[i]; o.Kind {
		case Cond, ContextFunc:
			use(o.Of)
		case Context:
			use(o.Of - 1)
		}
	}
	for _, s := range p.Statements() {
		if s.Op.hasObject() {
			use(s.Object)
		}
		for _, c := range s.Cases {
			use(c.Object)
		}
		if s.Op == CondWait {
			use(s.N)
		}
	}
	return used
}

func (o Op) hasObject() bool {
	return !slices.Contains([]Op{Nothing, Mark, If, Sleep, Library, Select}, o)
}

// task prints the body of a goroutine.
func (w *printer) task(body []*Stmt) {
	outer := w.read
	w.read = reads(body)
	for _, v := range []Var{A, B} {
		if w.read[v] {
			w.line("var %s int", v)
		}
	}
	w.block(body)
	w.read = outer
}

// reads returns the variables that a goroutine reads.
func reads(body []*Stmt) map[Var]bool {
	read := map[Var]bool{}
	for _, s := range body {
		read[s.Value.Var] = true
		for _, c := range s.Cases {
			read[c.Value.Var] = true
		}
		if s.Op.startsTask() {
			continue
		}
		for _, b := range s.blocks() {
			for v := range reads(*b) {
				read[v] = true
			}
		}
	}
	return read
}

// startsTask reports whether the body of such a statement is another goroutine.
func (o Op) startsTask() bool { return o == Go || o == AfterFunc }

func (v Var) String() string { return [...]string{"_", "a", "b"}[v] }

func (v Value) String() string {
	if v.Var != NoVar {
		return v.Var.String()
	}
	return fmt.Sprint(v.N)
}

func (w *printer) block(list []*Stmt) {
	for _, s := range list {
		w.lines[w.at+1] = s
		w.stmt(s)
	}
}

// inner prints a block between lines.
func (w *printer) inner(list []*Stmt) {
	w.depth++
	w.block(list)
	w.depth--
}

// result prints an operation that returns something.
func (w *printer) result(dst Var, format string, args ...any) {
	w.line("%s", w.assignment(dst, "=")+fmt.Sprintf(format, args...))
}

// assignment is what stands before an operation whose result goes to a variable.
func (w *printer) assignment(dst Var, sign string) string {
	if dst == NoVar || !w.read[dst] {
		return ""
	}
	return dst.String() + " " + sign + " "
}

func (w *printer) stmt(s *Stmt) {
	switch s.Op {
	case Mark:
		then := ""
		if s.Then > 0 {
			then = fmt.Sprintf(", func() { library(%d) }", s.Then-1)
		}
		w.line("at_%d(%s%s)", s.N, s.Value, then)
	case If:
		w.line("if %s == %d {", s.Value, s.N)
		w.inner(s.Body)
		if len(s.Else) > 0 {
			w.line("} else {")
			w.inner(s.Else)
		}
		w.line("}")
	case Sleep:
		w.line("time.Sleep(%d * time.Millisecond)", s.N)
	case Library:
		w.line("library(%d)", s.N)
	case Select:
		w.choice(s)
	case Go:
		if s.Object < 0 {
			w.function("go func() {", s.Body, "}()")
		} else {
			w.function(w.name(s.Object)+".Go(func() {", s.Body, "})")
		}
	case AfterFunc:
		w.afterFunc(s)
	case Do:
		w.line("%s.Do(func() {", w.name(s.Object))
		w.inner(s.Body)
		w.line("})")
	case CondWait:
		w.line("for %s == %s {", w.name(s.N), s.Value)
		w.depth++
		w.lines[w.at+1] = s
		w.line("%s.Wait()", w.name(s.Object))
		w.depth--
		w.line("}")
	default:
		w.operation(s, w.name(s.Object))
	}
}

// function prints a function literal that is another goroutine.
func (w *printer) function(begin string, body []*Stmt, end string) {
	w.line("%s", begin)
	w.depth++
	w.task(body)
	w.depth--
	w.line("%s", end)
}

func (w *printer) afterFunc(s *Stmt) {
	name := w.name(s.Object)
	o := w.p.Objects[s.Object]
	if o.Kind == ContextFunc {
		w.function(fmt.Sprintf("%s = context.AfterFunc(%s, func() {", name, w.name(o.Of)), s.Body, "})")
	} else {
		w.function(fmt.Sprintf("%s = time.AfterFunc(%s, func() {", name, duration(s.N)), s.Body, "})")
	}
}

// source is what a statement receives from.
func (w *printer) source(object int) string {
	switch w.p.Objects[object].Kind {
	case Timer:
		return w.name(object) + ".C"
	case Context:
		return w.name(object) + ".Done()"
	}
	return w.name(object)
}

func (w *printer) choice(s *Stmt) {
	if s.Reflect {
		w.reflected(s)
		return
	}
	w.line("select {")
	for _, c := range s.Cases {
		w.lines[w.at+1] = s
		if c.Send {
			w.line("case %s <- %s:", w.name(c.Object), c.Value)
		} else {
			w.line("case %s<-%s:", w.assignment(c.Dst, "="), w.source(c.Object))
		}
		w.inner(c.Body)
	}
	if s.Default {
		w.line("default:")
		w.inner(s.Else)
	}
	w.line("}")
}

// reflected prints a select that package reflect does.
func (w *printer) reflected(s *Stmt) {
	var cases []string
	for _, c := range s.Cases {
		if c.Send {
			cases = append(cases, fmt.Sprintf("send(%s, %s)", w.name(c.Object), c.Value))
			continue
		}
		to := "nil"
		if v := c.Dst.known(w); v != NoVar {
			to = "&" + v.String()
		}
		cases = append(cases, fmt.Sprintf("receive(%s, %s)", w.source(c.Object), to))
	}
	if s.Default {
		cases = append(cases, "none()")
	}
	w.line("switch choose(%s) {", strings.Join(cases, ", "))
	for i, c := range s.Cases {
		w.line("case %d:", i)
		w.inner(c.Body)
	}
	if s.Default {
		w.line("default:")
		w.inner(s.Else)
	}
	w.line("}")
}
