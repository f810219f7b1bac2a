import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const signer = 'infra/vault/session-signer.ts';

/** Every file of ours that a process loads, at its start or later. */
const filesOf = async (entry: string): Promise<readonly string[]> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`infra/processes/${entry}.ts`],
    bundle: true,
    splitting: true,
    outdir: '.cache/unused',
    format: 'esm',
    platform: 'node',
    packages: 'external',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs);
};

test.each(['relay', 'projections', 'all-in-one'])(
  'the process %s verifies sessions and holds nothing that could sign one',
  async (entry) => {
    const files = await filesOf(entry);
    expect(files).toContain(`infra/processes/${entry}.ts`);
    expect(files).toContain('infra/vault/session-verifier.ts');
    expect(files).not.toContain(signer);
  },
);

test.each(['control', 'command-api'])('the process %s signs sessions', async (entry) => {
  expect(await filesOf(entry)).toContain(signer);
});
