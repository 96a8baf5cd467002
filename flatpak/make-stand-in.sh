#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A runtime and an SDK out of the packages of Debian, for machines that cannot reach Flathub: enough to
# see that the manifest builds, and that the application runs inside its sandbox.
#
# usage: make-stand-in.sh DIRECTORY
#   DIRECTORY/repo      an archive with org.debian.StandIn.Platform and .Sdk, branch SUITE
#   DIRECTORY/sources   the sources of the libraries that the manifest builds, a directory for each
set -euo pipefail

work=$(realpath -m "$1")
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
arch=$(flatpak --default-arch)

platform=(
  dash bash coreutils sed grep libc-bin base-files ca-certificates tzdata
  libadwaita-1-0 libgtk-4-1 libgtk-4-bin libgtk-4-common libglib2.0-bin libgdk-pixbuf2.0-bin
  adwaita-icon-theme hicolor-icon-theme gsettings-desktop-schemas dconf-gsettings-backend
  shared-mime-info librsvg2-common fontconfig fontconfig-config fonts-cantarell fonts-dejavu-core xkb-data
  libsqlite3-0 libzstd1 liblzma5 libbz2-1.0 zlib1g libstdc++6 libcurl4 libtraceevent1 libsodium23 libseccomp2
)
sdk=(
  gcc g++ libc6-dev make cmake meson ninja-build pkg-config gettext itstool m4 bison flex gawk
  findutils diffutils tar gzip xz-utils patch file perl-base python3-minimal binutils debugedit
  elfutils git desktop-file-utils appstream appstream-util libxml2-utils
  libgtk-4-dev libadwaita-1-dev libsqlite3-dev libzstd-dev liblzma-dev libbz2-dev zlib1g-dev
  libcurl4-openssl-dev libarchive-dev libtraceevent-dev libsodium-dev libseccomp-dev libiberty-dev
  binutils-dev
)

# Where this machine takes its packages from, for the main archive and for the sources.
# shellcheck disable=SC2016 # apt's own words
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' \
  | awk -v suite="$suite" '$2 == suite && $3 == "main" { print $1; exit }')
[[ -n $mirror ]] || { echo "make-stand-in: apt names no archive of $suite" >&2; exit 1; }

list() { local IFS=,; echo "$*"; }

# Unpacks packages without their scripts, and makes the caches that these would have made.
unpack() { # TREE PACKAGE...
  local tree=$1 file
  shift
  rm -rf "$tree"
  # shellcheck disable=SC2016 # the hook's own argument
  mmdebstrap --quiet --variant=extract --include="$(list "$@")" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --setup-hook='mkdir -p "$1/usr/bin" "$1/usr/sbin" "$1/usr/lib" "$1/usr/lib64"
                  for d in bin sbin lib lib64; do ln -sfn usr/$d "$1/$d"; done' \
    "$suite" "$tree" "$mirror"
  [[ -e $tree/usr/bin/sh ]] || ln -s dash "$tree/usr/bin/sh"
  [[ -e $tree/usr/bin/awk || ! -e $tree/usr/bin/gawk ]] || ln -s gawk "$tree/usr/bin/awk"
  [[ ! -e $tree/usr/bin/gcc ]] || ln -sfn gcc "$tree/usr/bin/cc"
  [[ ! -e $tree/usr/bin/g++ ]] || ln -sfn g++ "$tree/usr/bin/c++"
  mkdir -p "$tree/etc/fonts/conf.d"
  for file in "$tree"/usr/share/fontconfig/conf.avail/*.conf; do
    ln -sfn "/usr/share/fontconfig/conf.avail/${file##*/}" "$tree/etc/fonts/conf.d/${file##*/}"
  done
  # shellcheck disable=SC2016 # for the shell inside
  bwrap --bind "$tree" / --dev /dev --proc /proc --tmpfs /tmp --unshare-all --setenv PATH /usr/bin:/usr/sbin \
    sh -c 'ldconfig
           glib-compile-schemas /usr/share/glib-2.0/schemas
           /usr/lib/*/gdk-pixbuf-2.0/gdk-pixbuf-query-loaders --update-cache
           update-mime-database /usr/share/mime
           for modules in /usr/lib/*/gio/modules; do /usr/lib/*/glib-2.0/gio-querymodules "$modules"; done' \
    >/dev/null 2>&1
}

export_runtime() { # NAME TREE
  local build=$work/$1
  rm -rf "$build"
  mkdir -p "$build/files"
  mv "$2/usr" "$build/usr"
  cp -a "$2/etc" "$build/usr/etc"
  rm -rf "$2" "$build"/usr/etc/{apt,dpkg,alternatives,passwd,group,shadow,resolv.conf,hosts,hostname,machine-id,localtime}
  find "$build/usr" \( -type c -o -type b -o -type p -o -type s \) -delete
  chmod -R u+rwX,go+rX,go-w "$build/usr"
  cat >"$build/metadata" <<TEXT
[Runtime]
name=org.debian.StandIn.$1
runtime=org.debian.StandIn.Platform/$arch/$suite
sdk=org.debian.StandIn.Sdk/$arch/$suite
TEXT
  flatpak build-export --runtime --disable-sandbox "$work/repo" "$build" "$suite" >/dev/null
  rm -rf "$build"
}

mkdir -p "$work"
[[ -d $work/repo ]] || ostree init --mode=archive --repo="$work/repo"
unpack "$work/tree" "${platform[@]}"
rm -rf "$work"/tree/usr/lib/*/dri "$work"/tree/usr/lib/*/libLLVM*
export_runtime Platform "$work/tree"
unpack "$work/tree" "${platform[@]}" "${sdk[@]}"
export_runtime Sdk "$work/tree"
flatpak build-update-repo "$work/repo" >/dev/null

# The sources of the libraries, as the distribution has them. libtraceevent comes with the runtime: its
# sources are not in every archive.
lists=$work/apt
mkdir -p "$lists"/{lists/partial,cache/archives/partial} "$work/sources"
echo "deb-src $mirror $suite main" >"$lists/sources.list"
apt_options=(-o "Dir::Etc::sourcelist=$lists/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$lists/lists"
  -o "Dir::Cache=$lists/cache" -o APT::Sandbox::User=root)
apt-get "${apt_options[@]}" -qq update
for library in capstone elfutils; do
  rm -rf "$work/sources/$library" "$lists/unpack"
  mkdir "$lists/unpack"
  # Not every archive has all sources. A library that is left out here is taken from the runtime.
  if (cd "$lists/unpack" && apt-get "${apt_options[@]}" -qq source "$library" >/dev/null 2>&1); then
    mv "$lists"/unpack/*/ "$work/sources/$library"
  else
    echo "make-stand-in: no sources of $library in this archive" >&2
  fi
done
rm -rf "$lists"
