#!/usr/bin/env python3
"""summary.py JUNIT...: the failed cases of all test programs with what they printed, and a line that counts all.

A failure is named with the build that it is from: the directory above the one of the file. The log that
Meson writes beside a JUnit file, testlog.json, knows more: a program may fail whose cases all passed.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import re
import sys
import xml.etree.ElementTree as ET

MAX_LINES = 40
MAX_COLUMNS = 400
RESULT = re.compile(r'\s*(not )?ok\b')
BAD = {'FAIL', 'ERROR', 'TIMEOUT', 'INTERRUPT', 'UNEXPECTEDPASS'}


def is_failed(case):
    return case.find('failure') is not None or case.find('error') is not None


def lines_of(element, tag):
    return (element.findtext(tag) or '').rstrip().splitlines()


def lines_about(name, out):
    """The lines of TAP from the result before that of the case to the result after it."""
    at = [i for i, line in enumerate(out) if RESULT.match(line)]
    for k, i in enumerate(at):
        words = re.match(r'\s*not ok\s+(\d*)\s*(?:- )?(.*)', out[i])
        if words and re.sub(r'^\d+ ?(- )?', '', name) in ('', words[2].strip().split(' # ')[0].strip()):
            return out[at[k - 1] + 1 if k > 0 else 0:at[k + 1] if k + 1 < len(at) else len(out)]
    return out


class Summary:
    """Counts cases, and prints those that failed."""

    def __init__(self, print_line=print):
        self.passed = self.failed = self.skipped = 0
        self.print = print_line

    def fail(self, words, out, err):
        self.failed += 1
        self.print('failed: ' + words)
        for lines in (out, err):
            for line in lines[-MAX_LINES:]:
                self.print('    ' + line[:MAX_COLUMNS])

    def count_suite(self, build, suite):
        """Returns whether a failure of the program is among the failed cases."""
        name = suite.get('name')
        cases = list(suite.iter('testcase'))
        out, err = lines_of(suite, 'system-out'), lines_of(suite, 'system-err')
        failed = self.failed
        for case in cases:
            if is_failed(case):
                # Each case of a program with TAP, or a program of its own.
                about = lines_about(case.get('name'), out) + lines_of(case, 'system-out')
                self.fail('%s: %s: %s' % (build, name, case.get('name')), about,
                          err + lines_of(case, 'system-err'))
                err = []  # once a program
            elif case.find('skipped') is not None:
                self.skipped += 1
            else:
                self.passed += 1
        # A program that died or ran out of time may have no failed case of its own.
        if int(suite.get('errors') or 0) + int(suite.get('failures') or 0) > 0 and self.failed == failed:
            self.fail('%s: %s' % (build, name), out, err)

    def count(self, path):
        build = os.path.basename(os.path.dirname(os.path.dirname(os.path.abspath(path))))
        try:
            root = ET.parse(path).getroot()
        except (OSError, ET.ParseError) as error:
            self.fail('%s: no results: %s' % (build, error), [], [])
            return
        told = set()
        for suite in root.iter('testsuite'):
            failed = self.failed
            self.count_suite(build, suite)
            told |= {case.get('name') for case in suite.iter('testcase') if is_failed(case)}
            if self.failed > failed:
                told.add(suite.get('name').split('.', 1)[-1])
        self.count_programs(build, path.replace('.junit.xml', '.json'), told)

    def count_programs(self, build, path, told):
        """Those that failed beside their cases: their exit status, a leak at the end, a timeout."""
        if not path.endswith('.json') or not os.path.exists(path):
            return
        with open(path, encoding='utf-8', errors='replace') as file:
            for line in file:
                program = json.loads(line)
                if program['result'] in BAD and program['name'] not in told:
                    self.fail('%s: %s: %s' % (build, program['name'], program['result'].lower()),
                              (program.get('stdout') or '').splitlines(),
                              (program.get('stderr') or '').splitlines())


def main(paths):
    summary = Summary()
    for path in paths:
        summary.count(path)
    print('%d passed, %d failed, %d skipped' % (summary.passed, summary.failed, summary.skipped))
    return 1 if summary.failed or not summary.passed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
