package workload

import "github.com/antichain-go/antichain/internal/tracer/ring"

// Requests makes the records of a Go server without end: the goroutine of a connection lives on,
// and starts one for every request, as net/http does to read ahead.
type Requests struct {
	Feed func(*ring.Record)

	served uint64
}

// Contexts and addresses of a server.
const (
	RequestsMain = 1  // the context of its main goroutine
	RequestsConn = 10 // and of the first one of a connection

	RequestsConns = 8 // connections

	requestsFirst = 100 // context
	requestsTotal = 1 << 12
	requestsDone  = 1 << 16
)

// Do feeds a record at the place of its kind and operation.
func (s *Requests) Do(ctx uint64, kind ring.Kind, does, addr, aux uint64) {
	s.Feed(&ring.Record{Kind: kind, Ctx: ctx, Addr: addr, Aux: aux, Arg: does,
		PC: [ring.PCs]uint64{1<<20 + uint64(kind)<<8 + does}})
}

// Lock feeds that a mutex is locked.
func (s *Requests) Lock(ctx, addr uint64) { s.Do(ctx, ring.KindAcquire, ring.OpLock, addr, addr) }

// Unlock feeds that a mutex is unlocked.
func (s *Requests) Unlock(ctx, addr uint64) { s.Do(ctx, ring.KindRelease, ring.OpUnlock, addr, addr) }

// Begin has main start the connections.
func (s *Requests) Begin() {
	for c := range uint64(RequestsConns) {
		s.Do(RequestsMain, ring.KindGo, 0, RequestsConn+c, 1000)
	}
}

// Serve has a connection answer a request. does, unless nil, is called for what else its goroutine
// does, with a channel that is there as long as the request is.
func (s *Requests) Serve(does func(ctx, done uint64)) {
	conn := RequestsConn + s.served%RequestsConns
	ctx, done := requestsFirst+s.served, requestsDone+s.served%1000*128
	s.served++
	s.Do(conn, ring.KindMakeChan, 0, done, 2)
	s.Do(conn, ring.KindGo, 0, ctx, 2000)
	s.Lock(conn, requestsTotal)
	s.Unlock(conn, requestsTotal)
	s.Lock(ctx, requestsTotal+64*(1+conn))
	s.Unlock(ctx, requestsTotal+64*(1+conn))
	if does != nil {
		does(ctx, done)
	}
	s.Do(ctx, ring.KindSend, 0, done, 0)
	s.Do(ctx, ring.KindEnd, 0, 0, 0)
	s.Do(conn, ring.KindRecv, 0, done, 0)
	s.Do(0, ring.KindFree, 0, done, 96)
}
