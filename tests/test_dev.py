#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""./dev installs what it calls: the programs of each command, and the package that has each (TAP).

usage: test_dev.py SOURCE
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(sys.argv[1]).resolve()
DEV = (SOURCE / 'dev').read_text(encoding='utf-8')

# Always there: bash itself, its builtins, and what no Debian is without.
BUILTINS = set('''cd command continue declare die echo elif else esac eval exec exit export fi for function help if in
local mapfile printf return set shift source then trap true false time umask unset wait while do done case test . : [ [['''.split())
ESSENTIAL = set('''awk basename bash cat chmod chown chroot cmp comm cp cut date df diff dirname dpkg dpkg-query du env find
flock getent grep gzip head hostname id install join ln ls mkdir mktemp mount mv nice nproc od paste printenv readlink
realpath rm rmdir sed seq setarch setsid sh sha256sum sleep sort split stat stdbuf sync tac tail tar tee timeout touch tr
truncate tty umount uname uniq unshare wc whoami xargs yes apt-get apt-cache sudo'''.split())
# Tried, and done without where they are missing.
OPTIONAL = {'npm'}
PACKAGES = {
    'bpftool': 'bpftool', 'busybox': 'busybox-static', 'bwrap': 'bubblewrap', 'cc': 'gcc', 'clang': 'clang',
    'clang-format': 'clang-format', 'cppcheck': 'cppcheck', 'dbus-run-session': 'dbus-daemon',
    'dpkg-buildpackage': 'dpkg-dev', 'eu-strip': 'elfutils', 'flatpak': 'flatpak', 'flatpak-builder': 'flatpak-builder',
    'gdbus': 'libglib2.0-bin', 'git': 'git', 'itstool': 'itstool', 'lintian': 'lintian', 'lz4': 'lz4', 'make': 'make', 'meson': 'meson',
    'mmdebstrap': 'mmdebstrap', 'montage': 'imagemagick', 'msgfmt': 'gettext', 'ninja': 'ninja-build', 'ostree': 'ostree', 'perf': 'linux-perf', 'pngquant': 'pngquant',
    'python3': 'python3', 'qemu-system-x86_64': 'qemu-system-x86', 'rpmbuild': 'rpm', 'rpmlint': 'rpmlint',
    'rpmspec': 'rpm', 'shellcheck': 'shellcheck', 'sqlite3': 'sqlite3', 'valgrind': 'valgrind', 'xauth': 'xauth',
    'xdotool': 'xdotool', 'xmllint': 'libxml2-utils', 'xvfb-run': 'xvfb', 'zstd': 'zstd',
}
# Packages that come with others.
WITH = {'meson': {'python3', 'ninja-build'}, 'dpkg-dev': {'make'}}
# Called by programs that are called: flatpak-builder strips what it built.
HIDDEN = {'flatpak-builder': {'eu-strip'}, 'xvfb-run': {'xauth'}, 'guests.py': {'qemu-system-x86_64', 'busybox', 'perf'},
          'bench.py': {'perf'}, 'mmdebstrap': set(), 'dpkg-buildpackage': {'cc', 'make'}}


def plain(body):
    """BODY without comments, long lists, sums and quoted text; what a string asks a command for stays."""
    body = re.sub(r"<<'TEXT'\n.*?\nTEXT\n", '\n', body, flags=re.S)
    body = re.sub(r'(?m)(^|\s)#.*$', '', body).replace('\\\n', ' ')
    body = re.sub(r'(?ms)^\w+=\(\n.*?^\)$', '', body)
    body = re.sub(r'\$\(\(.*?\)\)', '0', body)
    body = re.sub(r"'[^']*'", "''", body)
    for _ in range(3):
        body = re.sub(r'"([^"$\\\n]|\\.|\$(?!\())*"', '""', body)
    return body


def sources(text):
    """The functions of TEXT: of one line, or up to a brace at its beginning."""
    found = re.findall(r'(?m)^(\w+)\(\) \{ (\S.*) \}$', text)
    found += re.findall(r'(?ms)^(\w+)\(\) \{(?: #[^\n]*)?\n(.*?)^\}$', text)
    return dict(found)


def functions(text):
    return {name: plain(body) for name, body in sources(text).items()}


SOURCES = sources(DEV)
FUNCTIONS = functions(DEV)
COMMANDS = re.search(r'(?m)^  (run \|[^)]*)\) "cmd_\$command"', DEV)[1].split(' | ') + ['deps']


def arrays():
    """The lists of packages, as bash has them."""
    head = DEV[:DEV.index('\ncommand=${1:-help}')]
    script = head + '\nfor name in ${!packages_@}; do declare -n list=$name; echo "$name ${list[*]}"; done\n'
    out = subprocess.run(['bash', '-c', script, str(SOURCE / 'dev')], check=True, capture_output=True, text=True, cwd=SOURCE)
    return {line.split()[0]: set(line.split()[1:]) for line in out.stdout.splitlines()}


def bodies(name):
    """The function NAME, those that it calls, and the scripts."""
    seen, wait = {}, [name]
    while wait:
        one = wait.pop()
        if one in seen:
            continue
        seen[one] = FUNCTIONS.get(one) or plain((SOURCE / one).read_text(encoding='utf-8'))
        if one in FUNCTIONS:
            words = re.findall(r'(?<![\w$-])[\w-]+(?![\w=-])', seen[one])
            wait += [word for word in words if word in FUNCTIONS and not word.startswith('cmd_')]
        wait += re.findall(r'(?:^|\s)(flatpak/[\w-]+\.sh)\b', seen[one])
    return seen


