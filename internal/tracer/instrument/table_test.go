package instrument

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/site"
)

func TestReadTables(t *testing.T) {
	text, err := embedTables([]*site.Table{{Package: "p", SpecID: "1"},
		{Package: "q", SpecID: "2", Sites: []site.Site{{Kind: site.Enter, Func: "f"}}}})
	if err != nil {
		t.Fatal(err)
	}
	damaged := strings.Replace(text, `"f"`, `"g"`, 1)
	for _, tt := range []struct{ name, content, want string }{
		{"alone", text, "p q"},
		{"behind another mark and a damaged table", "x" + tableMark + "\n" + damaged + "\x00" + text + "\xff", "p q"},
		{"damaged", damaged, ""},
		{"cut", text[:len(text)-1], ""},
		{"no table", "ELF", ""},
		{"mark alone", tableMark + "\n", ""},
		{"negative length", tableMark + "\n\n-1\n\n", ""},
	} {
		path := filepath.Join(t.TempDir(), "binary")
		if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
			t.Fatal(err)
		}
		tables, err := ReadTables(path)
		if tt.want == "" {
			if !errors.Is(err, ErrNotTraced) {
				t.Errorf("%s: %d tables, error %v", tt.name, len(tables), err)
			}
			continue
		}
		if err != nil || len(tables) != 2 || tables[0].Package+" "+tables[1].Package != tt.want {
			t.Errorf("%s: %v, %v", tt.name, tables, err)
		}
	}
}

// A trace can name any file as the binary that wrote it.
func TestReadTablesOfHugeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "binary")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, maxBinary+1); err != nil {
		t.Skip("the file system has no files with holes:", err)
	}
	if _, err := ReadTables(path); err == nil || !strings.Contains(err.Error(), "more than an executable can have") {
		t.Error(err)
	}
}

func FuzzExtractTables(f *testing.F) {
	text, err := embedTables([]*site.Table{{Package: "p"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(strings.TrimPrefix(text, tableMark+"\n")))
	f.Add([]byte("1\n5\nff\n[]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tables, err := extractTables(data)
		if err != nil && tables != nil {
			t.Error("tables and an error")
		}
	})
}

func FuzzSplitQuoted(f *testing.F) {
	f.Add(`-a '-b c' "d'e"`)
	f.Add("'")
	f.Fuzz(func(t *testing.T, text string) {
		fields, err := splitQuoted(text)
		if err != nil {
			return
		}
		quoted, err := quoteFields(fields)
		if err != nil {
			return
		}
		again, err := splitQuoted(quoted)
		if err != nil || strings.Join(again, "\x00") != strings.Join(fields, "\x00") {
			t.Errorf("%q -> %q -> %q -> %q, %v", text, fields, quoted, again, err)
		}
	})
}
