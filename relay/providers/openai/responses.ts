import type { ReportedUsage } from '../../../domain/pricing/bound-usage.ts';
import { lastUsage } from '../../metering/usage-scan.ts';
import { isObject, objectAt, objectsAt, parseObject, textAt } from '../shared/json.ts';
import type { JsonObject } from '../translate.ts';
import type { PassThroughAdapter, UsageGatherer, Wire } from '../types.ts';

const usageIn = (bytes: Buffer): JsonObject | null => {
  const found = lastUsage(bytes);
  return found === null ? null : parseObject(bytes.toString('utf8', found.start, found.end));
};

/** Usage stands on the last event, whichever way the answer ended. */
class ResponseUsage implements UsageGatherer {
  private usage: JsonObject | null = null;

  read(events: Buffer): void {
    this.usage = usageIn(events) ?? this.usage;
  }

  found(): unknown {
    return this.usage;
  }
}

const outputText = (item: JsonObject): string =>
  objectsAt(item, 'content')
    .map((part) => textAt(part, 'text') + textAt(part, 'refusal'))
    .join('') +
  objectsAt(item, 'summary')
    .map((part) => textAt(part, 'text'))
    .join('') +
  textAt(item, 'arguments');

const ends = ['completed', 'incomplete', 'failed'] as const;
const incomplete = {
  type: 'response.incomplete',
  response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
};

/** How answers of the Responses API read. */
const responsesWire: Wire = {
  gather: () => new ResponseUsage(),
  wholeUsage: usageIn,
  closing: ends.map((end) => Buffer.from(`event: response.${end}`)),
  endsAtClosing: true,
  text: (answer) => {
    if (!isObject(answer)) return '';
    if (textAt(answer, 'type').endsWith('.delta')) return textAt(answer, 'delta');
    return answer.object === 'response' ? objectsAt(answer, 'output').map(outputText).join('') : '';
  },
  overheadBytes: 200,
  cutOff: `event: ${incomplete.type}\ndata: ${JSON.stringify(incomplete)}\n\n`,
};

const usage = (reported: unknown): ReportedUsage | null => {
  if (!isObject(reported)) return null;
  const { input_tokens: input, output_tokens: output } = reported;
  const isSilent = [input, output].every((own) => own === undefined || own === 0);
  if (isSilent) return null;
  return {
    promptTokens: input,
    completionTokens: output,
    cachedTokens: objectAt(reported, 'input_tokens_details').cached_tokens,
  };
};

/** The Responses API of a provider that has it: its chat adapter with other answers. */
export const responsesOf = (text: PassThroughAdapter): PassThroughAdapter => ({
  ...text,
  usage,
  wire: responsesWire,
});
