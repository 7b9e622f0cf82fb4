package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"container/heap"
	"container/list"
	"container/ring"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/gob"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/big"
	"math/rand"
	randv2 "math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"text/template"
	"time"
)

// Races that are inside of the standard library, as the program uses what it has there from two goroutines.

// first returns the first of two results.
func first[T, U any](v T, _ U) T { return v }

type coordinates struct{ X, Y int }

type numbers struct{ list []int }

func (n *numbers) Len() int           { return len(n.list) } // race
func (n *numbers) Less(i, j int) bool { return n.list[i] < n.list[j] }
func (n *numbers) Swap(i, j int)      { n.list[i], n.list[j] = n.list[j], n.list[i] }
func (n *numbers) Push(v any)         { n.list = append(n.list, v.(int)) } // race
func (n *numbers) Pop() any           { return nil }

func racyLibraryBuilder() {
	var b strings.Builder
	both(func() {
		b.WriteString("a") // race
	}, func() {
		pause()
		use(b.String()) // race
	})
}

func cleanLibraryBuilder() {
	var mu sync.Mutex
	var b strings.Builder
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		b.WriteString("a")
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(b.String())
	})
}

func racyLibraryBuffer() {
	var b bytes.Buffer
	both(func() {
		b.WriteString("a") // race
	}, func() {
		pause()
		use(b.String()) // race
	})
}

func cleanLibraryBuffer() {
	var mu sync.Mutex
	var b bytes.Buffer
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		b.WriteString("a")
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(b.String())
	})
}

func racyLibraryBufferRead() {
	b := bytes.NewBufferString("abc")
	both(func() {
		use(first(b.ReadByte())) // race
	}, func() {
		pause()
		b.Truncate(1) // race
	})
}

func cleanLibraryBufferRead() {
	var mu sync.Mutex
	b := bytes.NewBufferString("abc")
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(first(b.ReadByte()))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		b.Truncate(1)
	})
}

func racyLibraryWriter() {
	w := bufio.NewWriter(io.Discard)
	both(func() {
		use(first(w.WriteString("a"))) // race
	}, func() {
		pause()
		use(w.Flush()) // race
	})
}

func cleanLibraryWriter() {
	var mu sync.Mutex
	w := bufio.NewWriter(io.Discard)
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(first(w.WriteString("a")))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(w.Flush())
	})
}

func racyLibraryScanner() {
	s := bufio.NewScanner(strings.NewReader("a\nb\n"))
	both(func() {
		use(s.Scan()) // race
	}, func() {
		pause()
		use(s.Text()) // race
	})
}

func cleanLibraryScanner() {
	var mu sync.Mutex
	s := bufio.NewScanner(strings.NewReader("a\nb\n"))
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(s.Scan())
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(s.Text())
	})
}

func racyLibraryReader() {
	r := strings.NewReader("abc")
	both(func() {
		use(first(r.ReadByte())) // race
	}, func() {
		pause()
		use(r.Len()) // race
	})
}

func cleanLibraryReader() {
	var mu sync.Mutex
	r := strings.NewReader("abc")
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(first(r.ReadByte()))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(r.Len())
	})
}

func racyLibraryList() {
	l := list.New()
	both(func() {
		use(l.PushBack(1)) // race
	}, func() {
		pause()
		use(l.Len()) // race
	})
}

func cleanLibraryList() {
	var mu sync.Mutex
	l := list.New()
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(l.PushBack(1))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(l.Len())
	})
}

func racyLibraryHeap() {
	h := new(numbers)
	both(func() {
		heap.Push(h, 1) // race
	}, func() {
		pause()
		use(h.Len()) // race
	})
}

func cleanLibraryHeap() {
	var mu sync.Mutex
	h := new(numbers)
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		heap.Push(h, 1)
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(h.Len())
	})
}

func racyLibraryRing() {
	r := ring.New(3)
	both(func() {
		use(r.Unlink(1)) // race
	}, func() {
		pause()
		use(r.Next()) // race
	})
}

func cleanLibraryRing() {
	var mu sync.Mutex
	r := ring.New(3)
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(r.Unlink(1))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(r.Next())
	})
}

func racyLibraryRand() {
	r := rand.New(rand.NewSource(1))
	both(func() {
		use(r.Int()) // race
	}, func() {
		pause()
		use(r.Int()) // race
	})
}

func cleanLibraryRand() {
	var mu sync.Mutex
	r := rand.New(rand.NewSource(1))
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(r.Int())
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(r.Int())
	})
}

func racyLibraryPCG() {
	r := randv2.New(randv2.NewPCG(1, 2))
	both(func() {
		use(r.Uint64()) // race
	}, func() {
		pause()
		use(r.Uint64()) // race
	})
}

func cleanLibraryPCG() {
	var mu sync.Mutex
	r := randv2.New(randv2.NewPCG(1, 2))
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(r.Uint64())
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(r.Uint64())
	})
}

func racyLibraryEncoder() {
	e := json.NewEncoder(io.Discard)
	both(func() {
		e.SetIndent("", " ") // race
	}, func() {
		pause()
		use(e.Encode(1)) // race
	})
}

