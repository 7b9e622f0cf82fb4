package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
)

// item is what requests and responses have.
type item struct{ Key, Value string }

func serveHTTP(listener net.Listener) (stop func()) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items/{key}", func(w http.ResponseWriter, r *http.Request) {
		key := r.PathValue("key")
		value, ok := get(key)
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(item{key, value})
	})
	mux.HandleFunc("PUT /items/{key}", func(w http.ResponseWriter, r *http.Request) {
		var i item
		if err := json.NewDecoder(r.Body).Decode(&i); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		put(r.PathValue("key"), i.Value)
	})
	server := &http.Server{Handler: mux}
	served := make(chan struct{})
	go func() {
		defer close(served)
		server.Serve(listener)
	}()
	return func() {
		must(server.Shutdown(context.Background()))
		<-served
	}
}

func dialHTTP(address string) (get, put func(key string) error, hangUp func()) {
	client := http.Client{Transport: new(http.Transport)}
	send := func(method, key string, body io.Reader) error {
		request, err := http.NewRequest(method, "http://"+address+"/items/"+key, body)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("%s %s: %s", method, key, response.Status)
		}
		if method == "PUT" {
			return nil
		}
		var i item
		return json.NewDecoder(response.Body).Decode(&i)
	}
	get = func(key string) error { return send("GET", key, nil) }
	put = func(key string) error {
		text, err := json.Marshal(item{key, "value of " + key})
		if err != nil {
			return err
		}
		return send("PUT", key, bytes.NewReader(text))
	}
	return get, put, client.CloseIdleConnections
}
