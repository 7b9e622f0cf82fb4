// A handler that gives its answer in time or not at all.
package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"
)

func compute(n string) string {
	time.Sleep(2 * time.Millisecond)
	return "result for " + n
}

func handler(w http.ResponseWriter, r *http.Request) {
	result := make(chan string)
	go func() { result <- compute(r.FormValue("n")) }()
	select {
	case s := <-result:
		io.WriteString(w, s)
	case <-r.Context().Done():
		http.Error(w, "gone", http.StatusServiceUnavailable)
	case <-time.After(time.Second):
		http.Error(w, "too slow", http.StatusGatewayTimeout)
	}
}

func main() {
	s := httptest.NewServer(http.HandlerFunc(handler))
	defer s.Close()
	for i := range 2 {
		resp, err := s.Client().Get(fmt.Sprint(s.URL, "?n=", i))
		if err != nil {
			panic(err)
		}
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Println(string(b))
	}
}
