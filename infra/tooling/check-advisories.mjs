#!/usr/bin/env node
/*
 * `npm run check:advisories`: fails where a package of the product has an advisory of high or critical
 * severity. A registry without an advisory endpoint is named, and nothing is claimed.
 */
import { spawnSync } from 'node:child_process';

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });
let report = {};
try {
  report = JSON.parse(stdout);
} catch {
  // Handled below: npm has printed no report.
}
if (report.vulnerabilities === undefined) {
  console.log(
    `Advisories were not checked: ${report.message ?? 'no advisory source is reachable'}`,
  );
  process.exit(0);
}
const severe = Object.values(report.vulnerabilities).filter(({ severity }) =>
  ['high', 'critical'].includes(severity),
);
for (const { name, severity, range } of severe) console.error(`${severity}: ${name} ${range}`);
console.log(`Advisories of high or critical severity: ${severe.length}`);
process.exit(severe.length > 0 ? 1 : 0);
