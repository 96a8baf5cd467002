#!/usr/bin/env python3
"""What summary.py prints of results that Meson wrote. Usage: test_summary.py

SPDX-License-Identifier: GPL-3.0-or-later
"""
import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import summary  # noqa: E402  pylint: disable=wrong-import-position

PROGRAM = '''<testsuites><testsuite name="pentimento.pentimento:x / two" errors="0" failures="1">
<testcase name="1 - a"/><testcase name="2 - b"><failure/></testcase><testcase name="3 - c"/>
<system-out>1..3
ok 1 - a
# before b
not ok 2 - b
# about b
ok 3 - c
# about c</system-out><system-err>%s</system-err></testsuite>%s</testsuites>'''
FINE = '<testsuite name="pentimento.x / fine" errors="0" failures="0"><testcase name="1 - a"/></testsuite>'


class SummaryOfResults(unittest.TestCase):
    def run_summary(self, junit, programs=()):
        with tempfile.TemporaryDirectory() as directory:
            logs = os.path.join(directory, '_build', 'meson-logs')
            os.makedirs(logs)
            path = os.path.join(logs, 'testlog.junit.xml')
            if junit:
                with open(path, 'w', encoding='utf-8') as file:
                    file.write(junit)
            with open(os.path.join(logs, 'testlog.json'), 'w', encoding='utf-8') as file:
                file.writelines(json.dumps(program) + '\n' for program in programs)
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                status = summary.main([path])
        return status, out.getvalue().splitlines()

    def test_failed_case_with_its_lines(self):
        status, lines = self.run_summary(PROGRAM % ('to stderr', ''),
                                         [{'name': 'pentimento:x / two', 'result': 'FAIL'}])
        self.assertEqual(status, 1)
        self.assertEqual(lines, [
            'failed: _build: pentimento.pentimento:x / two: 2 - b',
            '    # before b', '    not ok 2 - b', '    # about b', '    to stderr',
            '2 passed, 1 failed, 0 skipped'])

    def test_no_more_than_the_last_lines(self):
        many = '\n'.join('line %d' % i for i in range(1000))
        _, lines = self.run_summary(PROGRAM % (many, ''))
        self.assertEqual(len(lines), 1 + 3 + summary.MAX_LINES + 1)
        self.assertEqual(lines[-2], '    line 999')

    def test_program_that_fails_beside_its_cases(self):
        for result in ('ERROR', 'TIMEOUT'):
            status, lines = self.run_summary('<testsuites>%s</testsuites>' % FINE, [
                {'name': 'x / fine', 'result': result, 'stdout': 'ok 1 - a', 'stderr': 'leaked'}])
            self.assertEqual(status, 1)
            self.assertEqual(lines, ['failed: _build: x / fine: ' + result.lower(), '    ok 1 - a', '    leaked',
                                     '1 passed, 1 failed, 0 skipped'])

    def test_program_without_cases(self):
        status, lines = self.run_summary(
            '<testsuites><testsuite name="pentimento" errors="0" failures="1"><testcase name="lint"><failure/>'
            '<system-out>said</system-out></testcase><testcase name="other"/></testsuite></testsuites>',
            [{'name': 'lint', 'result': 'FAIL'}, {'name': 'other', 'result': 'OK'}])
        self.assertEqual((status, lines), (1, ['failed: _build: pentimento: lint', '    said',
                                               '1 passed, 1 failed, 0 skipped']))

    def test_all_passed(self):
        self.assertEqual(self.run_summary('<testsuites>%s</testsuites>' % FINE, [{'name': 'x / fine', 'result': 'OK'}]),
                         (0, ['1 passed, 0 failed, 0 skipped']))

    def test_no_results(self):
        status, lines = self.run_summary('')
        self.assertEqual(status, 1)
        self.assertTrue(lines[0].startswith('failed: _build: no results'), lines)


if __name__ == '__main__':
    unittest.main()
