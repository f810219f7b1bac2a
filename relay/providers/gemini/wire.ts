import { isObject, objectAt, objectsAt, parseObject, textAt } from '../shared/json.ts';
import type { JsonObject } from '../translate.ts';
import type { UsageGatherer, Wire } from '../types.ts';

const usageKey = Buffer.from('"usageMetadata"');

/** Every event repeats the counts so far; the last one holds them all. */
class ContentUsage implements UsageGatherer {
  private last: Buffer | null = null;

  read(events: Buffer): void {
    const key = events.lastIndexOf(usageKey);
    if (key === -1) return;
    const start = events.lastIndexOf('data:', key);
    const end = events.indexOf('\n', key);
    this.last = Buffer.from(events.subarray(start + 5, end === -1 ? events.length : end));
  }

  found(): unknown {
    return this.last === null
      ? null
      : (parseObject(this.last.toString('utf8'))?.usageMetadata ?? null);
  }
}

const partText = (part: JsonObject): string => {
  const call = part.functionCall;
  return textAt(part, 'text') + (isObject(call) ? JSON.stringify(call) : '');
};

const stopped = {
  candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'MAX_TOKENS', index: 0 }],
};

/** How answers of generateContent read. */
export const contentWire: Wire = {
  gather: () => new ContentUsage(),
  wholeUsage: (body) => parseObject(body.toString('utf8'))?.usageMetadata ?? null,
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
  cutOff: `data: ${JSON.stringify(stopped)}\r\n\r\n`,
};