func cleanLibraryEncoder() {
	var mu sync.Mutex
	e := json.NewEncoder(io.Discard)
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		e.SetIndent("", " ")
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(e.Encode(1))
	})
}

func racyLibraryMarshal() {
	p := &coordinates{X: 1}
	both(func() {
		p.X = 2 // race
	}, func() {
		pause()
		use(first(json.Marshal(p))) // race
	})
}

func cleanLibraryMarshal() {
	var mu sync.Mutex
	p := &coordinates{X: 1}
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		p.X = 2
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(first(json.Marshal(p)))
	})
}

func racyLibraryUnmarshal() {
	p := &coordinates{X: 1}
	both(func() {
		use(json.Unmarshal([]byte(`{"X":3}`), p)) // race
	}, func() {
		pause()
		use(p.X) // race
	})
}

func cleanLibraryUnmarshal() {
	var mu sync.Mutex
	p := &coordinates{X: 1}
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(json.Unmarshal([]byte(`{"X":3}`), p))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(p.X)
	})
}

func racyLibraryPrint() {
	p := &coordinates{X: 1}
	both(func() {
		p.Y = 2 // race
	}, func() {
		pause()
		use(fmt.Sprint(p)) // race
	})
}

func cleanLibraryPrint() {
	var mu sync.Mutex
	p := &coordinates{X: 1}
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		p.Y = 2
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(fmt.Sprint(p))
	})
}

func racyLibraryReflect() {
	p := &coordinates{X: 1}
	both(func() {
		reflect.ValueOf(p).Elem().Field(0).SetInt(2) // race
	}, func() {
		pause()
		use(reflect.ValueOf(p).Elem().Field(0).Int()) // race
	})
}

func cleanLibraryReflect() {
	var mu sync.Mutex
	p := &coordinates{X: 1}
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		reflect.ValueOf(p).Elem().Field(0).SetInt(2)
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(reflect.ValueOf(p).Elem().Field(0).Int())
	})
}

func racyLibraryGob() {
	p := &coordinates{X: 1}
	both(func() {
		p.X = 2 // race
	}, func() {
		pause()
		use(gob.NewEncoder(io.Discard).Encode(p)) // race
	})
}

func cleanLibraryGob() {
	var mu sync.Mutex
	p := &coordinates{X: 1}
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		p.X = 2
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(gob.NewEncoder(io.Discard).Encode(p))
	})
}

func racyLibraryHeader() {
	h := http.Header{}
	both(func() {
		h.Set("A", "b") // race
	}, func() {
		pause()
		use(h.Get("A")) // race
	})
}

func cleanLibraryHeader() {
	var mu sync.Mutex
	h := http.Header{}
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		h.Set("A", "b")
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(h.Get("A"))
	})
}

func racyLibraryValues() {
	v := url.Values{}
	both(func() {
		v.Add("a", "b") // race
	}, func() {
		pause()
		use(v.Encode()) // race
	})
}

func cleanLibraryValues() {
	var mu sync.Mutex
	v := url.Values{}
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		v.Add("a", "b")
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(v.Encode())
	})
}

func racyLibraryTemplate() {
	t := template.Must(template.New("t").Parse("{{.}}"))
	both(func() {
		use(t.Delims("<", ">")) // race
	}, func() {
		pause()
		use(first(t.Parse("<.>"))) // race
	})
}

func cleanLibraryTemplate() {
	var mu sync.Mutex
	t := template.Must(template.New("t").Parse("{{.}}"))
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(t.Delims("<", ">"))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(first(t.Parse("<.>")))
	})
}

func racyLibraryRegexp() {
	r := regexp.MustCompile("a+|b")
	both(func() {
		r.Longest() // race
	}, func() {
		pause()
		use(r.MatchString("xaa")) // race
	})
}

func cleanLibraryRegexp() {
	var mu sync.Mutex
	r := regexp.MustCompile("a+|b")
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		r.Longest()
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(r.MatchString("xaa"))
	})
}

func racyLibraryHash() {
	h := sha256.New()
	both(func() {
		use(first(h.Write([]byte("a")))) // race
	}, func() {
		pause()
		use(h.Sum(nil)) // race
	})
}

func cleanLibraryHash() {
	var mu sync.Mutex
	h := sha256.New()
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(first(h.Write([]byte("a"))))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(h.Sum(nil))
	})
}

func racyLibraryFNV() {
	h := fnv.New64()
	both(func() {
		use(first(h.Write([]byte("a")))) // race
	}, func() {
		pause()
		use(h.Sum64()) // race
	})
}

func cleanLibraryFNV() {
	var mu sync.Mutex
	h := fnv.New64()
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(first(h.Write([]byte("a"))))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(h.Sum64())
	})
}

func racyLibraryCSV() {
	w := csv.NewWriter(io.Discard)
	both(func() {
		use(w.Write([]string{"a"})) // race
	}, func() {
		pause()
		w.Flush() // race
	})
}