def called(body):
    """Words where a command stands, and those that name a known program anywhere."""
    words = set(re.findall(r'(?<![\w./$-])[a-z][\w+-]*(?![\w/=.-])', body)) & set(PACKAGES)
    first = re.findall(r'(?:^|[;|&({!]|\bthen\b|\bdo\b|\belse\b|\bif\b|\$\()\s*(?:[A-Za-z_]+=[^\s(]* )*([a-z][\w+-]*)(?=[\s;)]|$)',
                       body, re.M)
    own = set(re.findall(r'([a-z][\w-]*)(?=\(\))', body))
    return words, set(first) - BUILTINS - set(FUNCTIONS) - own


def programs(name):
    found, unknown = set(), set()
    for body in bodies(name).values():
        words, first = called(body)
        found |= words | (first & ESSENTIAL)
        unknown |= first - set(PACKAGES) - ESSENTIAL - OPTIONAL
        for by, others in HIDDEN.items():
            if by in body:
                found |= others
    return found, unknown


def installed(name, lists):
    """The packages that NAME asks for."""
    words = ' '.join(re.sub(r'(?m)(^|\s)#.*$', '', SOURCES[one]) for one in bodies(name) if one in FUNCTIONS)
    packages = set()
    for given in re.findall(r'\bneed ([^\n]*(?:\\\n[^\n]*)*)', words):
        for one in re.findall(r'\$\{(packages_\w+)\[@\]\}', given):
            packages |= lists[one]
        packages |= set(re.findall(r'(?<=\s)[a-z][a-z0-9.+-]+', given))
    for package in list(packages):
        packages |= WITH.get(package, set())
    return packages


def check_commands(tell):
    lists = arrays()
    for command in COMMANDS:
        found, unknown = programs('cmd_' + command)
        packages = installed('cmd_' + command, lists)
        needs = {PACKAGES[program] for program in found if program in PACKAGES}
        print('# %s: %s' % (command, ' '.join(sorted(found))))
        tell('%s names packages for all it calls' % command, not needs - packages, sorted(needs - packages))
        tell('%s calls nothing of which no package is known' % command, not unknown, sorted(unknown))


def check_usage(tell):
    shown = subprocess.run([str(SOURCE / 'dev'), 'help'], check=True, capture_output=True, text=True).stdout
    missing = [command for command in COMMANDS if not re.search(r'(?m)^  %s\b' % command, shown)]
    tell('help lists each command', not missing, missing)


def owners():
    """Program → the packages that installed it here, as dpkg knows them."""
    names = {}
    for program in PACKAGES:
        path = shutil.which(program, path='/usr/bin:/usr/sbin')
        for name in {path, path and path.removeprefix('/usr'), path and os.path.realpath(path)} - {None}:
            names[name] = program
    out = subprocess.run(['dpkg', '-S', *names], capture_output=True, text=True, check=False).stdout
    found = {}
    for packages, path in re.findall(r'(?m)^(?!diversion )(.*): (/.*)$', out):
        if path in names:
            found.setdefault(names[path], set()).update(re.split(r', |:\w+(?:, |$)', packages))
    return found


def check_owners(tell):
    """On a Debian: the packages have these programs, or those do that they depend on, as linux-perf-6.1."""
    if not shutil.which('dpkg'):
        return
    wrong = []
    for program, found in sorted(owners().items()):
        if not any(one and (one.startswith(PACKAGES[program]) or PACKAGES[program].startswith(one)) for one in found):
            wrong.append('%s: %s, not %s' % (program, sorted(found), PACKAGES[program]))
    tell('each program is of its package', not wrong, wrong)


def check_packages(tell):
    """What is built here is what the packages are built with."""
    control = (SOURCE / 'debian/control').read_text(encoding='utf-8')
    depends = control[control.index('Build-Depends:'):control.index('Standards-Version:')]
    names = {re.match(r'[\w.+-]+', part.strip())[0] for part in depends.split(':', 1)[1].split(',')}
    # A compiler with its headers is in each Debian that builds packages.
    ours = arrays()['packages_build'] - {'gcc', 'libc6-dev'}
    tell('debian/control asks for what ./dev installs', names - {'debhelper-compat', 'python3'} == ours,
         sorted((names - {'debhelper-compat', 'python3'}) ^ ours))

    version = re.search(r"version: '([^']+)'", (SOURCE / 'meson.build').read_text(encoding='utf-8'))[1]
    changelog = (SOURCE / 'debian/changelog').read_text(encoding='utf-8')
    spec = (SOURCE / 'packaging/pentimento.spec').read_text(encoding='utf-8')
    tell('debian/changelog has the version', changelog.startswith('pentimento (%s) ' % version), changelog[:30])
    tell('the spec has the version', re.search(r'(?m)^Version: +(\S+)$', spec)[1] == version, version)
    tell('the spec has its change', ' - %s-1\n' % version in spec, version)


def main():
    results = []

    def tell(what, good, details):
        results.append(good)
        print('%s %d - %s' % ('ok' if good else 'not ok', len(results), what))
        if not good:
            print('# %s' % (details,))

    check_commands(tell)
    check_usage(tell)
    check_owners(tell)
    check_packages(tell)
    print('1..%d' % len(results))
    sys.exit(not all(results))


main()
