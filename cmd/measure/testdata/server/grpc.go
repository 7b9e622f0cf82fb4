package main

import (
	"context"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// text is a message of one string, so that no code has to be generated.
type text = wrapperspb.StringValue

// description is what protoc would write for a service with these two methods.
var description = grpc.ServiceDesc{
	ServiceName: "Store",
	HandlerType: (*any)(nil),
	Methods: []grpc.MethodDesc{
		{MethodName: "Get", Handler: unary(func(key string) (string, error) {
			value, ok := get(key)
			if !ok {
				return "", status.Error(codes.NotFound, key)
			}
			return value, nil
		})},
		{MethodName: "Put", Handler: unary(func(key string) (string, error) {
			put(key, "value of "+key)
			return "", nil
		})},
	},
}

func unary(handle func(string) (string, error)) grpc.MethodHandler {
	return func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		var request text
		if err := decode(&request); err != nil {
			return nil, err
		}
		answer, err := handle(request.Value)
		return &text{Value: answer}, err
	}
}

func serveGRPC(listener net.Listener) (stop func()) {
	server := grpc.NewServer()
	server.RegisterService(&description, nil)
	served := make(chan struct{})
	go func() {
		defer close(served)
		server.Serve(listener)
	}()
	return func() {
		server.GracefulStop()
		<-served
	}
}

func dialGRPC(address string) (get, put func(key string) error, hangUp func()) {
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	must(err)
	send := func(method string) func(string) error {
		return func(key string) error { return conn.Invoke(context.Background(), method, &text{Value: key}, new(text)) }
	}
	return send("/Store/Get"), send("/Store/Put"), func() { conn.Close() }
}
