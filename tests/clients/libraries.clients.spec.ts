import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billingOf, cellOf, offeredCell } from './matrix.ts';
import { type MatrixRun, startMatrix } from './matrix-run.ts';
import { runDriver } from './run-driver.ts';
import { columns } from './site.ts';

const drivers = [
  ...['openai-chat', 'openai-responses', 'openai-responses-websocket'],
  ...['openai-responses-conversations', 'anthropic', 'genai'],
  ...['ai-openai-chat', 'ai-openai-responses', 'ai-anthropic', 'ai-google'],
  ...['agents-chat', 'agents-responses'],
  ...['langchain-openai-chat', 'langchain-openai-responses', 'langchain-anthropic'],
  ...['instructor', 'mistral', 'cohere', 'ollama'],
];
/** `CLIENTS=anthropic,genai` runs these alone. */
const asked = process.env.CLIENTS?.split(',') ?? drivers;

let run: MatrixRun;
beforeAll(async () => {
  run = await startMatrix('libraries');
});
afterAll(async () => run?.close());

describe.each(drivers)('%s', (driver) => {
  test.runIf(asked.includes(driver)).each(columns)(
    'works through a channel of $name',
    async (column) => {
      const { site, upstreams, cells } = run;
      const { key, id } = await site.tokenFor(column);
      upstreams.take();
      const { url } = site.product;
      const outcomes = await runDriver({ driver, url, key: `sk-${key}`, model: column.model });
      const { billed, broken } = upstreams.take();
      const own = outcomes.map((outcome) => cellOf(driver, column, outcome));
      const why = await billingOf(site, id, billed);
      own.push(offeredCell(driver, column, { cell: 'billing', why }));
      own.push(offeredCell(driver, column, { cell: 'rules', why: broken.join('; ') }));
      cells.push(...own);
      const failed = own.filter(({ kind }) => kind === 'failed');
      expect(failed.map((cell) => `${cell.cell}: ${cell.why}`)).toEqual([]);
    },
  );
});
