/* `npm run checklist`: what the console promises, and how much of it a test holds. */

import { readCoverage } from './coverage.ts';
import { checklist } from './covers.ts';
import { reasonLeft } from './left.ts';

const { by, left } = readCoverage();
const areas = [...new Set(checklist.map(({ route }) => route))];
for (const route of areas) {
  const entries = checklist.filter((entry) => entry.route === route);
  const open = left.filter((entry) => entry.route === route);
  console.log(`${route.padEnd(24)} ${entries.length - open.length} / ${entries.length}`);
  for (const { id, feature } of open) {
    console.log(`    left  ${id.padEnd(16)} ${feature}`);
    console.log(`          ${' '.repeat(16)} ${reasonLeft.get(id) ?? 'no reason is given'}`);
  }
}
console.log(`\n${by.size} of ${checklist.length} promises are held by a test.`);
