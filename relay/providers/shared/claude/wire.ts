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
import { lastUsage, nextUsage } from '../../../protocol/usage-scan.ts';
import type { StreamCut, UsageGatherer, Wire } from '../../types.ts';

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

/** The content block that the last of these events leaves open. */
const openBlock = (events: Buffer): number | null => {
  const [last] = events.toString('utf8').split('\n').filter(isBlockLine).slice(-1);
  const event = last === undefined ? null : parseObject(last.slice('data:'.length));
  if (event === null || event.type === 'content_block_stop') return null;
  return numberAt(event, 'index');
};
const isBlockLine = (line: string): boolean => /^data:.*"content_block_/.test(line);

const cutOff = ({ reason, notice, last }: StreamCut): string => {
  const index = openBlock(last);
  const stopReason = reason === 'quota' ? 'max_tokens' : 'refusal';
  const ending = {
    type: 'message_delta',
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: 0 },
    notice,
  };
  const events = [
    ...(index === null ? [] : [{ type: 'content_block_stop', index }]),
    ending,
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
};

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
  outputMembers: outputMembers('text', 'thinking', 'partial_json'),
  overheadBytes: 110,
  cutOff,
};
