//go:build js && wasm

// Command wasm is threeway in a browser: it gives the worker of the playground a
// function ask, which takes a Question as JSON and calls back with its Answer.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"threeway/site/playground"
)

func main() {
	js.Global().Set("ask", js.FuncOf(func(_ js.Value, args []js.Value) any {
		question, done := args[0].String(), args[1]
		// The files of the panes are read through callbacks, which a function that
		// JavaScript calls must not wait for.
		go func() { done.Invoke(answer(question)) }()
		return nil
	}))
	select {}
}

func answer(question string) string {
	var q playground.Question
	if err := json.Unmarshal([]byte(question), &q); err != nil {
		panic(err) // the page wrote it
	}
	text, err := json.Marshal(playground.Ask(context.Background(), q))
	if err != nil {
		panic(err)
	}
	return string(text)
}
