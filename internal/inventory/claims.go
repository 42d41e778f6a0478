// SPDX-License-Identifier: MPL-2.0

package inventory

// A claim is what a create of this process has made, or found as planned, and no delete has removed since. A second create
// of one object is that of a second block. Its key identifies an object among those of all kinds.

// Claim notes that a block has the object, with the value that it has set, if any.
func (v *Inventory) Claim(key, value string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.claims[key] = value
}

// Claimed returns the value with which a block has claimed the object.
func (v *Inventory) Claimed(key string) (value string, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	value, ok = v.claims[key]
	return value, ok
}

// Release removes the claim on an object, because its block does not describe it any more.
func (v *Inventory) Release(key string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.claims, key)
}

// Adopt notes that a create of this process has found the object as planned, so that it did not create it. It may be that
// of a block which was renamed without moved, or which is replaced with create_before_destroy: then the same apply
// deletes the resource that described the object before, and that delete has to leave the object alone.
func (v *Inventory) Adopt(key string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.adopted[key] = true
}

// TakeAdopted reports whether a create has found the object, and forgets that: it counts for one delete.
func (v *Inventory) TakeAdopted(key string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	isAdopted := v.adopted[key]
	delete(v.adopted, key)
	return isAdopted
}