func cleanLibraryCSV() {
	var mu sync.Mutex
	w := csv.NewWriter(io.Discard)
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(w.Write([]string{"a"}))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		w.Flush()
	})
}

func racyLibraryGzip() {
	w := gzip.NewWriter(io.Discard)
	both(func() {
		use(first(w.Write([]byte("a")))) // race
	}, func() {
		pause()
		use(w.Close()) // race
	})
}

func cleanLibraryGzip() {
	var mu sync.Mutex
	w := gzip.NewWriter(io.Discard)
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(first(w.Write([]byte("a"))))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(w.Close())
	})
}

func racyLibraryBig() {
	n := big.NewInt(1)
	both(func() {
		use(n.Add(n, big.NewInt(2))) // race
	}, func() {
		pause()
		use(n.String()) // race
	})
}

func cleanLibraryBig() {
	var mu sync.Mutex
	n := big.NewInt(1)
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(n.Add(n, big.NewInt(2)))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(n.String())
	})
}

func racyLibrarySort() {
	s := []int{3, 1, 2}
	both(func() {
		slices.Sort(s) // race
	}, func() {
		pause()
		use(slices.Contains(s, 4)) // race
	})
}

func cleanLibrarySort() {
	var mu sync.Mutex
	s := []int{3, 1, 2}
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		slices.Sort(s)
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(slices.Contains(s, 4))
	})
}

func racyLibrarySortSlice() {
	s := []string{"b", "a"}
	both(func() {
		sort.Slice(s, func(i, j int) bool { return s[i] < s[j] }) // race
	}, func() {
		pause()
		use(strings.Join(s, ",")) // race
	})
}

func cleanLibrarySortSlice() {
	var mu sync.Mutex
	s := []string{"b", "a"}
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		sort.Slice(s, func(i, j int) bool { return s[i] < s[j] })
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(strings.Join(s, ","))
	})
}

func racyLibraryMaps() {
	m := map[string]int{"a": 1}
	both(func() {
		maps.Copy(m, map[string]int{"b": 2}) // race
	}, func() {
		pause()
		use(slices.Collect(maps.Keys(m))) // race
	})
}

func cleanLibraryMaps() {
	var mu sync.Mutex
	m := map[string]int{"a": 1}
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		maps.Copy(m, map[string]int{"b": 2})
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(slices.Collect(maps.Keys(m)))
	})
}

func racyLibraryScan() {
	n := 0
	both(func() {
		use(first(fmt.Sscan("3", &n))) // race
	}, func() {
		pause()
		use(strconv.Itoa(n)) // race
	})
}

func cleanLibraryScan() {
	var mu sync.Mutex
	n := 0
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(first(fmt.Sscan("3", &n)))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(strconv.Itoa(n))
	})
}

func racyLibraryBinary() {
	b := make([]byte, 8)
	both(func() {
		binary.LittleEndian.PutUint64(b, 1) // race
	}, func() {
		pause()
		use(binary.LittleEndian.Uint64(b)) // race
	})
}

func cleanLibraryBinary() {
	var mu sync.Mutex
	b := make([]byte, 8)
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		binary.LittleEndian.PutUint64(b, 1)
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(binary.LittleEndian.Uint64(b))
	})
}

func racyLibraryTabwriter() {
	w := tabwriter.NewWriter(io.Discard, 0, 1, 1, ' ', 0)
	both(func() {
		use(first(w.Write([]byte("a\tb")))) // race
	}, func() {
		pause()
		use(w.Flush()) // race
	})
}

func cleanLibraryTabwriter() {
	var mu sync.Mutex
	w := tabwriter.NewWriter(io.Discard, 0, 1, 1, ' ', 0)
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(first(w.Write([]byte("a\tb"))))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(w.Flush())
	})
}

func racyLibraryFlag() {
	f := flag.NewFlagSet("", flag.ContinueOnError)
	both(func() {
		use(f.Int("n", 1, "")) // race
	}, func() {
		pause()
		use(f.Lookup("n")) // race
	})
}

func cleanLibraryFlag() {
	var mu sync.Mutex
	f := flag.NewFlagSet("", flag.ContinueOnError)
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(f.Int("n", 1, ""))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(f.Lookup("n"))
	})
}

func racyLibraryTime() {
	t := time.Now()
	both(func() {
		use(t.UnmarshalText([]byte("2024-01-02T03:04:05Z"))) // race
	}, func() {
		pause()
		use(t.Year()) // race
	})
}

func cleanLibraryTime() {
	var mu sync.Mutex
	t := time.Now()
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		use(t.UnmarshalText([]byte("2024-01-02T03:04:05Z")))
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(t.Year())
	})
}

func racyLibraryTimer() {
	t := time.NewTimer(time.Hour)
	both(func() {
		t.C = nil // race
	}, func() {
		pause()
		use(t.C) // race
	})
}

func cleanLibraryTimer() {
	var mu sync.Mutex
	t := time.NewTimer(time.Hour)
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		t.C = nil
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		use(t.C)
	})
}
