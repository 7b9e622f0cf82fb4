package instrument

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/site"
)

// The tables of a build are in its binary as one string:
//
//	mark, newline, identity, newline, length, newline, hash, newline, JSON
//
// The identity names the instrumented code. The agent reports it, and keeps the linker from
// removing the string.
const tableMark = "antichain site tables 1"

// embedTables is the string for a binary.
func embedTables(tables []*site.Table) (string, error) {
	data, err := json.Marshal(tables)
	if err != nil {
		return "", err
	}
	var ids []string
	for _, t := range tables {
		ids = append(ids, t.SpecID)
	}
	sum := sha256.Sum256(data)
	return fmt.Sprintf("%s\n%s\n%d\n%s\n%s", tableMark, strings.Join(ids, ","), len(data), hex.EncodeToString(sum[:]),
		data), nil
}

// ErrNotTraced is wrapped in ReadTables's error for a binary that carries no tables.
var ErrNotTraced = errors.New("not a traced binary: build it with antichain build")

// maxBinary bounds how much of a binary is read, in bytes. Traces, which are untrusted, name the
// binary that wrote them, and code in a larger one could not be linked.
const maxBinary = 2 << 30

// ReadTables returns the site tables that a traced binary carries, one for each
// specification that it was built for. All have the same site ids.
func ReadTables(binary string) ([]*site.Table, error) {
	info, err := os.Stat(binary)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxBinary {
		return nil, fmt.Errorf("%s has %d bytes, more than an executable can have", binary, info.Size())
	}
	f, err := os.Open(binary)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for _, part := range constants(f, info.Size()) {
		data := make([]byte, part.Size())
		if _, err := io.ReadFull(part, data); err != nil {
			return nil, fmt.Errorf("%s: %w", binary, err)
		}
		if tables, ok := findTables(data); ok {
			return tables, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", binary, ErrNotTraced)
}

// constants returns the parts of a file that can contain constants: the sections with data of an
// executable, without the large table of lines. For any other or damaged file it returns the whole.
func constants(f io.ReaderAt, size int64) []*io.SectionReader {
	all := []*io.SectionReader{io.NewSectionReader(f, 0, size)}
	exe, err := elf.NewFile(f)
	if err != nil {
		return all
	}
	var parts []*io.SectionReader
	end, left := uint64(size), uint64(size)
	for _, s := range exe.Sections {
		if s.Type != elf.SHT_PROGBITS || s.Flags&(elf.SHF_ALLOC|elf.SHF_EXECINSTR) != elf.SHF_ALLOC ||
			strings.HasSuffix(s.Name, ".gopclntab") {
			continue
		}
		if s.FileSize > left || s.Offset > end-s.FileSize {
			return all
		}
		left -= s.FileSize
		parts = append(parts, io.NewSectionReader(f, int64(s.Offset), int64(s.FileSize)))
	}
	if len(parts) == 0 { // without a table of sections
		return all
	}
	return parts
}

// findTables returns the first tables in data.
func findTables(data []byte) (tables []*site.Table, ok bool) {
	mark := []byte(tableMark + "\n")
	for {
		i := bytes.Index(data, mark)
		if i < 0 {
			return nil, false
		}
		data = data[i+len(mark):]
		if tables, err := extractTables(data); err == nil {
			return tables, true
		}
	}
}

// extractTables reads the tables after a mark, which may be in a binary for other reasons.
func extractTables(data []byte) ([]*site.Table, error) {
	var head [3]string // identity, length, hash
	for i := range head {
		line, rest, ok := bytes.Cut(data, []byte("\n"))
		if !ok || len(line) > 1<<20 {
			return nil, ErrNotTraced
		}
		head[i], data = string(line), rest
	}
	n, err := strconv.Atoi(head[1])
	if err != nil || n < 0 || n > len(data) {
		return nil, ErrNotTraced
	}
	if sum := sha256.Sum256(data[:n]); hex.EncodeToString(sum[:]) != head[2] {
		return nil, ErrNotTraced
	}
	var tables []*site.Table
	err = json.Unmarshal(data[:n], &tables)
	return tables, err
}

// PackageOf returns the path of a binary's package: its main package, or the package of the tests
// in it.
func PackageOf(binary string) (string, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return "", err
	}
	return packageOf(info), nil
}

func packageOf(info *buildinfo.BuildInfo) string { return strings.TrimSuffix(info.Path, ".test") }

// TableOf returns the table of a traced binary for its package (PackageOf). A binary without traced
// functions and variables has a table without sites.
func TableOf(binary string) (*site.Table, error) {
	tables, err := ReadTables(binary)
	if err != nil && !errors.Is(err, ErrNotTraced) {
		return nil, err
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	path := packageOf(info)
	if len(tables) == 1 && !strings.HasSuffix(info.Path, ".test") {
		return tables[0], nil
	}
	for _, t := range tables {
		if t.Package == path {
			return t, nil
		}
	}
	return &site.Table{Package: path}, nil
}
