import type { ReportedUsage } from '../../../../domain/pricing/bound-usage.ts';
import type { BatchWire } from '../../../../domain/task/batch.ts';
import type { UpstreamChannel } from '../../../feeds/upstream-channel.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';

export type BatchStatus = Readonly<{
  /** `done`: there are results, or there will be none. `failed`: nothing of it was carried out. */
  state: 'running' | 'done' | 'failed';
  /** Requests that have ended, of all of them; null where the provider does not report it. */
  percent: number | null;
  /** Why it failed; "" where it has not. */
  reason: string;
  /** What callers are shown of it and how its results are fetched; no other identifiers. */
  data: JsonObject;
}>;

/** What one line of the results contains about its request. */
type LineUsage =
  | Readonly<{ kind: 'unpaid' }>
  /** It was answered; null: the answer does not say what it used. */
  | Readonly<{ kind: 'answered'; reported: ReportedUsage | null }>;

/** One provider of batches: how a batch is made, watched, ended and read there. */
export type BatchAdapter = Readonly<{
  wire: BatchWire;
  /** For a channel without an address. */
  baseUrl: string;
  headers: (channel: UpstreamChannel) => Readonly<Record<string, string>>;
  /** Paths below the base address of the channel. */
  path: string;
  /** "" where batches carry their requests. */
  filesPath: string;
  cancelPath: (upstreamId: string) => string;
  /** null: the answer contains no batch. */
  status: (answer: JsonObject) => BatchStatus | null;
  /** Where the results are, by what `status` has kept; each is lines of JSON. */
  resultPaths: (upstreamId: string, data: JsonObject) => readonly string[];
  usage: (line: JsonObject) => LineUsage;
}>;

export const fileContentPath = (
  { filesPath }: Pick<BatchAdapter, 'filesPath'>,
  upstreamId: string,
): string => `${filesPath}/${encodeURIComponent(upstreamId)}/content`;
