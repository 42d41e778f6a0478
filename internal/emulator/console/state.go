package console

import "sync"

// saver writes the state to a file. Changes that arrive while it writes share the next write.
type saver struct {
	name  string
	state func() []byte

	mu      sync.Mutex // guards next
	next    *write
	writing sync.Mutex
}

// write is one write of the file.
type write struct {
	once sync.Once
	err  error
}

func newSaver(name string, state func() []byte) *saver {
	return &saver{name: name, state: state, next: &write{}}
}

// save returns when a state that was taken after its call is in the file.
func (s *saver) save() error {
	s.mu.Lock()
	mine := s.next
	s.mu.Unlock()
	mine.once.Do(func() {
		s.writing.Lock()
		defer s.writing.Unlock()
		s.mu.Lock()
		s.next = &write{} // later changes are not in this state
		s.mu.Unlock()
		mine.err = writeFile(s.name, s.state())
	})
	return mine.err
}
