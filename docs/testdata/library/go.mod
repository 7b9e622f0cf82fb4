module example.com/library

go 1.26.0

require github.com/antichain-go/antichain v0.0.0

replace github.com/antichain-go/antichain => ../../..
