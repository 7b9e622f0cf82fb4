package event

import (
	"fmt"
	"strings"
	"testing"
)

// TestManyOfEverything has events so large, nearly as a line may be, that anything quadratic
// runs into the test's own timeout.
func TestManyOfEverything(t *testing.T) {
	n := 500_000
	if testing.Short() { // the race detector makes it slow
		n = 20_000
	}
	list := func(format string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	tests := []struct{ name, line, want string }{
		{"set and global", `"set":{` + list(`"x%d":1`) + `},"global":{` + list(`"y%d":1`) + `}`, ""},
		{"one in set and global", `"set":{` + list(`"x%d":1`) + `},"global":{` + list(`"y%d":1`) + `,"x77":1}`,
			`"x77" is in both`},
		{"unknown keys", list(`"x%d":1`), ""},
		{"unknown key twice", list(`"x%d":1`) + `,"x77":1`, `"x77" stands twice`},
		{"fields", `"set":{"x":{` + list(`"x%d":1`) + `}}`, ""},
		{"field twice", `"set":{"x":{` + list(`"x%d":1`) + `,"x77":1}}`, `"x77" stands twice`},
		{"references", `"after":[` + list(`["x%d",1]`) + `],"with":[` + list(`["y%d",1]`) + `]`, ""},
		{"after a side", `"after":[` + list(`["x%d",1]`) + `,["y77",1]],"with":[` + list(`["y%d",1]`) + `]`,
			`another side`},
		{"two of one task", `"with":[` + list(`["y%d",1]`) + `,["y77",2]]`, `two events of task "y77"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, es, err := readAll([]byte(plainHeader + `{"t":"a",` + tt.line + "}\n"))
			if err == nil && (tt.want != "" || len(es) != 1) || err != nil &&
				(tt.want == "" || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}
