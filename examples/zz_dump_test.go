package examples_test

import "os"

func dump(example, text string) {
	f, _ := os.OpenFile("/tmp/docs/dump.txt", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	f.WriteString("##### " + example + "\n" + text + "\n")
	f.Close()
}
