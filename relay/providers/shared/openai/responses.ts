import type { ReportedUsage } from '../../../../domain/pricing/bound-usage.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import {
  isObject,
  numberAt,
  objectAt,
  objectsAt,
  parseObject,
  textAt,
} from '../../../protocol/json.ts';
import { outputMembers } from '../../../protocol/output-scan.ts';
import { lastUsage } from '../../../protocol/usage-scan.ts';
import type { PassThroughAdapter, StreamCut, UsageGatherer, Wire } from '../../types.ts';

const usageIn = (bytes: Buffer): JsonObject | null => {
  const found = lastUsage(bytes);
  return found === null ? null : parseObject(bytes.toString('utf8', found.start, found.end));
};

const searchMark = Buffer.from('_search_call"');
type Searches = { web: number; file: number };

/** Calls of the provider's own tools are items of the output, one for each. */
const addSearch = (searches: Searches, item: JsonObject): void => {
  if (item.type === 'web_search_call') searches.web += 1;
  if (item.type === 'file_search_call') searches.file += 1;
};

const withSearches = (usage: JsonObject | null, { web, file }: Searches): JsonObject | null =>
  usage === null || web + file === 0
    ? usage
    : { ...usage, web_search_calls: web, file_search_calls: file };

/** Usage is part of the last event, whichever way the answer ended. */
class ResponseUsage implements UsageGatherer {
  private usage: JsonObject | null = null;
  private readonly searches: Searches = { web: 0, file: 0 };

  read(events: Buffer): void {
    this.usage = usageIn(events) ?? this.usage;
    if (events.includes(searchMark)) this.count(events.toString('utf8'));
  }

  found(): unknown {
    return withSearches(this.usage, this.searches);
  }

  /** The last event repeats the whole output: an item counts where it is done. */
  private count(events: string): void {
    for (const line of events.split('\n')) {
      if (!line.startsWith('data:') || !line.includes('response.output_item.done')) continue;
      const event = parseObject(line.slice('data:'.length)) ?? {};
      if (event.type === 'response.output_item.done') {
        addSearch(this.searches, objectAt(event, 'item'));
      }
    }
  }
}

const wholeUsage = (body: Buffer): JsonObject | null => {
  const usage = usageIn(body);
  if (usage === null || !body.includes(searchMark)) return usage;
  const searches: Searches = { web: 0, file: 0 };
  const answer = parseObject(body.toString('utf8')) ?? {};
  for (const item of objectsAt(answer, 'output')) addSearch(searches, item);
  return withSearches(usage, searches);
};

const outputText = (item: JsonObject): string =>
  objectsAt(item, 'content')
    .map((part) => textAt(part, 'text') + textAt(part, 'refusal'))
    .join('') +
  objectsAt(item, 'summary')
    .map((part) => textAt(part, 'text'))
    .join('') +
  textAt(item, 'arguments');

const ends = ['completed', 'incomplete', 'failed'] as const;
const firstEvent = (events: Buffer): JsonObject => eventsIn(events)[0] ?? {};
const lastEvent = (events: Buffer): JsonObject => eventsIn(events).at(-1) ?? {};
const eventsIn = (events: Buffer): JsonObject[] =>
  events
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => parseObject(line.slice('data:'.length)) ?? {});

const cutOff = ({ reason, notice, first, last }: StreamCut): string => {
  const response = {
    ...objectAt(firstEvent(first), 'response'),
    status: 'incomplete',
    incomplete_details: { reason: reason === 'quota' ? 'max_output_tokens' : 'content_filter' },
  };
  const place = numberAt(lastEvent(last), 'sequence_number');
  const event = {
    type: 'response.incomplete',
    ...(place === null ? {} : { sequence_number: place + 1 }),
    response,
    notice,
  };
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
};

/** How answers of the Responses API read. */
const responsesWire: Wire = {
  gather: () => new ResponseUsage(),
  wholeUsage,
  closing: ends.map((end) => Buffer.from(`event: response.${end}`)),
  endsAtClosing: true,
  text: (answer) => {
    if (!isObject(answer)) return '';
    if (textAt(answer, 'type').endsWith('.delta')) return textAt(answer, 'delta');
    return answer.object === 'response' ? objectsAt(answer, 'output').map(outputText).join('') : '';
  },
  outputMembers: outputMembers('delta'),
  overheadBytes: 200,
  cutOff,
};

export const responsesUsage = (reported: unknown): ReportedUsage | null => {
  if (!isObject(reported)) return null;
  const { input_tokens: input, output_tokens: output } = reported;
  const isSilent = [input, output].every((own) => own === undefined || own === 0);
  if (isSilent) return null;
  return {
    promptTokens: input,
    completionTokens: output,
    reasoningTokens: objectAt(reported, 'output_tokens_details').reasoning_tokens,
    cachedTokens: objectAt(reported, 'input_tokens_details').cached_tokens,
    webSearches: reported.web_search_calls,
    fileSearches: reported.file_search_calls,
  };
};

/** The Responses API of a provider that has it: its chat adapter with other answers. */
export const responsesOf = (text: PassThroughAdapter): PassThroughAdapter => ({
  ...text,
  usage: responsesUsage,
  wire: responsesWire,
});
