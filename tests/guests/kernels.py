"""Kernels for guests: packages of Debian, or files that the user has.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import functools
import glob
import lzma
import os
import re
import shutil
import struct
import subprocess

# What is tried without arguments, and the suites of Debian that have it, where the machine's own apt does not. Their
# lists are kept apart from the machine's.
RELEASES = {'5.10': ('bullseye',), '6.1': ('bookworm',), '6.12': ('trixie',), '7': ('trixie-backports', 'sid')}
# Those for virtual machines are the smallest.
FLAVOUR = 'cloud-amd64'
PACKAGE = re.compile(r'linux-image-(\d[^ ]*)-%s$' % FLAVOUR)
TABLES = ('_text', '_stext', '_etext', '__start___jump_table', '__stop___jump_table')
PARTS = 'linux-(image|binary|modules|base)-%s$'  # since 6.19, image and modules are packages of their own


class Missing(Exception):
    """This kernel cannot be had; says why."""


class Kernel:
    """An image and its modules. @headers: where modules are built, or None"""

    def __init__(self, version, image, modules, headers=None):
        self.version, self.image, self.headers = version, image, headers
        self.files = {}
        for directory, _, names in os.walk(modules):
            for name in names:
                found = re.match(r'(.+)\.ko(\.xz|\.zst)?$', name)
                if found:
                    self.files[found[1].replace('-', '_')] = os.path.join(directory, name)

    def write_elf(self, path, kallsyms, variables):
        """The kernel itself, out of its image (Documentation/arch/x86/boot.rst: payload_offset), with names of a few places.

        @kallsyms: of the running kernel, which gives the names of its tables, and of VARIABLES
        """
        with open(self.image, 'rb') as file:
            image = file.read()
        offset, length = struct.unpack_from('<II', image, 0x248)
        offset += (image[0x1f1] + 1) * 512
        payload = image[offset:offset + length]
        if payload.startswith(b'\xfd7zXZ'):
            elf = lzma.LZMADecompressor().decompress(payload)
        else:
            # After the frame comes its length, at which these programs fail.
            program = 'zstd' if payload.startswith(b'\x28\xb5\x2f\xfd') else 'lz4'
            elf = subprocess.run([program, '-dcq'], input=payload, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 check=False).stdout
        if not elf.startswith(b'\x7fELF'):
            raise Missing('%s: packed as %s' % (self.image, payload[:6].hex()))
        with open(path, 'wb') as file:
            file.write(elf)
        add_names(path, kallsyms, variables)

    def read(self, module):
        """The bytes of a module's file, or None if it is in the image, or not there at all."""
        path = self.files.get(module.replace('-', '_'))
        if path is None:
            return None
        if path.endswith('.zst'):
            return subprocess.run(['zstd', '-dcq', path], stdout=subprocess.PIPE, check=True).stdout
        with lzma.open(path) if path.endswith('.xz') else open(path, 'rb') as file:
            return file.read()

    def build(self, source, directory):
        """The bytes of a module of one source file, and why there are none."""
        if self.headers is None:
            return None, 'there are no headers of this kernel'
        name = os.path.basename(source)[:-len('.c')]
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
        shutil.copy(source, directory)
        with open(os.path.join(directory, 'Makefile'), 'w', encoding='utf-8') as file:
            file.write('obj-m := %s.o\n' % name)
        compilers = [path for path in map(shutil.which, self.compilers()) if path]
        # Types of the module would need another program, pahole.
        got = subprocess.run(['make', '-C', self.headers, 'M=' + directory, 'CC=' + compilers[0],
                              'CONFIG_DEBUG_INFO_BTF_MODULES=', 'modules'],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        with open(os.path.join(directory, 'log'), 'w', encoding='utf-8') as file:
            file.write(got.stdout)
        if got.returncode:
            return None, 'it could not be built: see %s/log' % directory
        with open(os.path.join(directory, name + '.ko'), 'rb') as file:
            return file.read(), None

    def compilers(self):
        """That of the kernel comes first."""
        try:
            with open(os.path.join(self.headers, '.kernelvariables'), encoding='utf-8') as file:
                yield from re.findall(r'gcc-[0-9]+', file.read())
        except OSError:
            pass
        yield 'gcc'

    def with_needed(self, modules):
        """{name: bytes} of modules and what they need, in the order of their loading"""
        found = {}

        def add(name):
            name = name.replace('-', '_')
            content = None if name in found else self.read(name)
            if content is None:
                return
            depends = re.search(rb'(?:^|\0)depends=([^\0]*)\0', content)
            for other in filter(None, (depends[1] if depends else b'').decode().split(',')):
                add(other)
            found[name] = content

        for name in modules:
            add(name)
        return found


def add_names(path, kallsyms, variables):
    """Those of tables and VARIABLES, to a kernel's ELF file without any. Debian's file with all is a gigabyte."""
    places = {}
    with open(kallsyms, encoding='utf-8', errors='replace') as file:
        for line in file:
            address, _, name = line.split()[:3]
            if name in TABLES or name in variables:
                places[name] = int(address, 16)
    listed = subprocess.run(['readelf', '-SW', path], stdout=subprocess.PIPE, text=True, check=True).stdout
    sections = [(found[1], int(found[2], 16), int(found[3], 16)) for found in re.finditer(
        r'\] (\S+) +\S+ +([0-9a-f]{16}) [0-9a-f]+ ([0-9a-f]+)', listed)]
    moved = places['_text'] - next(start for name, start, _ in sections if name == '.text')
    words = []
    for name, address in places.items():
        for section, start, length in sections:
            if start and start <= address - moved <= start + length:
                words.append('--add-symbol=%s=%s:%#x,global%s' % (
                    name, section, address - moved - start, ',object' if name in variables else ''))
                break
    subprocess.run(['objcopy', *words, path], check=True)


def sort_key(version):
    return [int(part) for part in re.findall(r'\d+', version)]


# ---- apt ----

class Apt:
    """The machine's own, or one of a suite with lists of its own."""

    def __init__(self, directory, suite=None):
        self.options = []
        if suite is None:
            return
        place = os.path.join(directory, suite)
        for name in ('lists/partial', 'cache/archives/partial', 'parts'):
            os.makedirs(os.path.join(place, name), exist_ok=True)
        with open(os.path.join(place, 'sources.list'), 'w', encoding='utf-8') as file:
            file.write('deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' % (site(), suite))
        open(os.path.join(place, 'status'), 'a', encoding='utf-8').close()
        for name, value in (('Dir::Etc::sourcelist', 'sources.list'), ('Dir::Etc::sourceparts', 'parts'),
                            ('Dir::State::lists', 'lists'), ('Dir::State::status', 'status'), ('Dir::Cache', 'cache')):
            self.options += ['-o', '%s=%s' % (name, os.path.join(place, value))]
        self.options += ['-o', 'APT::Architecture=amd64', '-o', 'Acquire::Languages=none']
        if os.geteuid() == 0:
            self.options += ['-o', 'APT::Sandbox::User=root']
        got = self.run('apt-get', 'update', '-qq')
        if got.returncode or not os.listdir(os.path.join(place, 'lists')):
            raise Missing('the lists of %s cannot be read: %s' % (suite, ' '.join(got.stderr.split())[:200]))

    def run(self, program, *words, **more):
        return subprocess.run([program, *self.options, *words], capture_output=True, text=True, check=False, **more)

    @functools.lru_cache(maxsize=None)
    def names(self):
        return self.run('apt-cache', 'pkgnames', 'linux-').stdout.split()

    def newest(self, release):
        """The version of the newest kernel of a release, or None"""
        versions = [found[1] for found in map(PACKAGE.match, self.names())
                    if found and re.match(re.escape(release) + r'([.\-+]|$)', found[1]) and sort_key(found[1])[2:]]
        return max(versions, key=sort_key, default=None)

    def download(self, packages, directory):
        os.makedirs(directory, exist_ok=True)
        got = self.run('apt-get', 'download', '-qq', *packages, cwd=directory)
        if got.returncode:
            raise Missing('%s cannot be downloaded: %s' % (', '.join(packages), ' '.join(got.stderr.split())[:200]))
        return [path for package in packages for path in glob.glob(os.path.join(directory, package + '_*.deb'))]


def site():
    """The mirror that this machine uses."""
    got = subprocess.run(['apt-get', 'indextargets', '--format', '$(SITE)'], capture_output=True, text=True, check=False)
    sites = [one for one in got.stdout.split() if re.search(r'/debian/?$', one)]
    return sites[0] if sites else 'http://deb.debian.org/debian'


# ---- files ----

def unpack(packages, directory):
    os.makedirs(directory, exist_ok=True)
    for package in packages:
        subprocess.run(['dpkg-deb', '-x', package, directory], check=True)


def unpack_headers(apt, version, directory):
    """Where modules of a kernel are built, or None."""
    name = 'linux-headers-%s-%s' % (version, FLAVOUR)
    place = os.path.join(directory, 'kernels', version)
    tree = os.path.join(place, 'usr/src', name)
    if os.path.exists(os.path.join(tree, 'complete')):
        return tree
    shown = apt.run('apt-cache', 'show', '--no-all-versions', name).stdout
    needed = re.findall(r'linux-(?:headers|kbuild)-[^ ,]+', ''.join(re.findall(r'(?m)^Depends: (.*)', shown)))
    try:
        unpack(apt.download([name, *needed], os.path.join(directory, 'packages')), place)
        with open(os.path.join(tree, 'Makefile'), 'r+', encoding='utf-8') as file:
            text = re.sub('(?<=[ =])/usr/src/', '%s/usr/src/' % place, file.read())
            file.seek(0)
            file.write(text)
    except (Missing, OSError):
        return None
    open(os.path.join(tree, 'complete'), 'w', encoding='utf-8').close()
    return tree


def find_kernel(directory, headers=None):
    """The kernel in the tree of packages that were unpacked."""
    images = glob.glob(directory + '/boot/vmlinuz-*') + glob.glob(directory + '/usr/lib/modules/*/vmlinuz')
    if not images:
        raise Missing('no kernel in %s' % directory)
    image = images[0]
    version = image.rpartition('vmlinuz-')[2] if '/boot/' in image else image.split('/')[-2]
    for place in ('lib', 'usr/lib'):
        modules = os.path.join(directory, place, 'modules', version)
        if os.path.isdir(modules):
            return Kernel(version, image, modules, headers)
    raise Missing('no modules of %s in %s' % (version, directory))


def of_files(word, directory):
    """WORD is a kernel's image whose modules are in /lib/modules, or packages with a comma between them."""
    if word.endswith('.deb'):
        packages = word.split(',')
        place = os.path.join(directory, 'kernels', os.path.basename(packages[0]))
        unpack(packages, place)
        return find_kernel(place)
    version = os.path.basename(os.path.realpath(word)).partition('vmlinuz-')[2]
    modules = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(word))), 'lib', 'modules', version)
    if not version or not os.path.isdir(modules):
        raise Missing('%s is no vmlinuz-VERSION beside lib/modules/VERSION' % word)
    headers = os.path.join(modules, 'build')
    return Kernel(version, word, modules, headers if os.path.isdir(headers) else None)


def of_apt(apt, version, directory):
    place = os.path.join(directory, 'kernels', version)
    if not os.path.exists(os.path.join(place, 'complete')):
        name = re.compile(PARTS % re.escape('%s-%s' % (version, FLAVOUR)))
        unpack(apt.download(sorted(filter(name.match, apt.names())), os.path.join(directory, 'packages')), place)
        open(os.path.join(place, 'complete'), 'w', encoding='utf-8').close()
    return find_kernel(place, unpack_headers(apt, version, directory))


def find(word, directory):
    """The kernel that WORD means: a release, as 6.1, or a file."""
    if '/' in word or os.path.exists(word):
        return of_files(word, directory)
    own = Apt(directory)
    version = own.newest(word)
    if version:
        return of_apt(own, version, directory)
    reasons = []
    for suite in RELEASES.get(word) or [suite for suites in RELEASES.values() for suite in suites]:
        try:
            apt = Apt(os.path.join(directory, 'apt'), suite)
        except Missing as why:
            reasons.append(str(why))
            continue
        version = apt.newest(word)
        if version:
            return of_apt(apt, version, directory)
    raise Missing('; '.join(['no package of Debian has it', *reasons]))
