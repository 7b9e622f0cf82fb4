package wire

// portion is the number of bytes of records that a request asks for, or has. On a line too slow for
// it within the request's deadline there would never be progress, so it is halved whenever a
// request has timed out, and doubled after each success.
type portion struct {
	now, most int
}

// leastPortion is fast enough for lines of 8 kB/s; a batch is never divided, though.
const leastPortion = 64 << 10

func newPortion(most int) portion { return portion{most, most} }

// adapt notes the outcome of a request.
func (p *portion) adapt(err error) {
	switch {
	case err == nil:
		p.now = min(2*p.now, p.most)
	case timedOut(err):
		p.now = max(p.now/2, leastPortion)
	}
}
