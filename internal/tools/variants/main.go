// Command variants prints the names of the service's variants, one per line.
package main

import (
	"fmt"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/variants"
)

func main() {
	for _, variant := range variants.All() {
		fmt.Println(variant.Name)
	}
}
