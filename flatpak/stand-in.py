#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The manifest, made to build where Flathub and the libraries' own sites cannot be reached.

Replaces the runtime, and the archive of each library by a directory with the sources of the
distribution; a library without such a directory is the runtime's. Everything else is the manifest's
own: what is not tried here is the runtime's and the libraries' exact versions.

usage: stand-in.py MANIFEST PLATFORM SDK BRANCH SOURCES TREE
"""

import json
import os
import sys


def main():
    manifest_file, runtime, sdk, branch, sources, tree = sys.argv[1:]
    with open(manifest_file, encoding="utf-8") as file:
        manifest = json.load(file)
    manifest["runtime"], manifest["sdk"], manifest["runtime-version"] = runtime, sdk, branch
    modules = []
    for module in manifest["modules"]:
        (source,) = module["sources"]
        if source["type"] == "dir":
            source["path"] = tree
        else:
            directory = os.path.join(sources, module["name"])
            if not os.path.isdir(directory):
                print(f"{module['name']} is the runtime's own here", file=sys.stderr)
                continue
            module["sources"] = [{"type": "dir", "path": directory}]
        modules.append(module)
    manifest["modules"] = modules
    json.dump(manifest, sys.stdout, indent=2)


main()
