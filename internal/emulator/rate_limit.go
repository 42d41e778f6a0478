package emulator

// limited counts a request and reports whether Options.RateLimit refuses it.
func (e *Emulator) limited() bool {
	if e.options.RateLimit <= 0 {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if second := e.now().Unix(); second != e.second {
		e.second, e.requests = second, 0
	}
	e.requests++
	return e.requests > e.options.RateLimit
}
