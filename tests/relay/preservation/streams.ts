import { crc32 } from 'node:zlib';
import type { JsonObject } from '../../../relay/protocol/canonical.ts';
import { at, type Caller, type Shape } from './tables.ts';

const objects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((own) => typeof own === 'object' && own !== null) : [];
const object = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

const openAiEvents = (whole: JsonObject): readonly JsonObject[] => {
  const { choices, usage, object: _, ...head } = whole;
  const chunk = { ...head, object: 'chat.completion.chunk' };
  return [
    ...objects(choices).flatMap(({ message, finish_reason: finish, ...choice }) => {
      const calls = objects(object(message).tool_calls).map((own, index) => ({ index, ...own }));
      const delta = { ...object(message), ...(calls.length > 0 ? { tool_calls: calls } : {}) };
      return [
        { ...chunk, choices: [{ ...choice, delta, finish_reason: null }] },
        { ...chunk, choices: [{ index: choice.index, delta: {}, finish_reason: finish }] },
      ];
    }),
    { ...chunk, choices: [], usage },
  ];
};

const blockEvents = (block: JsonObject, index: number): readonly JsonObject[] => {
  const start = (content: object) => ({
    type: 'content_block_start',
    index,
    content_block: content,
  });
  const delta = (own: object) => ({ type: 'content_block_delta', index, delta: own });
  const stop = { type: 'content_block_stop', index };
  if (block.type === 'text') {
    const citations = objects(block.citations).map((citation) =>
      delta({ type: 'citations_delta', citation }),
    );
    const rest = delta({ type: 'text_delta', text: block.text });
    return [start({ type: 'text', text: '' }), rest, ...citations, stop];
  }
  if (block.type === 'thinking') {
    return [
      start({ type: 'thinking', thinking: '' }),
      delta({ type: 'thinking_delta', thinking: block.thinking }),
      delta({ type: 'signature_delta', signature: block.signature }),
      stop,
    ];
  }
  const json = JSON.stringify(block.input);
  return [
    start({ ...block, input: {} }),
    delta({ type: 'input_json_delta', partial_json: json.slice(0, 4) }),
    delta({ type: 'input_json_delta', partial_json: json.slice(4) }),
    stop,
  ];
};

const claudeEvents = (whole: JsonObject): readonly JsonObject[] => {
  const { content, stop_reason, stop_sequence, usage, ...head } = whole;
  return [
    {
      type: 'message_start',
      message: { ...head, content: [], usage: { ...object(usage), output_tokens: 1 } },
    },
    ...objects(content).flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence },
      usage: { output_tokens: object(usage).output_tokens },
    },
    { type: 'message_stop' },
  ];
};

const geminiEvents = (whole: JsonObject): readonly JsonObject[] => {
  const { candidates, usageMetadata, ...head } = whole;
  const last = objects(candidates).map((candidate) => ({
    ...candidate,
    content: { role: 'model', parts: [] },
  }));
  const first = objects(candidates).map(({ content, index }) => ({ content, index }));
  return [
    { ...head, candidates: first },
    { ...head, candidates: last, usageMetadata },
  ];
};

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const header = (name: string, value: string): Buffer => {
  const size = Buffer.alloc(3, 7);
  size.writeUInt16BE(value.length, 1);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), size, Buffer.from(value)]);
};

/** An event in the binary frame that Bedrock puts around it. */
export const frameOf = (names: Readonly<Record<string, string>>, payload: object): Buffer => {
  const headers = Buffer.concat(Object.entries(names).map(([name, value]) => header(name, value)));
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.concat([word(16 + headers.length + body.length), word(headers.length)]);
  const whole = Buffer.concat([lengths, word(crc32(lengths)), headers, body]);
  return Buffer.concat([whole, word(crc32(whole))]);
};

export const chunkFrame = (event: object): Buffer =>
  frameOf(
    { ':message-type': 'event', ':event-type': 'chunk' },
    { bytes: Buffer.from(JSON.stringify(event)).toString('base64') },
  );

/** A whole answer as its provider would stream it. */
export const streamOf = (shape: Shape, whole: JsonObject, isFramed: boolean): Buffer => {
  if (isFramed) return Buffer.concat(claudeEvents(whole).map(chunkFrame));
  const line = (event: JsonObject) => `data: ${JSON.stringify(event)}\n\n`;
  if (shape === 'openai')
    return Buffer.from(`${openAiEvents(whole).map(line).join('')}data: [DONE]\n\n`);
  if (shape === 'gemini') return Buffer.from(geminiEvents(whole).map(line).join(''));
  const named = (event: JsonObject) => `event: ${String(event.type)}\n${line(event)}`;
  return Buffer.from(claudeEvents(whole).map(named).join(''));
};

