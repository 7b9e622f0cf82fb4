//go:build linux && (amd64 || arm64)

package goroot

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// BenchmarkCost prints what tracing costs a program, in nanoseconds an operation:
//
//	go test -run - -bench Cost -benchtime 1x ./internal/tracer/instrument/goroot
//
// "off" is the overlay without a ring; "traced" has a consumer in another process,
// this one, on the same processors, that reads every record and drops none; "operations"
// is the same with the records that built-in properties need.
func BenchmarkCost(b *testing.B) {
	dir := b.TempDir()
	build := func(name string, args ...string) string {
		exe := filepath.Join(dir, name)
		cmd := exec.Command("go", append(append([]string{"build", "-o", exe}, args...), "./testdata/bench")...)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		return exe
	}
	json, err := overlay()
	if err != nil {
		b.Fatal(err)
	}
	plain, traced := build("plain"), build("traced", "-overlay", json)
	columns := []string{"plain", "off", "traced", "operations"}
	exes := map[string]string{"plain": plain, "off": traced, "traced": traced, "operations": traced}
	if os.Getenv("CGO_ENABLED") != "0" {
		columns = append(columns, "-race")
		exes["-race"] = build("race", "-race")
	}
	var names []string
	results := map[string]map[string]string{}
	records := map[string]float64{}
	for range b.N {
		for _, column := range columns {
			out := ""
			if column == "traced" || column == "operations" {
				r := trace(b, ring.Options{Operations: column == "operations"}, func(*ring.Record) {},
					exec.Command(exes[column]))
				r.ok(b)
				out = r.stdout
				records[column] = float64(r.stats.Records) / r.took.Seconds()
			} else {
				bytes, err := exec.Command(exes[column]).CombinedOutput()
				if err != nil {
					b.Fatalf("%v\n%s", err, bytes)
				}
				out = string(bytes)
			}
			for line := range strings.Lines(out) {
				name, ns, _ := strings.Cut(strings.TrimSpace(line), " ")
				if results[name] == nil {
					results[name] = map[string]string{}
					names = append(names, name)
				}
				results[name][column] = ns
			}
		}
	}
	// a log of b would be cut
	fmt.Printf("\nns/op; %.1f million records/s while traced\n", records["traced"]/1e6)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\t"+strings.Join(columns, "\t")+"\t")
	for _, name := range names {
		fmt.Fprint(w, name, "\t")
		for _, column := range columns {
			fmt.Fprint(w, results[name][column], "\t")
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

// BenchmarkTouch is what accesses to memory cost, each by itself, beside the race detector:
//
//	go test -run - -bench Touch -benchtime 1x ./internal/tracer/instrument/goroot
func BenchmarkTouch(b *testing.B) {
	ours := withMemory(b, "touch", "-gcflags="+InstrumentMemory)
	theirs := filepath.Join(b.TempDir(), "race")
	if out, err := exec.Command("go", "build", "-race", "-o", theirs, "./testdata/touch").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"again", "new", "list", "bytes", "places", "locked"} {
		b.Run(name+"/traced", func(b *testing.B) {
			reportOperation(b, func() (string, error) {
				r := trace(b, ring.Options{Operations: true, Accesses: true}, func(*ring.Record) {},
					exec.Command(ours, name))
				r.ok(b)
				return r.stdout, nil
			})
		})
		b.Run(name+"/race", func(b *testing.B) {
			reportOperation(b, func() (string, error) {
				out, err := exec.Command(theirs, name).Output()
				return string(out), err
			})
		})
	}
}

// reportOperation reports what runs of a program print.
func reportOperation(b *testing.B, run func() (string, error)) {
	sum := 0.0
	for range b.N {
		out, err := run()
		if err != nil {
			b.Fatal(err)
		}
		ns, err := strconv.ParseFloat(strings.TrimSpace(out), 64)
		if err != nil {
			b.Fatal(err)
		}
		sum += ns
	}
	b.ReportMetric(sum/float64(b.N), "ns/op")
}
