#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the manifest promises: sources that are checked, a screen and nothing else of the system, the linter's rules."""

import copy
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import rules

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

    def test_the_sandbox_has_a_screen_and_nothing_else(self):
        self.assertEqual(
            load()["finish-args"], ["--share=ipc", "--socket=wayland", "--socket=fallback-x11", "--device=dri"]
        )

    def test_it_keeps_the_rules_of_the_linter(self):
        self.assertEqual(rules.broken(load(), MANIFEST.name), [])

    def test_the_rules_see_what_breaks_them(self):
        for rule, change in {
            "appid-filename-mismatch": lambda m: m.update(id="io.github.pentimento.Other"),
            "appid-uses-code-hosting-domain": lambda m: m.update(id="io.github.Pentimento"),
            "toplevel-unnecessary-branch": lambda m: m.update(branch="devel"),
            "toplevel-command-is-path": lambda m: m.update(command="/app/bin/pentimento"),
            "toplevel-cleanup-debug": lambda m: m["cleanup"].append("/lib/debug"),
            "toplevel-no-modules": lambda m: m.update(modules=[]),
            "manifest-unknown-properties": lambda m: m.update({"runtime-verzion": "50"}),
            "runtime-is-not-released": lambda m: m.update({"runtime-version": "master"}),
            "finish-args-not-defined": lambda m: m.pop("finish-args"),
            "finish-args-x11-without-ipc": lambda m: m["finish-args"].remove("--share=ipc"),
            "finish-args-only-wayland": lambda m: m["finish-args"].remove("--socket=fallback-x11"),
            "finish-args-fallback-x11-without-wayland": lambda m: m["finish-args"].remove("--socket=wayland"),
            "finish-args-contains-both-x11-and-fallback": lambda m: m["finish-args"].append("--socket=x11"),
            "finish-args-arbitrary-dbus-access": lambda m: m["finish-args"].append("--socket=session-bus"),
            "finish-args-host-ro-filesystem-access": lambda m: m["finish-args"].append("--filesystem=host:ro"),
            "finish-args-home-rw-filesystem-access": lambda m: m["finish-args"].append("--filesystem=home"),
            "finish-args-reserved": lambda m: m["finish-args"].append("--filesystem=/usr/lib/debug:ro"),
            "finish-args-host-tmp-access": lambda m: m["finish-args"].append("--filesystem=/tmp"),
            "finish-args-unnecessary-xdg-access": lambda m: m["finish-args"].append("--filesystem=xdg-cache/x"),
            "finish-args-flatpak-spawn-access": lambda m: m["finish-args"].append(
                "--talk-name=org.freedesktop.Flatpak"
            ),
            "finish-args-device-all": lambda m: m["finish-args"].append("--device=all"),
            "module-build-network-access": lambda m: m["modules"][0].update(
                {"build-options": {"build-args": ["--share=network"]}}
            ),
            "module-autotools-non-release-build": lambda m: m["modules"][1]["config-opts"].append("--enable-debug"),
            "module-source-sha1-deprecated": lambda m: m["modules"][0]["sources"][0].update(sha1="0"),
            "module-source-git-no-commit-with-tag": lambda m: m["modules"][0]["sources"][0].update(type="git"),
        }.items():
            with self.subTest(rule=rule):
                manifest = copy.deepcopy(load())
                change(manifest)
                self.assertIn(rule, rules.broken(manifest, MANIFEST.name))

    @unittest.skipUnless(shutil.which("flatpak-builder"), "no flatpak-builder")
    def test_flatpak_builder_knows_each_property(self):
        with tempfile.TemporaryDirectory() as state:
            out = subprocess.run(
                ["flatpak-builder", "--show-manifest", MANIFEST],
                check=True,
                capture_output=True,
                cwd=state,
                text=True,
            )
        self.assertNotIn("WARNING", out.stderr)
        self.assertNotIn("Unknown property", out.stderr)
        self.assertEqual(json.loads(out.stdout)["id"], load()["id"])

    def test_the_skipped_directories_are_those_of_dev(self):
        words = (HERE.parent / "dev").read_text(encoding="utf-8")
        built = set(re.findall(r"\$build(-[a-z]+)\b", words))
        (source,) = load()["modules"][-1]["sources"]
        self.assertEqual(set(source["skip"]), {".git", "_build"} | {"_build" + name for name in built})

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

    def test_the_metainfo_and_the_desktop_entry_have_the_id(self):
        data, app = HERE.parent / "data", load()["id"]
        metainfo = (data / f"{app}.metainfo.xml").read_text(encoding="utf-8")
        entry = (data / f"{app}.desktop").read_text(encoding="utf-8")
        self.assertIn(f"<id>{app}</id>", metainfo)
        self.assertIn(f'<launchable type="desktop-id">{app}.desktop</launchable>', metainfo)
        self.assertRegex(entry, f"(?m)^Icon={app}$")
        self.assertRegex(entry, "(?m)^Exec=pentimento ")
        self.assertNotRegex(entry, "(?m)^(NoDisplay|Hidden)=true")
        self.assertTrue((data / f"icons/{app}.svg").is_file())
        # Categories of a toolkit or a desktop alone say nothing.
        categories = set(re.search("(?m)^Categories=(.*)$", entry)[1].strip(";").split(";"))
        self.assertTrue(categories - {"GTK", "GNOME", "Qt", "KDE"})


if __name__ == "__main__":
    unittest.main()
