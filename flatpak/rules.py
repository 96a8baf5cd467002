# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of flatpak-builder-lint that need neither a network nor a build, by their names there.

Source: the checks of github.com/flathub-infra/flatpak-builder-lint, as they were in 2026. What it asks of servers
(whether the address of the project answers, whether the runtime is still maintained) is not asked here.
"""

import re

ALL_OF_A_PLACE = {"home", "host", "host-root", "host-etc", "host-os", "~", "~/"}
RESERVED = ("/.flatpak-info", "/app", "/bin", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/root",
            "/run/flatpak", "/run/host", "/sbin", "/usr")
TOPLEVEL = {"id", "runtime", "runtime-version", "sdk", "command", "finish-args", "cleanup", "modules"}
OF_MODULES = {"name", "buildsystem", "builddir", "config-opts", "build-options", "build-commands", "sources", "cleanup"}
OF_SOURCES = {"type", "url", "sha256", "path", "skip"}


def words(manifest, option):
    """The values of one option of finish-args, as "socket" of --socket=wayland."""
    head = f"--{option}="
    return [argument[len(head):] for argument in manifest.get("finish-args", []) if argument.startswith(head)]


def id_rules(app, file_name):
    parts = (app or "").split(".")
    if not app:
        yield "appid-not-defined"
    elif len(app) > 255:
        yield "appid-length-more-than-255-chars"
    elif len(parts) < 3:
        yield "appid-less-than-3-components"
    elif not all(re.match(r"^[A-Za-z_][\w\-]*$", part) for part in parts):
        yield "appid-component-wrong-syntax"
    elif len(parts) > 5:
        yield "appid-too-many-components-for-app"
    elif parts[1] in ("github", "gitlab") and (parts[0] != "io" or len(parts) < 4):
        yield "appid-uses-code-hosting-domain"
    if app and parts[-1] == "desktop":
        yield "appid-ends-with-lowercase-desktop"
    if file_name != f"{app}.json":
        yield "appid-filename-mismatch"


def toplevel_rules(manifest):
    if set(manifest) - TOPLEVEL:
        yield "manifest-unknown-properties"
    if not manifest.get("command"):
        yield "toplevel-no-command"
    elif manifest["command"].startswith("/"):
        yield "toplevel-command-is-path"
    if manifest.get("branch") or manifest.get("default-branch"):
        yield "toplevel-unnecessary-branch"
    if any(path == "/lib/debug" or path.startswith("/lib/debug/") for path in manifest.get("cleanup", [])):
        yield "toplevel-cleanup-debug"
    if not manifest.get("modules"):
        yield "toplevel-no-modules"
    if manifest.get("runtime-version") in (None, "master", "beta"):
        yield "runtime-is-not-released"


def socket_rules(manifest):
    sockets = set(words(manifest, "socket"))
    if {"x11", "fallback-x11"} <= sockets:
        yield "finish-args-contains-both-x11-and-fallback"
    if {"x11", "wayland"} <= sockets:
        yield "finish-args-contains-both-x11-and-wayland"
    if sockets & {"x11", "fallback-x11"} and "ipc" not in words(manifest, "share"):
        yield "finish-args-x11-without-ipc"
    if "fallback-x11" in sockets and "wayland" not in sockets:
        yield "finish-args-fallback-x11-without-wayland"
    if "wayland" in sockets and not sockets & {"x11", "fallback-x11"}:
        yield "finish-args-only-wayland"
    for name in ("gpg-agent", "ssh-auth", "inherit-wayland-socket"):
        if name in sockets:
            yield f"finish-args-has-socket-{name}"
    if sockets & {"session-bus", "system-bus"}:
        yield "finish-args-arbitrary-dbus-access"


def file_rules(manifest):
    for given in words(manifest, "filesystem"):
        place, _, mode = given.partition(":")
        if place in ALL_OF_A_PLACE:
            yield f"finish-args-{place}-{mode or 'rw'}-filesystem-access"
        if any(place == name or place.startswith(name + "/") for name in RESERVED):
            yield "finish-args-reserved"
        if place.startswith(("/home", "/var/home", "/run/media")):
            yield "finish-args-absolute-home-path"
        if place.startswith(("xdg-data", "xdg-config", "xdg-cache")):
            yield "finish-args-unnecessary-xdg-access"
        if place in ("/tmp", "/var"):
            yield f"finish-args-host-{place[1:]}-access"
        if re.match(r"^(~|home)/\.(config|cache|local|local/share|ssh|gnupg|var/app)(/|$)", place):
            yield "finish-args-full-home-access"


def bus_rules(manifest):
    for name in words(manifest, "talk-name") + words(manifest, "system-talk-name"):
        if name.startswith("org.freedesktop.portal.") or name in ("org.freedesktop.DBus", "org.freedesktop.*"):
            yield "finish-args-portal-talk-name"
        if name == "org.freedesktop.Flatpak":
            yield "finish-args-flatpak-spawn-access"
    if words(manifest, "own-name"):
        yield "finish-args-unnecessary-appid-own-name"
    if any(device == "all" for device in words(manifest, "device")):
        yield "finish-args-device-all"


def module_rules(manifest):
    for module in manifest.get("modules", []):
        if set(module) - OF_MODULES:
            yield "manifest-unknown-properties"
        if any(option.startswith("--enable-debug") and not option.endswith("=no") and option != "--enable-debuginfod"
               for option in module.get("config-opts", [])):
            yield "module-autotools-non-release-build"
        if "--share=network" in module.get("build-options", {}).get("build-args", []):
            yield "module-build-network-access"
        if any(path == "/lib/debug" or path.startswith("/lib/debug/") for path in module.get("cleanup", [])):
            yield "module-cleanup-debug"
        for source in module.get("sources", []):
            yield from source_rules(source)


def source_rules(source):
    if set(source) - OF_SOURCES:
        yield "manifest-unknown-properties"
    if "/" in source.get("dest-filename", ""):
        yield "module-source-dest-filename-is-path"
    for old in ("md5", "sha1"):
        if old in source:
            yield f"module-source-{old}-deprecated"
    if source.get("type") == "git" and not (source.get("tag") and source.get("commit")):
        yield "module-source-git-no-commit-with-tag"
    if source.get("type") == "git" and source.get("branch"):
        yield "module-source-git-branch"


def broken(manifest, file_name):
    """The names of the rules that MANIFEST, in a file of that name, breaks, sorted."""
    if "finish-args" not in manifest:
        return ["finish-args-not-defined"]
    found = set(id_rules(manifest.get("id"), file_name))
    for rules in (toplevel_rules, socket_rules, file_rules, bus_rules, module_rules):
        found.update(rules(manifest))
    return sorted(found)
