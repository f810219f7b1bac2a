import { allLogs } from '../support/console-client.ts';
import { eventually } from '../support/product.ts';
import { gapOf } from './gaps.ts';
import type { Outcome } from './run-driver.ts';
import type { columns, Site } from './site.ts';
import type { Counted } from './upstreams/scene.ts';

export type Column = (typeof columns)[number];
/**
 * `why` is empty where the cell passes. A gap is a call that the product does not serve yet; its
 * list in `gaps.ts` must not name what passes.
 */
export type Cell = Readonly<{
  client: string;
  column: string;
  cell: string;
  why: string;
  kind: 'passed' | 'failed' | 'gap' | 'not offered';
}>;

const pictureBytes = 70;

/** What the stub's answer becomes at the client, cell by cell. */
const expected = (
  client: string,
  { shape, proves }: Column,
): Readonly<Record<string, unknown>> => ({
  plain: `Hello from ${shape}`,
  stream: `Hello from ${shape}`,
  tool: 'The tool answered: sunny in Paris',
  'streamed tool': 'The tool answered: sunny in Paris',
  thinking: `The tool answered: sunny in Paris; thinking true, proofs ${proves || client.includes('responses') ? 1 : 0}`,
  json: '{"city":"Paris","population":2}',
  image: `Pictures of ${pictureBytes} bytes`,
  system: 'Instructed: Answer as a pirate.',
  caches: `Hello from ${shape}; read`,
  '401': 401,
  '429': 429,
  '400': 400,
});

const spaceless = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('{') ? JSON.stringify(JSON.parse(value)) : value;

const whyOf = (client: string, outcome: Outcome, column: Column): string => {
  if (outcome.notOffered !== undefined) return outcome.notOffered;
  if (outcome.error !== undefined) return outcome.error;
  const wanted = expected(client, column)[outcome.cell];
  const value = spaceless(outcome.value);
  return value === wanted ? '' : `${JSON.stringify(value)} instead of ${JSON.stringify(wanted)}`;
};

const named = (client: string, column: Column, cell: string) => ({
  client,
  column: column.name,
  cell,
});

/** A cell that the client can request. */
export const offeredCell = (
  client: string,
  column: Column,
  { cell, why }: Readonly<{ cell: string; why: string }>,
): Cell => {
  const own = named(client, column, cell);
  const gap = gapOf(own);
  if (gap === undefined) return { ...own, why, kind: why === '' ? 'passed' : 'failed' };
  return why === ''
    ? { ...own, why: 'passes, and is still listed in gaps.ts', kind: 'failed' }
    : { ...own, why: gap, kind: 'gap' };
};

/** A cell that cannot be tried, and why. */
export const skippedCell = (
  client: string,
  column: Column,
  { cell, why }: Readonly<{ cell: string; why: string }>,
): Cell => ({ ...named(client, column, cell), why, kind: 'not offered' });

/** For a provider without context caches that a call makes: the product must report that itself. */
const withoutCaches = (client: string, column: Column, { error = '' }: Outcome): Cell => {
  const cell = 'caches';
  if (!error.includes('no channel of it has them')) {
    return offeredCell(client, column, { cell, why: `not refused: ${error}` });
  }
  return skippedCell(client, column, { cell, why: 'the provider has no caches made by a call' });
};

export const cellOf = (client: string, column: Column, outcome: Outcome): Cell => {
  const { cell, notOffered } = outcome;
  if (cell === 'caches' && notOffered === undefined && !column.caches) {
    return withoutCaches(client, column, outcome);
  }
  const why = whyOf(client, outcome, column);
  return notOffered === undefined
    ? offeredCell(client, column, { cell, why })
    : skippedCell(client, column, { cell, why });
};

const sorted = (pairs: readonly (readonly [number, number])[]): string =>
  pairs
    .map((pair) => pair.join('+'))
    .sort()
    .join(' ');

/** The usage log holds what the provider billed, each call once. */
export const billingOf = async (
  { admin }: Site,
  tokenId: number,
  billed: readonly Counted[],
): Promise<string> => {
  const wanted = sorted(billed.map(({ prompt, completion }) => [prompt, completion]));
  const found = async (): Promise<string> => {
    const rows = (await allLogs(admin, 2)).filter(({ token_id }) => token_id === tokenId);
    return sorted(rows.map((row) => [row.prompt_tokens, row.completion_tokens]));
  };
  try {
    await eventually(async () => {
      if ((await found()) !== wanted) throw new Error('not yet');
    }, 8_000);
    return '';
  } catch {
    return `charged ${await found()} instead of ${wanted}`;
  }
};
