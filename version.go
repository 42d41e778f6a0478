// SPDX-License-Identifier: MPL-2.0

package main

import "runtime/debug"

// release is the version that the linker sets in releases.
var release = "dev"

// version is what the program says of itself, to people and in the User-Agent: the release and the commit, such as
// 1.0.0+2851483dc33b.
var version = withCommit(release, buildSettings())

// withCommit adds the commit to a release as build metadata, if the build has recorded one.
func withCommit(release string, settings map[string]string) string {
	commit := settings["vcs.revision"]
	if commit == "" {
		return release
	}
	version := release + "+" + commit[:min(12, len(commit))]
	if settings["vcs.modified"] == "true" {
		version += ".modified"
	}
	return version
}

// buildSettings returns what the build has recorded, as go version -m prints it. Go records no commit of tests, nor in a
// linked worktree.
func buildSettings() map[string]string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	settings := make(map[string]string, len(info.Settings))
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	return settings
}
