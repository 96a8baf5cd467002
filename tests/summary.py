#!/usr/bin/env python3
"""summary.py JUNIT: counts the cases of all test programs, and says so in one line."""
import sys
import xml.etree.ElementTree as ET

passed = failed = skipped = 0
for suite in ET.parse(sys.argv[1]).getroot().iter('testsuite'):
    for case in suite.iter('testcase'):
        if case.find('failure') is not None or case.find('error') is not None:
            failed += 1
            print('failed: %s: %s' % (suite.get('name'), case.get('name')))
        elif case.find('skipped') is not None:
            skipped += 1
        else:
            passed += 1
    # A program that died or ran out of time may have no failed case of its own.
    if int(suite.get('errors') or 0) + int(suite.get('failures') or 0) > 0 and not any(
            case.find('failure') is not None or case.find('error') is not None
            for case in suite.iter('testcase')):
        failed += 1
        print('failed: %s' % suite.get('name'))
print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
sys.exit(1 if failed or not passed else 0)
