package e2e_test

// numbers are mistakes with numbers.
func numbers() []mistake {
	return []mistake{
		{title: "Memory in bytes, and too many of them", config: vm("memory = 18446744073709551616")},
		{title: "A disc of half a megabyte", config: bare("name = \"web1\"\ndisc {\n  label = \"vda\"\n  size  = 0.5\n}")},
		{title: "Half a retry", config: settings("max_retries = 0.5")},
		{title: "A port with a fraction", config: vm("ready {\n  port = 22.5\n}")},
	}
}
