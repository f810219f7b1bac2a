import type { JsonObject } from '../../../protocol/canonical.ts';
import { isObject, objectAt, objectsAt, parseObject, textAt } from '../../../protocol/json.ts';
import { lastObjectBehind } from '../../../protocol/usage-scan.ts';
import type { UsageGatherer, Wire } from '../../types.ts';

const usageKey = Buffer.from('"usageMetadata"');

/** Every event repeats the counts so far; the last one holds them all. */
class ContentUsage implements UsageGatherer {
  private last: string | null = null;

  read(events: Buffer): void {
    this.last = lastObjectBehind(events, usageKey) ?? this.last;
  }

  found(): unknown {
    return this.last === null ? null : parseObject(this.last);
  }
}

const partText = (part: JsonObject): string => {
  const call = part.functionCall;
  return textAt(part, 'text') + (isObject(call) ? JSON.stringify(call) : '');
};

const endedBy = (finishReason: string): string => {
  const candidates = [{ content: { role: 'model', parts: [] }, finishReason, index: 0 }];
  return `data: ${JSON.stringify({ candidates })}\r\n\r\n`;
};

/** How answers of generateContent read. */
export const contentWire: Wire = {
  gather: () => new ContentUsage(),
  wholeUsage: (body) => {
    const reported = lastObjectBehind(body, usageKey);
    return reported === null ? null : parseObject(reported);
  },
  closing: [Buffer.from('"finishReason"')],
  endsAtClosing: false,
  text: (answer) =>
    isObject(answer)
      ? objectsAt(answer, 'candidates')
          .flatMap((candidate) => objectsAt(objectAt(candidate, 'content'), 'parts'))
          .map(partText)
          .join('')
      : '',
  overheadBytes: 350,
  cutOff: endedBy('MAX_TOKENS'),
  filtered: endedBy('PROHIBITED_CONTENT'),
};
