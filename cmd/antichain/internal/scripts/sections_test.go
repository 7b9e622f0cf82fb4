package scripts

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// sections is the script command "sections N FILE": it writes the trace of N goroutines that do not
// wait for each other, and go through a section c 10 times, in 50 events each. There are 51^N
// global states.
func sections(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sections N FILE")
	}
	tasks, err := strconv.Atoi(args[0])
	ts.Check(err)
	var names []string
	for t := range tasks {
		names = append(names, fmt.Sprintf("%q", fmt.Sprint("t", t)))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"antichain":1,"tasks":[%s]}`+"\n", strings.Join(names, ","))
	for range 10 {
		for _, event := range []string{`"enter":"c"`, `"op":"work"`, `"exit":"c"`, `"op":"rest"`, `"op":"rest"`} {
			for _, t := range names {
				fmt.Fprintf(&b, `{"t":%s,%s}`+"\n", t, event)
			}
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o666))
}
