// Package sweep holds the tests that let network, service, terminal and
// attackers do their worst to the provider as a whole. It has no code beside
// its tests.
//
// The heart is TestFaults: each request of each operation, as the journal of a
// healthy run lists them, meets each fault, once or for good. After that a
// second, healthy apply has to bring about what the configuration says: no
// machine is orphaned, doubled or lost, no disc of the configuration purged, no
// secret shown, and the error of the first apply names the machine, the call and
// the way on. What a fault that stays may legitimately lead to is stated in the
// table of faults.
//
// # File map
//
//	operation_test.go  what people do: the operations that are swept
//	fault_test.go      what goes wrong, and what may come of it
//	wire_test.go       the transport on which it goes wrong
//	world_test.go      a service, a state, and applies by fresh provider processes
//	verdict_test.go    what has to hold in the end
//	report_test.go     the table that is printed
//	faults_test.go     TestFaults
//	creates_test.go    a hundred machines at once, answers lost
//	interrupt_test.go  signals to the CLI and to the provider
//	session_test.go    sessions that end
//	secrets_test.go    every secret in every operation, and every log searched
//	load_test.go       two thousand machines and a service that throttles
//
// `go test` runs a sample; `make sweep` runs everything.
package sweep
