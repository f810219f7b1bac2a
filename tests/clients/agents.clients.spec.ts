import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billingOf, offeredCell, skippedCell } from './matrix.ts';
import { type MatrixRun, startMatrix } from './matrix-run.ts';
import { agents, runAgent, whyNot } from './run-agent.ts';
import { columns } from './site.ts';

/** `CLIENTS=claude,codex` runs these alone. */
const asked = process.env.CLIENTS?.split(',') ?? agents;
const isAsked = process.env.AGENTS === '1';

let run: MatrixRun;
beforeAll(async () => {
  run = await startMatrix('agents');
});
afterAll(async () => run?.close());

const scenes = {
  plain: () => 'SCENE-plain Say hello.',
  'reads a file': (file: string) => `SCENE-tool What does it say? FILE=${file}`,
} as const;

describe.each(agents)('%s', (agent) => {
  test.runIf(isAsked && asked.includes(agent)).each(columns)(
    'works through a channel of $name',
    async (column) => {
      const { site, upstreams, cells } = run;
      const missing = await whyNot(agent);
      if (missing !== '') {
        cells.push(skippedCell(agent, column, { cell: 'plain', why: missing }));
        return;
      }
      const { key, id } = await site.tokenFor(column);
      const target = { url: site.product.url, key: `sk-${key}`, model: column.model };
      const expected = { plain: `Hello from ${column.shape}`, 'reads a file': 'the note of the' };
      const own = [];
      upstreams.take();
      for (const [cell, scene] of Object.entries(scenes)) {
        const output = await runAgent(agent, target, scene);
        const isThere = output.includes(expected[cell as keyof typeof scenes]);
        const why = isThere ? '' : output.trim().slice(-500);
        own.push(offeredCell(agent, column, { cell, why }));
      }
      const { billed, broken } = upstreams.take();
      const why = await billingOf(site, id, billed);
      own.push(offeredCell(agent, column, { cell: 'billing', why }));
      own.push(offeredCell(agent, column, { cell: 'rules', why: broken.join('; ') }));
      cells.push(...own);
      const failed = own.filter(({ kind }) => kind === 'failed');
      expect(failed.map((cell) => `${cell.cell}: ${cell.why}`)).toEqual([]);
    },
    300_000,
  );
});
