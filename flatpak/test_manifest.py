#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the manifest promises: sources that are checked, no network, nothing but reading outside the sandbox."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
MANIFEST = HERE / "io.github.pentimento.Pentimento.json"


def load():
    return json.loads(MANIFEST.read_text(encoding="utf-8"))


class Manifest(unittest.TestCase):
    def test_every_archive_has_a_sum(self):
        archives = [
            source for module in load()["modules"] for source in module["sources"] if source["type"] != "dir"
        ]
        self.assertTrue(archives)
        for source in archives:
            self.assertEqual(source["type"], "archive")
            self.assertRegex(source["url"], "^https://")
            self.assertRegex(source["sha256"], "^[0-9a-f]{64}$")

    def test_the_sandbox_reads_only_and_reaches_no_network(self):
        for argument in load()["finish-args"]:
            self.assertNotEqual(argument, "--share=network")
            if argument.startswith("--filesystem="):
                self.assertTrue(argument.endswith(":ro"), argument)

    def test_the_stand_in_changes_the_runtime_and_where_sources_are(self):
        with tempfile.TemporaryDirectory() as sources:
            (pathlib.Path(sources) / "capstone").mkdir()
            out = subprocess.run(
                [sys.executable, HERE / "stand-in.py", MANIFEST, "a.Platform", "a.Sdk", "b", sources, "/tree"],
                check=True,
                capture_output=True,
                text=True,
            )
        made, manifest = json.loads(out.stdout), load()
        # Only capstone has sources here: the other libraries are the runtime's.
        self.assertEqual([module["name"] for module in made["modules"]], ["capstone", "pentimento"])
        self.assertEqual(len(re.findall("is the runtime's own", out.stderr)), len(manifest["modules"]) - 2)
        self.assertEqual((made["runtime"], made["sdk"], made["runtime-version"]), ("a.Platform", "a.Sdk", "b"))
        originals = {module["name"]: module for module in manifest["modules"]}
        for module in made["modules"]:
            original = originals[module["name"]]
            self.assertEqual(
                {key: value for key, value in module.items() if key != "sources"},
                {key: value for key, value in original.items() if key != "sources"},
            )
        for key in set(manifest) - {"runtime", "sdk", "runtime-version", "modules"}:
            self.assertEqual(made[key], manifest[key])

    def test_the_metainfo_tells_of_this_version(self):
        build = (HERE.parent / "meson.build").read_text(encoding="utf-8")
        metainfo = (HERE.parent / "data/io.github.pentimento.Pentimento.metainfo.xml").read_text(encoding="utf-8")
        version = re.search(r"version: '([^']+)'", build)[1]
        self.assertEqual(re.search(r'<release version="([^"]+)"', metainfo)[1], version)


if __name__ == "__main__":
    unittest.main()
