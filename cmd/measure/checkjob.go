//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/internal/globalstates"
	"github.com/antichain-go/antichain/cmd/measure/internal/sections"
	"github.com/antichain-go/antichain/internal/explicit"
	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// job is what a child process measures, so that the memory is that of one row: a formula on
// the runs of a number of seeds. It comes as JSON on standard input.
type job struct {
	Config   workload.Config
	Formula  string
	Seeds    int
	Limit    time.Duration // of a seed
	Trace    string        // the run is read from this file, once for each seed; "" is generated
	Explicit bool          // also by explicit enumeration

	Question question // if not "", the verdict may be any

	// Sections is the run in place of Config, of which only the variant counts then; First seeds
	// are left out. With Reorder critical sections may come in other orders than in the run: both
	// nets that this takes are built.
	Sections *sections.Workload
	First    int
	Reorder  bool
}

// seedResult is what a child prints for each seed, as JSON.
type seedResult struct {
	Build, Check float64 // seconds; Build is also the generating, or reading, of the run
	Verdict      string
	Covered      string
	Happened     bool    // the run passed the witness
	NetMiB       float64 // most memory when the net was built
	MiB          float64 // most memory so far
	Explicit     float64 // seconds; 0 if it did not end
	Slices       int     // enumerated
}

// runJob is the child.
func runJob(in io.Reader, out io.Writer) error {
	var j job
	if err := json.NewDecoder(in).Decode(&j); err != nil {
		return err
	}
	prop, err := spec.ParseFormula(j.Formula)
	if err != nil {
		return err
	}
	results := json.NewEncoder(out)
	var nets []*san.Net
	for seed := range j.Seeds {
		j.Config.Seed = uint64(j.First + seed + 1)
		r, net, err := j.seed(prop)
		if err != nil {
			return err
		}
		if j.Explicit {
			nets = append(nets, net)
		}
		if err := results.Encode(r); err != nil {
			return err
		}
	}
	// Behind the others, because it is the memory of the check that is measured.
	for _, net := range nets {
		var r seedResult
		if r.Explicit, r.Slices, err = j.explicit(net, prop); err != nil {
			return err
		}
		if err := results.Encode(r); err != nil || r.Explicit == 0 {
			return err
		}
	}
	return nil
}

// seed measures one seed.
func (j *job) seed(prop *spec.Property) (r seedResult, net *san.Net, err error) {
	runtime.GC()
	begin := time.Now()
	var free *san.Net
	switch {
	case j.Sections != nil:
		net, free, err = j.sections()
	case j.Trace == "":
		net, err = j.Config.Net()
	default:
		net, err = netOf(j.Trace)
	}
	if err != nil {
		return r, nil, err
	}
	r.Build, r.NetMiB = time.Since(begin).Seconds(), ownPeak()
	begin = time.Now()
	if j.Question != "" {
		r.Verdict, r.Covered, err = j.Question.answer(net, prop, j.Limit)
		r.Check, r.MiB = time.Since(begin).Seconds(), ownPeak()
		return r, net, err
	}
	result, err := tlcheck.Check(context.Background(), net, prop, tlcheck.Options{Time: j.Limit})
	if err == nil && free != nil && result.Verdict == tlcheck.Holds { // as with --predict locks
		result, err = tlcheck.Check(context.Background(), free, prop, tlcheck.Options{Time: j.Limit, Sections: true})
	}
	if err != nil {
		return r, nil, err
	}
	r.Check, r.MiB = time.Since(begin).Seconds(), ownPeak()
	r.Verdict, r.Covered = result.Verdict.String(), result.Covered
	r.Happened = result.Witness != nil && result.Witness.Happened
	return r, net, nil
}

// sections returns the net of a run with critical sections, and that without their order if it is
// wanted.
func (j *job) sections() (net, free *san.Net, err error) {
	c := *j.Sections
	c.Seed = j.Config.Seed
	if j.Reorder {
		return c.Nets()
	}
	net, err = c.Net()
	return net, nil, err
}

func netOf(path string) (*san.Net, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readNet(f, path)
}

// ownPeak is the most memory that this process has had, in MiB.
func ownPeak() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	return peakOf(text)
}

// explicitLimit is how many slices package explicit is given: it relates each to all others.
const explicitLimit = 20_000

// explicit evaluates the formula in every slice; 0 seconds if there are too many slices, or
// if the limit was not enough.
func (j *job) explicit(net *san.Net, prop *spec.Property) (took float64, count int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), j.Limit)
	defer cancel()
	begin := time.Now()
	e, err := explicit.New(ctx, net, lsl.L3, explicitLimit)
	if err != nil {
		return 0, 0, tooMuch(err)
	}
	if err := values(ctx, e, net, prop, spec.TIVs(prop.Formula), explicit.TIVA{}); err != nil {
		return 0, e.Len(), tooMuch(err)
	}
	return time.Since(begin).Seconds(), e.Len(), nil
}

// values evaluates the formula for every choice of tasks for the TIVs.
func values(ctx context.Context, e *explicit.Evaluator, net *san.Net, prop *spec.Property, tivs []string, tiva explicit.TIVA) error {
	if len(tivs) == 0 {
		_, err := e.Values(ctx, prop.Formula, tiva)
		return err
	}
	for task := range san.Task(net.Tasks()) {
		tiva[tivs[0]] = task
		if err := values(ctx, e, net, prop, tivs[1:], tiva); err != nil {
			return err
		}
	}
	return nil
}

// tooMuch drops the errors that say that enumeration does not end in time.
func tooMuch(err error) error {
	var limit *explicit.LimitError
	if errors.As(err, &limit) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// enumerate measures how many slices a second are enumerated and asked whether task 0 is in a
// while task 1 is in c.
func enumerate(count int) (string, error) {
	net, err := workload.Config{Tasks: 5, Events: 20, Variant: workload.Violated}.Net()
	if err != nil {
		return "", err
	}
	inA, err := states(net, 0, "t:(a)")
	if err != nil {
		return "", err
	}
	inC, err := states(net, 1, "t:(c)")
	if err != nil {
		return "", err
	}
	var speeds []float64
	var both, n int
	for range count {
		runtime.GC()
		begin := time.Now()
		both, n = 0, 0
		for at := range globalstates.Enumerate(net) {
			n++
			if inA[at[0]] && inC[at[1]] {
				both++
			}
		}
		speeds = append(speeds, float64(n)/time.Since(begin).Seconds()/1e6)
	}
	t := table{"enumeration", "slices", "of them in a and c", "million slices/s", "target"}.start()
	t.add("independent 5×20", fmt.Sprint(n), fmt.Sprint(both), number(median(speeds)), "≥ 10")
	return t.String(), nil
}

// states returns in which local states of a task an atom is true.
func states(net *san.Net, task san.Task, atom string) ([]bool, error) {
	p, err := spec.ParseFormula(atom)
	if err != nil {
		return nil, err
	}
	f := lsl.Compile(net, p.Formula.(*spec.Atom).Local, lsl.L3)
	var in []bool
	w := net.Walk(task)
	for ok := true; ok; ok = w.Next() {
		in = append(in, f.Eval(w.State(), new(lsl.Log)) == lsl.True)
	}
	return in, nil
}

// writeTrace writes the run as a trace.
func writeTrace(c workload.Config, path string) error {
	var b bytes.Buffer
	if err := c.WriteTrace(&b); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o600)
}
