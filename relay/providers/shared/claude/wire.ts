import type { JsonObject } from '../../../protocol/canonical.ts';
import { isObject, objectAt, objectsAt, parseObject, textAt } from '../../../protocol/json.ts';
import { lastUsage, nextUsage } from '../../../protocol/usage-scan.ts';
import type { UsageGatherer, Wire } from '../../types.ts';

/** The first event reports the prompt, the last the answer; later counts above 0 win. */
class MessageUsage implements UsageGatherer {
  private usage: JsonObject | null = null;

  read(events: Buffer): void {
    let at = 0;
    for (;;) {
      const found = nextUsage(events, at);
      if (found === null) return;
      this.add(parseObject(events.toString('utf8', found.start, found.end)) ?? {});
      at = found.end;
    }
  }

  found(): unknown {
    return this.usage;
  }

  private add(reported: JsonObject): void {
    const known: JsonObject = this.usage ?? {};
    for (const [name, value] of Object.entries(reported)) {
      const isNews = typeof value !== 'number' || value !== 0 || known[name] === undefined;
      if (isNews && value !== null) known[name] = value;
    }
    this.usage = known;
  }
}

const blockText = (block: JsonObject): string => {
  const input = isObject(block.input) ? JSON.stringify(block.input) : '';
  return textAt(block, 'text') + textAt(block, 'thinking') + (input === '{}' ? '' : input);
};

const deltaText = (delta: JsonObject): string =>
  textAt(delta, 'text') + textAt(delta, 'thinking') + textAt(delta, 'partial_json');

const endedBy = (reason: string): string =>
  [
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 0 },
    },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');

/** How answers of the Messages API read. */
export const messagesWire: Wire = {
  gather: () => new MessageUsage(),
  wholeUsage: (body) => {
    const found = lastUsage(body);
    return found === null ? null : parseObject(body.toString('utf8', found.start, found.end));
  },
  closing: [Buffer.from('event: message_stop'), Buffer.from('event:message_stop')],
  endsAtClosing: true,
  text: (answer) => {
    if (!isObject(answer)) return '';
    if (answer.type === 'content_block_delta') return deltaText(objectAt(answer, 'delta'));
    return answer.type === 'message' ? objectsAt(answer, 'content').map(blockText).join('') : '';
  },
  overheadBytes: 110,
  cutOff: endedBy('max_tokens'),
  filtered: endedBy('refusal'),
};
