import type { ExtraAsk } from '../../domain/pricing/quote.ts';
import { type SearchContext, searchesAlways } from '../../domain/pricing/tool-prices.ts';
import { mapModel } from '../feeds/model-mapping.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { CallMedia } from '../protocol/calls.ts';
import type { ScannedBody } from '../protocol/normalise.ts';
import type { Member } from '../protocol/scan-body.ts';

const toolMarks = [Buffer.from('"web_search'), Buffer.from('"file_search')];
const sizeKey = Buffer.from('"search_context_size"');
const contextSize = /^"search_context_size"\s*:\s*"(low|medium|high)"/;
/** The key, some blanks and its value. */
const sizeBytes = 128;

const contextIn = (body: Buffer, member: Member | undefined): SearchContext => {
  if (member === undefined) return 'medium';
  const own = body.subarray(member.valueStart, member.valueEnd);
  const at = own.indexOf(sizeKey);
  const text = at === -1 ? '' : own.toString('latin1', at, at + sizeBytes);
  const [, size] = contextSize.exec(text) ?? [];
  return size === 'low' || size === 'high' ? size : 'medium';
};

/**
 * How much a search may return to the model; null where the request has no search of the
 * provider's.
 */
const searchContextOf = ({ body, scan }: ScannedBody, model: string): SearchContext | null => {
  const { tools, web_search_options: options } = scan.members;
  if (options !== undefined || searchesAlways(model)) return contextIn(body, options);
  if (tools === undefined) return null;
  const declared = body.subarray(tools.valueStart, tools.valueEnd);
  return toolMarks.some((mark) => declared.includes(mark)) ? contextIn(body, tools) : null;
};

/** What is paid for in addition to text. */
export const extrasOf = (
  given: ScannedBody,
  model: string,
  { media, channel }: Readonly<{ media: CallMedia | undefined; channel: UpstreamChannel }>,
): ExtraAsk => {
  if (media === undefined) {
    const searchContext = searchContextOf(given, model);
    return searchContext === null ? {} : { searchContext };
  }
  if (media.pictures === 0) return {};
  const { size, quality } = media;
  const { modelMapping } = channel;
  const upstreamModel = modelMapping === null ? model : mapModel(modelMapping, model);
  return { picture: { size, quality, upstreamModel } };
};
