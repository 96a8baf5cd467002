#!/usr/bin/env python3
"""summary.py JUNIT...: counts the cases of all test programs, and says so in one line.

A failure is named with the build that it is from: the directory above the one of the file.
"""
import os
import sys
import xml.etree.ElementTree as ET

passed = failed = skipped = 0


def is_failed(case):
    return case.find('failure') is not None or case.find('error') is not None


def count(path):
    global passed, failed, skipped
    build = os.path.basename(os.path.dirname(os.path.dirname(os.path.abspath(path))))
    try:
        root = ET.parse(path).getroot()
    except (OSError, ET.ParseError) as error:
        failed += 1
        print('failed: %s: no results: %s' % (build, error))
        return
    for suite in root.iter('testsuite'):
        cases = list(suite.iter('testcase'))
        for case in cases:
            if is_failed(case):
                failed += 1
                print('failed: %s: %s: %s' % (build, suite.get('name'), case.get('name')))
            elif case.find('skipped') is not None:
                skipped += 1
            else:
                passed += 1
        # A program that died or ran out of time may have no failed case of its own.
        if int(suite.get('errors') or 0) + int(suite.get('failures') or 0) > 0 and not any(
                is_failed(case) for case in cases):
            failed += 1
            print('failed: %s: %s' % (build, suite.get('name')))


for argument in sys.argv[1:]:
    count(argument)
print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
sys.exit(1 if failed or not passed else 0)
