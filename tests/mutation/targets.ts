import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;

/** A path of money: what is mutated, and where the specs stand that have to notice. */
export type Target = Readonly<{
  name: string;
  /** Files or folders. */
  files: readonly string[];
  /** Folders whose unit specs are run, as far as they import a mutated file. */
  specs: readonly string[];
}>;

export const targets: readonly Target[] = [
  { name: 'pricing', files: ['domain/pricing'], specs: ['domain/pricing'] },
  { name: 'account', files: ['domain/account'], specs: ['domain/account'] },
  { name: 'redemption', files: ['domain/redemption'], specs: ['domain/redemption'] },
  { name: 'topup', files: ['domain/topup'], specs: ['domain/topup'] },
  { name: 'token', files: ['domain/token'], specs: ['domain/token'] },
  { name: 'keeper', files: ['command-api/keeper'], specs: ['command-api/keeper'] },
  {
    name: 'commands',
    files: ['command-api/commands'],
    specs: ['command-api/commands', 'command-api/keeper'],
  },
  {
    name: 'outcomes',
    files: [
      'relay/settlement/charge.ts',
      'relay/settlement/counted-usage.ts',
      'relay/settlement/funding.ts',
      'relay/settlement/model-traits.ts',
      'relay/settlement/outcome.ts',
      'relay/settlement/output-size.ts',
      'relay/settlement/reasoning-effort.ts',
      'relay/settlement/rough-tokens.ts',
      'relay/settlement/sent-limit.ts',
      'relay/settlement/usage-bound.ts',
    ],
    specs: ['relay/settlement'],
  },
  {
    name: 'ledger',
    files: [
      'projections/ledger/projector.ts',
      'projections/ledger/leases.ts',
      'projections/ledger/reprice.ts',
    ],
    specs: ['projections/ledger'],
  },
];

/** No decisions of their own: types, and the forms that events are read by. */
const isPlain = (path: string): boolean =>
  /\.spec\.ts$|\/(events|commands|messages|shapes|feed|stream|types)\.ts$|\/defaults\//.test(path);

const underneath = (path: string): readonly string[] =>
  path.endsWith('.ts')
    ? [path]
    : readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(path, name));

export const filesOf = ({ files }: Target): readonly string[] =>
  files.flatMap(underneath).filter((path) => !isPlain(path));

const importsOf = (path: string): readonly string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/from '(\.{1,2}\/[^']+\.ts)'/g)].map(
    ([, target = '']) => normalize(join(dirname(path), target)),
  );

const reaches = (path: string, wanted: ReadonlySet<string>, seen: Set<string>): boolean => {
  if (wanted.has(path)) return true;
  if (seen.has(path)) return false;
  seen.add(path);
  return importsOf(path).some((next) => reaches(next, wanted, seen));
};

/** The specs of a target that import one of the files, however far away. */
export const specsOf = ({ specs }: Target, files: readonly string[]): readonly string[] => {
  const wanted = new Set(files);
  return specs
    .flatMap(underneath)
    .filter((path) => path.endsWith('.unit.spec.ts') && reaches(path, wanted, new Set()));
};
