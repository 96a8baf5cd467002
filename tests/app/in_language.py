#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a test in a locale of its own making, with the translations of the build.

usage: in_language.py LANGUAGE TRANSLATIONS SCRATCH COMMAND…

LANGUAGE: of po/LINGUAS, or "numbers": English words, with the numbers of Germany. Of the languages, those of OFTEN are tried each
time, all of them with PENTIMENTO_LANGUAGES=all: they differ in little but the width of words.
"""

import os
import pathlib
import shutil
import subprocess
import sys

OFTEN = ('de', 'fr', 'numbers')
LOCALES = {'de': 'de_DE', 'es': 'es_ES', 'fr': 'fr_FR', 'ja': 'ja_JP', 'pt_BR': 'pt_BR', 'zh_CN': 'zh_CN', 'numbers': 'de_DE'}


def skip(why):
    print(f'1..0 # SKIP {why}', flush=True)
    sys.exit(0)


def has_font(language):
    """Without one, there are boxes with numbers in place of letters, whose widths say nothing."""
    if not shutil.which('fc-list'):
        return False
    tag = language.replace('_', '-').lower()
    return subprocess.run(['fc-list', f':lang={tag}', 'family'], stdout=subprocess.PIPE, check=True).stdout.strip() != b''


def make_locale(locale, scratch):
    """Debian has the sources in its package locales, and makes none of them by itself."""
    if not shutil.which('localedef') or not pathlib.Path('/usr/share/i18n/locales', locale).exists():
        skip(f'no localedef, or no sources of {locale} (package locales)')
    scratch.mkdir(parents=True, exist_ok=True)
    # Others may make it at the same time.
    made = scratch / f'{locale}.{os.getpid()}'
    subprocess.run(['localedef', '--no-archive', '--quiet', '-i', locale, '-f', 'UTF-8', made], check=False)
    assert (made / 'LC_NUMERIC').exists(), made
    place = scratch / f'{locale}.UTF-8'
    if not place.exists():
        try:
            made.rename(place)
        except OSError:
            pass
    shutil.rmtree(made, ignore_errors=True)
    return place.name


def main():
    language, translations, scratch = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    if language not in OFTEN and os.environ.get('PENTIMENTO_LANGUAGES') != 'all':
        skip('tried with PENTIMENTO_LANGUAGES=all')
    if language in ('ja', 'zh_CN') and not has_font(language):
        skip(f'no font for {language}')
    locale = make_locale(LOCALES[language], scratch)
    env = {**os.environ, 'LC_ALL': locale, 'LOCPATH': str(scratch), 'PENTIMENTO_LOCALE': translations,
           'LANGUAGE': 'en' if language == 'numbers' else language}
    os.execvpe(sys.argv[4], sys.argv[4:], env)


if __name__ == '__main__':
    main()
