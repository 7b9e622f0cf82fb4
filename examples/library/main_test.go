package main

func Example() {
	main()
	// Output:
	// violated
	// web enter write
	// db enter write
}
