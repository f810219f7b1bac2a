/* How `test-all.mjs` counts one file of vitest's JSON report. */

type TestResult = Readonly<{
  status: string;
  fullName: string;
  failureMessages: readonly string[];
}>;

type FileResult = Readonly<{
  status: string;
  /** Of an error outside of the tests; "" for none. */
  message: string;
  assertionResults: readonly TestResult[];
}>;

type FileCounts = Readonly<{
  passed: number;
  failed: number;
  /** What follows the path of the file in the list of failures. */
  failures: readonly string[];
  /** Titles of the tests that the file declares as skipped. */
  leftOut: readonly string[];
}>;

const firstLine = (text = ''): string => text.split('\n', 1)[0] ?? '';

/**
 * Tests that did not run because their file failed (an engine that did not start) are failures: only a test that
 * its file declares as skipped is left out, and its title has the reason.
 */
export const countFile = ({ status, message, assertionResults }: FileResult): FileCounts => {
  const withStatus = (...statuses: readonly string[]) =>
    assertionResults.filter((test) => statuses.includes(test.status));
  const passed = withStatus('passed').length;
  const notRun = withStatus('pending', 'skipped', 'todo').map(({ fullName }) => fullName);
  const failures = withStatus('failed').map(
    ({ fullName, failureMessages }) => ` > ${fullName}: ${firstLine(failureMessages[0])}`,
  );
  const hasFileFailed = status === 'failed' && (message !== '' || failures.length === 0);
  if (!hasFileFailed) return { passed, failed: failures.length, failures, leftOut: notRun };
  const hasRun = passed + failures.length > 0;
  const count = hasRun ? '' : ` (${notRun.length} tests did not run)`;
  return {
    passed,
    failed: failures.length + (hasRun ? 1 : Math.max(1, notRun.length)),
    failures: [...failures, `: ${firstLine(message)}${count}`],
    leftOut: hasRun ? notRun : [],
  };
};
