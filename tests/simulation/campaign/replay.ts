import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWithFaults } from '../faults/catalogue.ts';
import type { History } from '../history.ts';
import type { Profile } from '../nemesis/profile.ts';
import { pageOf } from '../trace/page.ts';
import { outputDirectory } from './campaign.ts';
import { openSimulator } from './simulator.ts';

type ReplayPlan = Readonly<{
  /** A seed, or the file of a history. */
  source: number | string;
  profile: Profile;
  faults: readonly string[];
  isTraced: boolean;
}>;

export const readHistory = (path: string): History =>
  JSON.parse(readFileSync(path, 'utf8')) as History;

/** Runs one history again and reports what it shows; 0: nothing. */
export const replay = async (plan: ReplayPlan): Promise<number> => {
  const { source, profile, faults, isTraced } = plan;
  const simulator = openSimulator(await bundleWithFaults(faults));
  const history =
    typeof source === 'string' ? readHistory(source) : await simulator.generate(source, profile);
  const { violations, trace } = await simulator.run(history, { isTraced });
  await simulator.stop();
  for (const { kind, detail } of violations) console.log(`${kind}: ${detail}`);
  if (violations.length === 0) console.log('nothing was found');
  if (trace !== null) {
    const path = join(outputDirectory, `trace-${history.seed}.html`);
    writeFileSync(path, pageOf({ history, violations, trace }));
    console.log(path);
  }
  return violations.length === 0 ? 0 : 1;
};
