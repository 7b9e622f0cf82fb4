// Command fanout asks several mirrors for their version at the same time.
//
// Bug: the goroutines append to one slice without a lock, and answers can be lost.
// A report has to name race: askAll `answers = append(answers, answer)` + askAll `answers = append(answers, answer)`.
package main

import (
	"fmt"
	"hash/fnv"
	"sync"
)

// An Answer is what a mirror has said.
type Answer struct {
	Mirror  string
	Version uint32
}

// ask asks one mirror.
func ask(mirror string) Answer {
	h := fnv.New32()
	h.Write([]byte(mirror))
	return Answer{mirror, h.Sum32() % 10}
}

// askAll asks all mirrors and returns their answers in any order.
func askAll(mirrors []string) []Answer {
	var answers []Answer
	var wg sync.WaitGroup
	for _, mirror := range mirrors {
		wg.Add(1)
		go func() {
			defer wg.Done()
			answer := ask(mirror)
			answers = append(answers, answer)
		}()
	}
	wg.Wait()
	return answers
}

// newest returns the answer with the highest version.
func newest(answers []Answer) Answer {
	var best Answer
	for _, a := range answers {
		if a.Version >= best.Version {
			best = a
		}
	}
	return best
}

func main() {
	answers := askAll([]string{"berlin", "oslo", "rome", "vienna"})
	fmt.Println(len(answers), "answers, newest:", newest(answers).Mirror)
}
