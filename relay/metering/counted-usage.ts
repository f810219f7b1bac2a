import type { UsageBound } from '../../domain/pricing/bound-usage.ts';
import { searchesAlways } from '../../domain/pricing/tool-prices.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import { producesText } from '../providers/shared/operations.ts';
import type { CallMedia, TextCall } from '../providers/types.ts';
import { countPromptTokens, countTokens } from './count-tokens.ts';

/** Prompts may hold what the provider adds: tools, searched pages, the size of a picture. */
const promptSlack = 131_072;
const tokensPerBlob = 65_536;
/** Reasoning may stand outside the limit that a client names. */
const completionSlack = 65_536;
const mostCompletionTokens = 1_000_000;
/** Of each tool of the provider's own; no answer searches more often. */
const mostToolCalls = 128;

/** What a call is and what was agreed about its price. */
export type Agreed = Readonly<{ call: TextCall; quote: Quote }>;

const mostOutput = ({ operation, media }: TextCall, limit: number | null): number => {
  if (media !== undefined) return media.mostOutputTokens;
  if (!producesText(operation)) return 0;
  if (limit === null) return mostCompletionTokens;
  return Math.min(2 * limit + completionSlack, mostCompletionTokens);
};

/** No honest report of this request is above it. `limit`: output tokens that the caller allows. */
export const boundOf = ({ call, quote }: Agreed, limit: number | null): UsageBound => ({
  promptTokens:
    call.body.length +
    promptSlack +
    call.scan.blobs * tokensPerBlob +
    (call.media?.inputTokens ?? 0),
  completionTokens: mostOutput(call, limit),
  toolCalls: quote.tools === undefined ? 0 : mostToolCalls,
});

const noTokens = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheCreationTokens: 0,
} as const;

/** Pictures are paid by tokens only where the provider tells what drawing them took. */
const withPictures = (usage: Usage, pictures: number): Usage =>
  usage.completionTokens > 0 ? { ...usage, pictures } : { ...noTokens, pictures };

/** Usage with what is known of the call itself, whatever the provider says. */
export const withOwnCounts = (usage: Usage, { call, quote }: Agreed): Usage => {
  const { media } = call;
  if (media !== undefined && media.pictures > 0) return withPictures(usage, media.pictures);
  if (quote.tools === undefined || call.operation !== 'chat') return usage;
  if (!searchesAlways(call.model)) return usage;
  return { ...usage, webSearches: Math.max(usage.webSearches ?? 0, 1) };
};

/** Does a report that had to be changed say nothing that can be billed? */
export const saysNothing = (usage: Usage, note: string | null): boolean =>
  note !== null && usage.promptTokens + usage.completionTokens === 0;

const spokenText = (body: Buffer): string => {
  const asked: unknown = JSON.parse(body.toString('utf8'));
  const isAsked = typeof asked === 'object' && asked !== null && 'input' in asked;
  return isAsked && typeof asked.input === 'string' ? asked.input : '';
};

const countedMedia = async (
  { body, operation }: TextCall,
  { inputTokens }: CallMedia,
  model: string,
): Promise<Usage> => {
  if (operation === 'images') return noTokens;
  const promptTokens = inputTokens ?? (await countTokens(spokenText(body), model));
  return { ...noTokens, promptTokens };
};

export type Received = Readonly<{
  /** What was produced: its text, or about how many tokens it was. */
  produced: string | number;
  upstreamModel: string;
  outputLimit: number | null;
}>;

/** Usage of what was received, for answers whose upstream says nothing. */
export const countedUsage = async (
  agreed: Agreed,
  { produced, upstreamModel, outputLimit }: Received,
): Promise<Usage> => {
  const { call } = agreed;
  if (call.media !== undefined) {
    return withOwnCounts(await countedMedia(call, call.media, upstreamModel), agreed);
  }
  const completion =
    typeof produced === 'number' ? produced : await countTokens(produced, upstreamModel);
  // What an upstream pours out beyond what was asked for is nobody's to pay.
  const most = boundOf(agreed, outputLimit).completionTokens;
  const promptTokens = await countPromptTokens(call.body, upstreamModel);
  const usage = { ...noTokens, promptTokens, completionTokens: Math.min(completion, most) };
  return withOwnCounts(usage, agreed);
};
