import { z } from 'zod';
import type { SiteOptions } from '../options/site-options.ts';
import type { Job } from './job.ts';

type Deps = Readonly<{
  options: SiteOptions;
}>;

const everyMs = 12 * 3_600_000;
const timeoutMs = 10_000;
const release = z.object({ tag_name: z.string().min(1) });

const bare = (version: string): string => version.trim().replace(/^v/i, '');

/** Checks the releases page that the operator has set for a newer version. */
export const checkVersion = ({ options }: Deps, version: string): Job => ({
  name: 'version-check',
  everyMs: async () =>
    (await options.text('general_setting.releases_url')) === '' ? null : everyMs,
  run: async ({ signal }) => {
    const address = await options.text('general_setting.releases_url');
    if (address === '') return {};
    const answer = await fetch(address, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    }).catch((cause: unknown) => {
      throw new Error('the releases page could not be reached', { cause });
    });
    if (!answer.ok) throw new Error(`the releases page answered with status ${answer.status}`);
    const { tag_name } = release.parse(await answer.json());
    return { newer: bare(tag_name) === bare(version) ? 0 : 1 };
  },
});
