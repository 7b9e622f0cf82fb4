package testevents

import (
	"strings"
	"time"
)

// Package has the results of the tests of a package.
type Package struct {
	Name    string
	Began   time.Time
	Result  string  // "pass", "fail", "skip", or "" as long as it is not known
	Seconds float64 // that it took
	Output  []byte  // what no test has printed
	Build   string  // what the compiler says if it cannot be built
	Tests   []*Test // in the order in which they began

	running map[string]*Test
}

// Test is a test, or a part of one.
type Test struct {
	Name    string
	Result  string // as of a package; "" of one that did not come to its end
	Seconds float64
	Output  []byte // none if it has passed

	report []string // lines; go test prints some of them without -v
}

// Record has the results of several packages.
type Record struct {
	Packages []*Package // in the order in which their tests began

	reports bool              // Test.report is wanted
	builds  map[string]string // what the compiler says, by what it compiles
}

// add takes the next event, and returns the package that it is about; nil if it is about a build.
func (r *Record) add(e *Event) *Package {
	if e.Package == "" {
		if r.builds == nil {
			r.builds = map[string]string{}
		}
		r.builds[e.ImportPath] += e.Output
		return nil
	}
	p := r.find(e)
	switch {
	case e.Test != "":
		p.add(e, r.reports)
	case e.Action == "output":
		p.Output = append(p.Output, e.Output...)
	case e.ends():
		p.Result, p.Seconds = e.Action, seconds(e)
		p.Build = r.builds[e.FailedBuild]
	}
	return p
}

// find returns the package of an event.
func (r *Record) find(e *Event) *Package {
	for _, p := range r.Packages {
		if p.Name == e.Package {
			return p
		}
	}
	p := &Package{Name: e.Package, running: map[string]*Test{}}
	if e.Time != nil {
		p.Began = *e.Time
	}
	r.Packages = append(r.Packages, p)
	return p
}

func seconds(e *Event) float64 {
	if e.Elapsed == nil {
		return 0
	}
	return *e.Elapsed
}

// add takes an event of a test.
func (p *Package) add(e *Event, reports bool) {
	t := p.running[e.Test]
	if t == nil {
		t = &Test{Name: e.Test}
		p.running[e.Test] = t
		p.Tests = append(p.Tests, t)
	}
	switch {
	case e.Action == "output":
		t.Output = append(t.Output, e.Output...)
		if reports {
			t.report = append(t.report, e.Output)
		}
	case e.ends():
		t.Result, t.Seconds = e.Action, seconds(e)
		if t.Result == "pass" {
			t.Output = nil
		}
		delete(p.running, e.Test)
	}
}

// parent returns the running test that a test is a part of; nil if there is none. Names of parts
// may have slashes, too.
func (p *Package) parent(name string) *Test {
	for {
		slash := strings.LastIndexByte(name, '/')
		if slash < 0 {
			return nil
		}
		name = name[:slash]
		if t := p.running[name]; t != nil {
			return t
		}
	}
}
