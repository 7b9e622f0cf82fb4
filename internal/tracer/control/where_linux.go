package control

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// whereName is the name of the socket on which the checker of a program says where its goroutines
// stand. It lies beside the ring.
const whereName = "where"

// Serve lets other processes ask where the goroutines of a program stand, until the result is
// closed. dir is the directory of the program's ring; its path may be longer than an address of a
// socket. answer writes the answer to a question, and closes its argument.
func Serve(dir string, answer func(io.WriteCloser)) (io.Closer, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: addressIn(d), Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false) // the directory is removed
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			answer(conn)
		}
	}()
	return l, nil
}

// addressIn is the address of the socket in an open directory.
func addressIn(dir *os.File) string { return fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), whereName) }

// Where copies to w what the checker of a process answers.
func Where(ctx context.Context, pid int, w io.Writer) error {
	path, err := ringOf(pid)
	if err != nil {
		return err
	}
	if err := checkOwner(path, unix.S_IFDIR); err != nil {
		return err
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	conn, err := new(net.Dialer).DialContext(ctx, "unix", addressIn(dir))
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ECONNREFUSED) {
		return fmt.Errorf("process %d: the antichain that traces it does not check stuck, and does not know where "+
			"goroutines stand", pid)
	}
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	n, err := io.Copy(w, conn)
	if n == 0 && err == nil {
		err = fmt.Errorf("process %d has ended", pid)
	}
	return err
}

// WhereBelow copies to w what the checkers of all traced processes answer that a process has
// started, directly or not, and returns how many these are.
func WhereBelow(ctx context.Context, pid int, w io.Writer) (answers int) {
	for _, child := range childrenOf(pid) {
		var answer bytes.Buffer
		if err := Where(ctx, child, &answer); err == nil { // else it is not traced, or has ended
			answers++
			name, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", child))
			fmt.Fprintf(w, "antichain: process %d, %s:\n%s", child, filepath.Base(name), &answer)
		}
		answers += WhereBelow(ctx, child, w)
	}
	return answers
}

func childrenOf(pid int) (children []int) {
	// The pattern is right.
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, thread := range threads {
		text, _ := os.ReadFile(thread) // empty if the thread has ended
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}

// ringOf returns the directory of the ring that a process writes into.
func ringOf(pid int) (string, error) {
	files, err := sharedBy(pid)
	if err != nil {
		return "", err
	}
	for _, f := range files {
		if dir := filepath.Dir(f.path); strings.HasPrefix(filepath.Base(dir), "antichain-") {
			return dir, nil
		}
	}
	return "", fmt.Errorf("process %d is not traced by a running antichain, and writes no trace: see ANTICHAIN_TRACE "+
		"in antichain help build", pid)
}

// TraceOf returns the path of the trace that a process writes without a consumer, "" if it writes
// none.
func TraceOf(pid int) (string, error) {
	files, err := sharedBy(pid)
	if err != nil {
		return "", err
	}
	for _, f := range files {
		if f.isTrace() {
			return f.path, nil
		}
	}
	return "", nil
}

// sharedFile is a file that a process has mapped, shared with other processes.
type sharedFile struct {
	path  string
	inode uint64
}

// isTrace reports whether a program writes its trace into the file, which has not moved since it
// was mapped.
func (s *sharedFile) isTrace() bool {
	f, err := os.OpenFile(s.path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	var st unix.Stat_t
	if unix.Fstat(int(f.Fd()), &st) != nil || st.Ino != s.inode || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return false
	}
	head := make([]byte, ring.HeaderSize)
	_, err = io.ReadFull(f, head)
	return err == nil && ring.IsFile(head) && binary.LittleEndian.Uint32(head[ring.OffMode:]) == ring.ModeAppend
}

// sharedBy returns the files that a process has mapped shared, and may write.
func sharedBy(pid int) (files []sharedFile, err error) {
	maps, err := os.Open(fmt.Sprintf("/proc/%d/maps", pid))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no process %d", pid)
	}
	if err != nil {
		return nil, err
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		// address permissions offset device inode, and then a path, which may have spaces
		f := strings.Fields(lines.Text())
		const permissions, inode, path = 1, 4, 5
		if len(f) <= path || f[permissions] != "rw-s" {
			continue
		}
		number, _ := strconv.ParseUint(f[inode], 10, 64) // 0 is that of no file
		if at := strings.Index(lines.Text(), " /"); at >= 0 {
			files = append(files, sharedFile{lines.Text()[at+1:], number})
		}
	}
	return files, nil
}