const eventsIn = (text: string): readonly JsonObject[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => JSON.parse(line.slice(5)));

/** Texts grow, lists are joined, everything else is taken over. */
const grown = (known: unknown, news: unknown): unknown => {
  if (typeof known === 'string' && typeof news === 'string') return known + news;
  if (Array.isArray(known) && Array.isArray(news)) return [...known, ...news];
  return news ?? known;
};

const foldCalls = (known: unknown, news: readonly JsonObject[]): readonly JsonObject[] => {
  const calls = [...objects(known)];
  for (const { index, ...call } of news) {
    const place = Number(index ?? calls.length);
    const own = object(calls[place]);
    const before = object(own.function);
    const after = object(call.function);
    calls[place] = {
      ...own,
      ...call,
      function: {
        ...before,
        ...after,
        arguments: String(before.arguments ?? '') + String(after.arguments ?? ''),
      },
    };
  }
  return calls;
};

const foldOpenAi = (events: readonly JsonObject[]): JsonObject => {
  const choices: JsonObject[] = [];
  let whole: JsonObject = {};
  for (const { choices: own, ...head } of events) {
    whole = { ...whole, ...head };
    for (const { delta, index, ...choice } of objects(own)) {
      const known = object(choices[Number(index)]);
      const message = object(known.message);
      const { tool_calls: calls, role: _, ...rest } = object(delta);
      for (const [name, value] of Object.entries(rest)) message[name] = grown(message[name], value);
      if (calls !== undefined) message.tool_calls = foldCalls(message.tool_calls, objects(calls));
      const kept = Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== null));
      choices[Number(index)] = { ...known, ...kept, index, message };
    }
  }
  return { ...whole, choices };
};

const foldBlock = (block: JsonObject, delta: JsonObject): JsonObject => {
  switch (delta.type) {
    case 'text_delta':
      return { ...block, text: grown(block.text, delta.text) };
    case 'thinking_delta':
      return { ...block, thinking: grown(block.thinking, delta.thinking) };
    case 'signature_delta':
      return { ...block, signature: delta.signature };
    case 'citations_delta':
      return { ...block, citations: [...objects(block.citations), delta.citation] };
    default:
      return { ...block, json: grown(block.json ?? '', delta.partial_json) };
  }
};

const foldClaude = (events: readonly JsonObject[]): JsonObject => {
  const content: JsonObject[] = [];
  let whole: JsonObject = {};
  for (const event of events) {
    const index = Number(event.index ?? 0);
    if (event.type === 'message_start') whole = object(event.message);
    if (event.type === 'content_block_start') content[index] = object(event.content_block);
    if (event.type === 'content_block_delta') {
      content[index] = foldBlock(object(content[index]), object(event.delta));
    }
    if (event.type === 'message_delta') {
      const usage = { ...object(whole.usage), ...object(event.usage) };
      whole = { ...whole, ...object(event.delta), usage };
    }
  }
  const blocks = content.map(({ json, ...block }) =>
    typeof json === 'string' && json !== '' ? { ...block, input: JSON.parse(json) } : block,
  );
  return { ...whole, content: blocks };
};

const foldGemini = (events: readonly JsonObject[]): JsonObject => {
  const candidates: JsonObject[] = [];
  let whole: JsonObject = {};
  for (const { candidates: own, ...head } of events) {
    whole = { ...whole, ...head };
    for (const candidate of objects(own)) {
      const place = Number(candidate.index ?? 0);
      const known = object(candidates[place]);
      const parts = [
        ...objects(at(known, 'content.parts')),
        ...objects(at(candidate, 'content.parts')),
      ];
      candidates[place] = { ...known, ...candidate, content: { role: 'model', parts } };
    }
  }
  return { ...whole, candidates };
};

/** A stream as its client would put it together. */
export const foldStream = (caller: Caller, text: string): JsonObject => {
  const events = eventsIn(text);
  if (caller === 'openai') return foldOpenAi(events);
  return caller === 'claude' ? foldClaude(events) : foldGemini(events);
};
