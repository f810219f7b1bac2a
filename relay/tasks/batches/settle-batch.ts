import { boundUsage } from '../../../domain/pricing/bound-usage.ts';
import type { Usage } from '../../../domain/pricing/types.ts';
import type { BatchEstimate } from '../../../domain/task/batch.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import { parseObject } from '../../protocol/json.ts';
import type { BatchAdapter } from '../../providers/shared/batches/batch-adapter.ts';
import { isGone } from '../provider-reply.ts';
import type { BatchPlace } from './call-batches.ts';
import { linesOf } from './lines.ts';
import { openContent } from './open-content.ts';

/** Of one answer, which may hold vectors or pictures. */
const maxLineBytes = 16_777_216;
/** No answer reports more tokens; sums of as many lines stay exact. */
const maxTokens = 10_000_000;
const bound = { promptTokens: maxTokens, completionTokens: maxTokens };
const readTimeoutMs = 30 * 60_000;

type Counts = Omit<Usage, 'cacheApart'>;

const nothing: Counts = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheCreationTokens: 0,
};

const added = (sum: Counts, usage: Counts): Counts => ({
  promptTokens: sum.promptTokens + usage.promptTokens,
  completionTokens: sum.completionTokens + usage.completionTokens,
  cachedTokens: sum.cachedTokens + usage.cachedTokens,
  cacheCreationTokens: sum.cacheCreationTokens + usage.cacheCreationTokens,
});

/** For an answer without usage: its share of the estimate. */
const shareOf = ({ requests, promptTokens, completionTokens }: BatchEstimate): Counts => ({
  ...nothing,
  promptTokens: Math.ceil(promptTokens / Math.max(1, requests)),
  completionTokens: Math.ceil(completionTokens / Math.max(1, requests)),
});

/** What the lines of the results add up to. */
class ResultSum {
  readonly #adapter: BatchAdapter;
  readonly #share: Counts;
  #sum = nothing;
  #answered = 0;

  constructor(adapter: BatchAdapter, estimate: BatchEstimate) {
    this.#adapter = adapter;
    this.#share = shareOf(estimate);
  }

  add(text: string): void {
    const line = parseObject(text);
    const found = line === null ? null : this.#adapter.usage(line);
    if (found?.kind === 'unpaid') return;
    const reported = found?.reported ?? null;
    this.#answered += 1;
    const usage = reported === null ? this.#share : boundUsage(reported, bound).usage;
    this.#sum = added(this.#sum, usage);
  }

  get usage(): Usage {
    const apart = this.#adapter.wire === 'anthropic' ? ({ cacheApart: true } as const) : {};
    return { ...this.#sum, ...apart, batchRequests: this.#answered };
  }
}

type Results = Readonly<{ paths: readonly string[]; estimate: BatchEstimate }>;

/**
 * Reads the results once, line by line. `gone`: the provider no longer has them, so the estimate
 * stays. null: they could not be read now.
 */
export const readUsage = async (
  core: Pick<RelayCore, 'logger' | 'openDownload'>,
  place: BatchPlace,
  { paths, estimate }: Results,
): Promise<Usage | 'gone' | null> => {
  const sum = new ResultSum(place.adapter, estimate);
  for (const path of paths) {
    const signal = AbortSignal.timeout(readTimeoutMs);
    const download = await openContent(core, place, { path, signal });
    if (download !== null && isGone(download)) {
      download.body.destroy();
      return 'gone';
    }
    if (download?.status !== 200) {
      download?.body.destroy();
      return null;
    }
    for await (const { bytes } of linesOf(download.body, maxLineBytes)) {
      sum.add(bytes.toString('utf8'));
    }
  }
  return sum.usage;
};
