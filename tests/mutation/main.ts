import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sample } from './sample.ts';
import { type Judged, trySession } from './session.ts';
import { filesOf, specsOf, targets } from './targets.ts';

/* `npm run test:mutation -- --target pricing --files price --max 40 --seed 7 --floor 90` */
const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    files: { type: 'string', multiple: true },
    max: { type: 'string' },
    seed: { type: 'string', default: '1' },
    /** Percent below which the run fails. */
    floor: { type: 'string', default: '0' },
  },
});

const root = new URL('../..', import.meta.url).pathname;
const equivalents: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'tests/mutation/equivalent.json'), 'utf8'),
);

type Row = Readonly<{ path: string; tried: number; killed: number; score: number }>;

const isNoticed = ({ outcome }: Judged): boolean => outcome === 'killed' || outcome === 'timeout';
const rowOf = (path: string, judged: readonly Judged[]): Row => {
  const killed = judged.filter(isNoticed).length;
  const score = judged.length === 0 ? 100 : (killed / judged.length) * 100;
  return { path, tried: judged.length, killed, score: Math.round(score * 10) / 10 };
};

const wants = (name: string): boolean => values.target?.includes(name) ?? true;
const wantsFile = (path: string): boolean =>
  values.files?.some((part) => path.includes(part)) ?? true;

const rows: Row[] = [];
const survivors: Judged[] = [];
for (const target of targets.filter(({ name }) => wants(name))) {
  const files = filesOf(target).filter(wantsFile);
  if (files.length === 0) continue;
  const specs = specsOf(target, files);
  const judged = await trySession({
    files,
    specs,
    choose: (mutants) => {
      const real = mutants.flatMap(({ key }, id) => (equivalents[key] === undefined ? [id] : []));
      return sample(real, Number(values.max ?? real.length), Number(values.seed));
    },
  });
  rows.push(rowOf(target.name, judged));
  for (const file of files) {
    const own = judged.filter(({ mutant }) => mutant.file === file);
    if (own.length > 0) rows.push(rowOf(`  ${file}`, own));
  }
  const left = judged.filter((each) => !isNoticed(each));
  survivors.push(...left);
  for (const { mutant, outcome } of left) {
    console.log(`${outcome}: ${mutant.file}:${mutant.line} ${mutant.operator}: ${mutant.from}`);
    console.log(`    ${mutant.to}`);
  }
}

for (const { path, tried, killed, score } of rows) {
  console.log(`${path.padEnd(52)} ${killed}/${tried}`.padEnd(68), `${score} %`);
}
const totals = rows.filter(({ path }) => !path.startsWith(' '));
const tried = totals.reduce((sum, row) => sum + row.tried, 0);
const killed = totals.reduce((sum, row) => sum + row.killed, 0);
const score = tried === 0 ? 100 : (killed / tried) * 100;
console.log(`all ${killed}/${tried} ${score.toFixed(1)} %`);

mkdirSync(join(root, '.cache'), { recursive: true });
writeFileSync(
  join(root, '.cache/mutation.json'),
  JSON.stringify({ rows, survivors, equivalents: Object.keys(equivalents).length }, null, 2),
);
process.exit(score < Number(values.floor) ? 1 : 0);
