//go:build linux

package launch

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
)

// The test binary is also the traced program: with helperEnv set it runs a helper
// instead of the tests, which writes records as the hooks would.
const helperEnv = "LAUNCH_TEST_HELPER"

var helpers = map[string]func(*producer){
	"untraced": func(*producer) { os.Exit(5) },
	"empty":    func(p *producer) { p.claim() },
	"records": func(p *producer) {
		p.claim()
		for i := range 1000 {
			p.put(ring.KindGo, 1, uint64(i+2))
		}
		os.Exit(3)
	},
	"killed": func(p *producer) {
		p.claim()
		p.put(ring.KindGo, 1, 2)
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	},
	"lost": func(p *producer) {
		p.claim()
		binary.LittleEndian.PutUint64(p.mem[ring.OffLost:], 7)
	},
	"scribbled": func(p *producer) {
		p.claim()
		p.put(ring.KindGo, 1, 2)
		p.put(ring.KindGo, 99, 3)
	},
	"streams": func(p *producer) {
		p.claim()
		var in [100]byte
		n, _ := os.Stdin.Read(in[:])
		fmt.Print("out:", string(in[:n]), ":", strings.Join(os.Args[1:], ","), ":", os.Getenv("LAUNCH_TEST_VALUE"))
		fmt.Fprint(os.Stderr, "err")
		dir, _ := os.Getwd()
		fmt.Print(":", dir)
	},
	// One record, then the rest when the file named by the argument appears.
	"live": func(p *producer) {
		p.claim()
		p.put(ring.KindGo, 1, 2)
		for {
			if _, err := os.Stat(os.Args[1]); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		p.put(ring.KindGo, 1, 3)
	},
	"signals": func(p *producer) {
		p.claim()
		c := make(chan os.Signal, 10)
		signal.Notify(c, syscall.SIGUSR1, syscall.SIGTERM, syscall.SIGINT)
		p.put(ring.KindGo, 1, 2) // ready
		fmt.Print("ready")
		for sig := range c {
			fmt.Print("<", sig, ">")
			if sig == syscall.SIGTERM {
				break
			}
		}
	},
	"sleep": func(p *producer) {
		p.claim()
		p.put(ring.KindGo, 1, 2)
		time.Sleep(time.Hour)
	},
	// Goroutines without end, as long as it is traced; it waits for room.
	"endless": func(p *producer) {
		p.claim()
		for ctx := uint64(2); atomic.LoadUint32((*uint32)(unsafe.Pointer(&p.mem[ring.OffFlags])))&ring.FlagOn != 0; {
			if *p.word(ring.OffProd) == atomic.LoadUint64(p.word(ring.OffCons))+
				binary.LittleEndian.Uint64(p.mem[ring.OffSlots:]) {
				time.Sleep(100 * time.Microsecond)
				continue
			}
			p.put(ring.KindGo, 1, ctx)
			ctx++
		}
	},
	"launcher": func(*producer) { launchAndWait("sleep", true) },
	"terminal": func(*producer) { launchAndWait("signals", false) },
}

func TestMain(m *testing.M) {
	if name := os.Getenv(helperEnv); name != "" {
		os.Unsetenv(helperEnv)
		helpers[name](attach())
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// producer writes to a ring from one goroutine, never more than fits.
type producer struct {
	mem  []byte
	next uint64
}

func attach() *producer {
	path := os.Getenv(ring.EnvRing)
	if path == "" {
		return nil
	}
	return &producer{mem: mapRing(path)}
}

func mapRing(path string) []byte {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		panic(err)
	}
	mem, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	return mem
}

func (p *producer) word(off int) *uint64 { return (*uint64)(unsafe.Pointer(&p.mem[off])) }

func (p *producer) claim() {
	binary.LittleEndian.PutUint32(p.mem[ring.OffPID:], uint32(os.Getpid()))
}

func (p *producer) put(kind ring.Kind, ctx, addr uint64) {
	atomic.AddUint64(p.word(ring.OffProd), 1)
	slots := binary.LittleEndian.Uint64(p.mem[ring.OffSlots:])
	at := ring.HeaderSize + int(p.next%slots)*ring.SlotSize
	binary.LittleEndian.PutUint64(p.mem[at+ring.OffWord:], uint64(kind)<<ring.KindShift|ctx)
	binary.LittleEndian.PutUint64(p.mem[at+ring.OffAddr:], addr)
	p.next++
	atomic.StoreUint64(p.word(at), p.next)
}

// launchAndWait is a checker in a process of its own.
func launchAndWait(helper string, tell bool) {
	r, err := Start(context.Background(), Config{
		Binary: self(), Env: append(os.Environ(), helperEnv+"="+helper), Table: new(site.Table),
	})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if tell {
		fmt.Println(r.dir)
		fmt.Println(r.PID())
	}
	if _, err := r.Wait(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
