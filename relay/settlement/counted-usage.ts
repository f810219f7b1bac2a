import {
  type BoundedUsage,
  boundUsage,
  type ReportedUsage,
} from '../../domain/pricing/bound-usage.ts';
import { searchesAlways } from '../../domain/pricing/tool-prices.ts';
import type { Usage } from '../../domain/pricing/types.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { CallMedia, TextCall } from '../protocol/calls.ts';
import { parseJson } from '../protocol/json.ts';
import { scanMembers } from '../protocol/scan-body.ts';
import { valueText } from '../protocol/splice.ts';
import type { Counting } from './counting.ts';
import type { OutputSize } from './output-size.ts';
import {
  type Agreed,
  type Attempted,
  type BoundTerms,
  fullBound,
  quickBound,
} from './usage-bound.ts';

const noTokens = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheCreationTokens: 0,
} as const;

/** Pictures are paid by tokens only where the provider reports the tokens of drawing them. */
const withPictures = (usage: Usage, pictures: number): Usage =>
  usage.completionTokens > 0 ? { ...usage, pictures } : { ...noTokens, pictures };

/** Usage with the facts of the call itself, whatever the provider reports. */
export const withOwnCounts = (
  usage: Usage,
  { call, quote }: Pick<Agreed, 'call' | 'quote'>,
): Usage => {
  const { media } = call;
  if (media !== undefined && media.pictures > 0) return withPictures(usage, media.pictures);
  if (quote.tools === undefined || call.operation !== 'chat') return usage;
  if (!searchesAlways(call.model)) return usage;
  return { ...usage, webSearches: Math.max(usage.webSearches ?? 0, 1) };
};

/** A report made usable: what cannot be is cut to the most that can. */
export const believed = (reported: ReportedUsage, terms: BoundTerms): BoundedUsage => {
  const quick = boundUsage(reported, quickBound(terms));
  return quick.note === null ? quick : boundUsage(reported, fullBound(terms, reported));
};

/** Whether a report that had to be changed contains nothing that can be billed. */
export const saysNothing = (usage: Usage, note: string | null): boolean =>
  note !== null && usage.promptTokens + usage.completionTokens === 0;

const spokenText = (body: Buffer): string => {
  const member = scanMembers(body)?.get('input');
  const value = member === undefined ? null : parseJson(valueText(body, member));
  return typeof value === 'string' ? value : '';
};

const countedMedia = async (
  { body, operation }: TextCall,
  { inputTokens }: CallMedia,
  { counting, model, userId }: Counter,
): Promise<Usage> => {
  if (operation === 'images') return noTokens;
  const promptTokens =
    inputTokens ?? (await counting.billedText({ text: spokenText(body), model, userId }));
  return { ...noTokens, promptTokens };
};

/** Who counts, by whose table, and for whom. */
type Counter = Readonly<{ counting: Counting; model: string; userId: UserId }>;

export type Received = Readonly<{
  /** What was produced: its text, or about how many tokens it was. */
  produced: string | number;
  outputSize: OutputSize;
  outputLimit: number | null;
  attempt: Attempted;
}>;

/** Usage of what was received, for answers whose upstream reports nothing. */
export const countedUsage = async (
  agreed: Agreed,
  { produced, outputLimit, attempt, outputSize }: Received,
  counter: Counter,
): Promise<Usage> => {
  const { call } = agreed;
  const { counting, model, userId } = counter;
  if (call.media !== undefined) {
    return withOwnCounts(await countedMedia(call, call.media, counter), agreed);
  }
  const { body, scan } = call;
  const [promptTokens, completion] = await Promise.all([
    counting.billedPrompt({ body, scan, model, userId }),
    typeof produced === 'number'
      ? produced
      : counting.billedText({ text: produced, model, userId }),
  ]);
  // Output beyond the requested limit is not charged.
  const terms = { ...agreed, attempt, outputLimit, outputSize };
  const max = outputLimit === null ? completion : fullBound(terms, noTokens).completionTokens;
  const usage = { ...noTokens, promptTokens, completionTokens: Math.min(completion, max) };
  return withOwnCounts(usage, agreed);
};
