// Command logsink collects the log lines of several workers in memory.
package main

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// lockedWriter lets several goroutines write.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// Logger writes lines with a prefix.
type Logger struct {
	prefix string
	out    io.Writer
}

// Printf writes one line.
func (l *Logger) Printf(format string, args ...any) {
	line := fmt.Appendf(nil, l.prefix+format+"\n", args...)
	l.out.Write(line)
}

// With returns a logger for a part of the program.
func (l *Logger) With(name string) *Logger {
	return &Logger{prefix: l.prefix + name + ": ", out: l.out}
}

func work(id int, log *Logger) {
	log.Printf("start")
	sum := 0
	for i := range 100 * id {
		sum += i
	}
	log.Printf("sum %d", sum)
}

func main() {
	var buffer bytes.Buffer
	root := &Logger{out: &lockedWriter{w: &buffer}}
	var workers sync.WaitGroup
	for id := range 3 {
		workers.Go(func() { work(id, root.With(fmt.Sprint("worker ", id))) })
	}
	workers.Wait()
	fmt.Println(bytes.Count(buffer.Bytes(), []byte("\n")), "lines")
}
