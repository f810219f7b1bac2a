/*
 * `npm run simulate`: histories from fresh seeds, or one of them again.
 *   --seed N        the first seed; alone, that history and no other
 *   --histories N   so many, or --seconds S: as long as that
 *   --history FILE  a stored history
 *   --profile full  with what the product cannot withstand yet
 *   --faults a,b    planted faults to switch on (--list-faults names them)
 *   --planted       searches for each planted fault in turn (--faults: for these), 10,000 histories at
 *                   most or --histories; --keep stores what finds it for the test
 *   --trace         writes a page that shows the history
 *   --cores N       processes, 1 by default
 */
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign/campaign.ts';
import { runPlanted } from './campaign/planted.ts';
import { replay } from './campaign/replay.ts';
import { faults } from './faults/catalogue.ts';
import { today } from './known-faults.ts';
import { full } from './nemesis/profile.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    histories: { type: 'string' },
    seconds: { type: 'string' },
    history: { type: 'string' },
    profile: { type: 'string', default: 'today' },
    faults: { type: 'string', default: '' },
    trace: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    cores: { type: 'string', default: '1' },
    'list-faults': { type: 'boolean', default: false },
  },
});

const number = (text: string | undefined): number | null => {
  if (text === undefined) return null;
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  process.stderr.write(`${text} is no number\n`);
  process.exit(2);
};

const profile = values.profile === 'full' ? full : today;
const names = values.faults.split(',').filter((name) => name !== '');
const seed = number(values.seed);
const histories = number(values.histories);
const seconds = number(values.seconds);

if (values['list-faults']) {
  for (const { name, what } of faults) console.log(`${name.padEnd(28)} ${what}`);
} else if (values.planted) {
  process.exitCode = await runPlanted({
    names,
    histories: histories ?? 10_000,
    cores: number(values.cores) ?? 1,
    isKept: values.keep,
  });
} else if (
  values.history !== undefined ||
  (seed !== null && histories === null && seconds === null)
) {
  const source = values.history ?? seed ?? 0;
  process.exitCode = await replay({ source, profile, faults: names, isTraced: values.trace });
} else {
  process.exitCode = await runCampaign({
    from: seed ?? 1 + (Date.now() % 1_000_000_000),
    histories,
    seconds: seconds ?? (histories === null ? 60 : null),
    cores: number(values.cores) ?? 1,
    profile,
    faults: names,
  });
}
