import type { JsonObject } from '../../../protocol/canonical.ts';
import { isObject, objectAt, objectsAt, parseObject, textAt } from '../../../protocol/json.ts';
import { outputMembers } from '../../../protocol/output-scan.ts';
import { lastObjectBehind } from '../../../protocol/usage-scan.ts';
import type { StreamCut, UsageGatherer, Wire } from '../../types.ts';
import { reportedGemini } from './usage.ts';

/** No answer is longer: a report above it reserves nothing. */
const maxReportedTokens = 1_000_000;
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

const cutOff = ({ reason, notice }: StreamCut): string => {
  const finishReason = reason === 'quota' ? 'MAX_TOKENS' : 'PROHIBITED_CONTENT';
  const candidates = [{ content: { role: 'model', parts: [] }, finishReason, index: 0 }];
  return `data: ${JSON.stringify({ candidates, notice })}\r\n\r\n`;
};

/** Thoughts that are not shown are reported as they are made. */
const outputSoFar = (gatherer: UsageGatherer): number => {
  const found = gatherer.found();
  const tokens = isObject(found) ? reportedGemini(found)?.completionTokens : 0;
  return typeof tokens === 'number' ? Math.min(tokens, maxReportedTokens) : 0;
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
  outputMembers: outputMembers('text', 'functionCall'),
  outputSoFar,
  overheadBytes: 350,
  cutOff,
};
