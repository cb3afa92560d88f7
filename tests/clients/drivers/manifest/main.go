// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors

// Reads a DaemonSet into Kubernetes' own type, and refuses a field that this does not have. Prints the arguments of
// its first container, one a line.
package main

import (
	"fmt"
	"os"

	apps "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	var set apps.DaemonSet
	if err == nil {
		err = yaml.UnmarshalStrict(text, &set)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, word := range set.Spec.Template.Spec.Containers[0].Args {
		fmt.Println(word)
	}
}
