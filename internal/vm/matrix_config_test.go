package vm_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// object and objects keep the tests' configurations short.
type (
	object  = map[string]any
	objects = []map[string]any
)

const vmType = "cloudserver_vm"

// given are settings of a configuration by their dotted paths.
type given = map[string]any

// configured is the configuration of the tests' machine: a name and one disc,
// and over them what is given; nil takes away.
func configured(settings ...given) object {
	config := object{"name": "web1", "disc": discs("vda:25600")}
	for _, group := range settings {
		for _, path := range slices.Sorted(maps.Keys(group)) { // a block before what is in it
			put(config, strings.Split(path, "."), group[path])
		}
	}
	return config
}

// put sets the value at a path, and makes the blocks that lead there.
func put(config object, path []string, value any) {
	name := path[0]
	switch {
	case len(path) == 1 && value == nil:
		delete(config, name)
	case len(path) == 1:
		config[name] = value
	case name == "disc":
		index, _ := strconv.Atoi(path[1])
		put(config["disc"].(objects)[index], path[2:], value)
	default:
		block, ok := config[name].(object)
		if !ok && value == nil {
			return
		}
		block = maps.Clone(block) // the caller's own stays as it is
		if block == nil {
			block = object{}
		}
		put(block, path[1:], value)
		config[name] = block
	}
}

// discs are blocks written as label:size or label:size:grade.
func discs(texts ...string) objects {
	blocks := make(objects, len(texts))
	for i, text := range texts {
		parts := strings.Split(text, ":")
		size, _ := strconv.Atoi(parts[1])
		blocks[i] = object{"label": parts[0], "size": size}
		if len(parts) > 2 {
			blocks[i]["storage_grade"] = parts[2]
		}
	}
	return blocks
}

// with is a copy of what is given, and one setting more.
func with(g given, path string, value any) given {
	more := maps.Clone(g)
	more[path] = value
	return more
}
