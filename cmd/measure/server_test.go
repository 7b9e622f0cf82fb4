//go:build unix

package main

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestServerRows(t *testing.T) {
	m := &servedLoad{row: row{"http", "net/http", 1000}, ways: []serverWay{{name: "plain"}, {name: "traced", target: 1.5}, {name: "live", target: 1.5}}}
	for _, slower := range []float64{1, 1.25, 2} {
		m.samples = append(m.samples, []sample{{own: 20e3 * slower, cpu: 15e3 * slower, served: served{p99: 1e6 * slower, client: 20e3, requests: 2000}}})
	}
	m.samples[2][0].watched, m.samples[2][0].served.meanwhile = 0.03, 0.01
	printed := new(tableText)
	m.rows(printed)
	want := `| net/http | plain | 20.0 | 1.00 | 1.00 | 1.00 | 15.0 | 20.0 | 0.00 | 1.00 | 0.00 | - |  |
|  | traced | 25.0 | 1.25 | 1.25 | 1.25 | 18.8 | 20.0 | 0.00 | 1.11 | 0.00 | ≤ 1.50 | yes |
|  | live | 40.0 | 2.00 | 2.00 | 2.00 | 30.0 | 20.0 | 5.00 | 1.57 | 10.0 | ≤ 1.50 | no |
`
	if diff := cmp.Diff(want, printed.String()); diff != "" {
		t.Error(diff)
	}
}

func TestSampleRead(t *testing.T) {
	var s sample
	begun, ended, err := s.read(strings.NewReader("begun 5000000000\nns/op 2.50\np99 7\nserved 7000000000\ncpu/op 1e3\n"))
	if err != nil || !begun.Equal(time.Unix(5, 0)) || !ended.Equal(time.Unix(7, 0)) || s != (sample{own: 2.5, cpu: 1000, served: served{p99: 7}}) {
		t.Errorf("%v %v %+v, %v", begun, ended, s, err)
	}
	for _, text := range []string{"", "ns/op 1\n", "begun 1\n", "begun 1.5\nns/op 1\n", "begun 1\nns/op\n", "begun 1\nns/op x\n", "begun 1\nns/op 1\nwhat 2\n",
		"begun 1\nns/op 1\nwhat is this\n"} {
		if _, _, err := new(sample).read(strings.NewReader(text)); err == nil {
			t.Errorf("%q has no error", text)
		}
	}
}

func TestSeenBetween(t *testing.T) {
	at := func(second int64, cpu float64) usedUntil { return usedUntil{time.Unix(second, 0), cpu} }
	s := seen{used: []usedUntil{at(1, 0.5), at(2, 0.75), at(4, 1), at(8, 3)}}
	for _, tt := range []struct {
		from, to int64
		want     float64
	}{{0, 9, 3}, {1, 9, 2.5}, {3, 9, 2.25}, {3, 5, 0.25}, {5, 7, 0}, {9, 10, 0}} {
		if got := s.between(time.Unix(tt.from, 0), time.Unix(tt.to, 0)); got != tt.want {
			t.Errorf("from %d to %d: %v, want %v", tt.from, tt.to, got, tt.want)
		}
	}
	if got := (seen{}).between(time.Unix(0, 0), time.Unix(9, 0)); got != 0 {
		t.Errorf("nothing was seen: %v", got)
	}
}

// Both servers, in all ways, with few requests.
func TestServer(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("tracing needs Linux")
	}
	if testing.Short() {
		t.Skip("builds with -race")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("go build -race needs a C compiler: ", err)
	}
	cached := exec.Command("go", "list", "-deps", ".")
	cached.Dir, cached.Env = "testdata/server", append(os.Environ(), "GOPROXY=off")
	if out, err := cached.CombinedOutput(); err != nil {
		t.Skipf("gRPC is not in the module cache: %v\n%s", err, out)
	}
	b, err := newServerBench()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.remove)
	for _, r := range serverRows {
		r.n = 160
		m, err := b.serve(r, 1)
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		for i, w := range m.ways {
			s := m.samples[i][0]
			if s.own <= 0 || s.served.p99 <= 0 || s.cpu <= 0 || s.served.client <= 0 || s.served.requests < 160 || s.total <= 0 {
				t.Errorf("%s, %s: %+v", r.name, w.name, s)
			}
			if traced := w.said != ""; traced != (s.watched > 0) {
				t.Errorf("%s, %s: %v seconds of antichain", r.name, w.name, s.watched)
			}
		}
	}
}
