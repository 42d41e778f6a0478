// SPDX-License-Identifier: MPL-2.0

package inventory

// Adopt notes that a create of this process has found the object as planned, so that it did not create it. It may be that
// of a block which was renamed without moved, or which is replaced with create_before_destroy: then the same apply
// deletes the resource that described the object before, and that delete has to leave the object alone. key identifies
// the object among those of all kinds.
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
