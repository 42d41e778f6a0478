package command

import (
	"regexp"
	"strings"
)

// The words in which messages of the provider name its settings.
var (
	either   = regexp.MustCompile(`\b[a-z_]+ in the provider block, or (CLOUDSERVER_[A-Z_]+ in the environment),?`)
	settings = regexp.MustCompile(`(the |-)?\b(auth_endpoint|token_file)\b`)
	endpoint = regexp.MustCompile(`(^|[:;.] |\b(?i:set|that|check|to|of|from|invalid) )endpoint\b`) // where it is the argument

	inVariables = strings.NewReplacer(
		"token, token_file, or username and password, in the provider block, or CLOUDSERVER_TOKEN", "CLOUDSERVER_TOKEN",
		" Set plan_checks = false in the provider block to plan without the service.", "",
		", or raise max_retries in the provider block to wait longer", "",
		"Set account here, in the provider block, or in CLOUDSERVER_ACCOUNT.", "Set CLOUDSERVER_ACCOUNT in the environment.",
		"set ca_certificate, or CLOUDSERVER_CA_CERTIFICATE", "set CLOUDSERVER_CA_CERTIFICATE",
		"token in the provider block", "CLOUDSERVER_TOKEN in the environment",
		"username and password in the provider block", "CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD in the environment",
		"use token, or username and password", "use CLOUDSERVER_TOKEN, or CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD",
		"set token to it, and remove username and password", "set CLOUDSERVER_TOKEN to it, and unset CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD",
		"use https://, or set allow_http = true", "use https://",
	)
)

// InVariables puts a message of the provider or the client into the words of a command: it has no provider block, and
// takes its settings from the environment.
func InVariables(text string) string {
	text = either.ReplaceAllString(inVariables.Replace(text), "$1")
	text = endpoint.ReplaceAllString(text, "${1}CLOUDSERVER_ENDPOINT")
	return settings.ReplaceAllStringFunc(text, func(name string) string {
		if strings.HasPrefix(name, "the ") || strings.HasPrefix(name, "-") { // prose, or a flag
			return name
		}
		return "CLOUDSERVER_" + strings.ToUpper(name)
	})
}
