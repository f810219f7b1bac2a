import { openAiFailure, strictSchema } from './chat-completions.ts';
import { onlyKnown, proofOf, rule } from './scene.ts';
import type { Reply, Shape } from './types.ts';
import {
  contentText,
  halves,
  type Json,
  namedEvent,
  objectOf,
  objectsOf,
  sendEvents,
  sendJson,
  textOf,
} from './wire.ts';

const known = [
  ...['model', 'input', 'instructions', 'stream', 'tools', 'tool_choice', 'text', 'reasoning'],
  ...['include', 'store', 'metadata', 'parallel_tool_calls', 'previous_response_id', 'truncation'],
  ...['max_output_tokens', 'prompt_cache_key', 'service_tier', 'temperature', 'top_p', 'user'],
  ...['max_tool_calls', 'background', 'conversation', 'prompt', 'safety_identifier'],
  ...['stream_options', 'top_logprobs', 'prompt_cache_retention', 'client_metadata'],
  ...['context_management'],
];

/** Results answer calls of the same input; sealed reasoning is the provider's own. */
const itemsHold = (items: readonly Json[]): void => {
  const calls = new Set(
    items.filter(({ type }) => textOf(type).endsWith('_call')).map(({ call_id }) => call_id),
  );
  for (const item of items) {
    if (textOf(item.type).endsWith('_call_output')) {
      const id = textOf(item.call_id);
      rule(calls.has(id), `no tool call found for function call output with call_id ${id}`);
    }
    if (item.type === 'reasoning' && typeof item.encrypted_content === 'string') {
      rule(
        item.encrypted_content === proofOf('reasoning'),
        'the encrypted content could not be verified',
      );
    }
  }
};

const readResponses: Shape['read'] = ({ body }) => {
  onlyKnown(body, known, 'the body');
  const items =
    typeof body.input === 'string'
      ? [{ role: 'user', content: body.input }]
      : objectsOf(body.input);
  itemsHold(items);
  const format = objectOf(objectOf(body.text).format);
  if (format.strict === true) strictSchema(format.schema);
  const of = (...roles: string[]) => items.filter(({ role }) => roles.includes(textOf(role)));
  const users = of('user');
  const system = of('system', 'developer').map(({ content }) => contentText(content));
  const results = items.filter(({ type }) => textOf(type).endsWith('_call_output'));
  const resultText = (output: unknown): string =>
    typeof output === 'string' ? output : contentText(output);
  return {
    model: textOf(body.model),
    isStream: body.stream === true,
    system: [textOf(body.instructions), ...system].filter((text) => text !== '').join('\n'),
    asked: users.map(({ content }) => contentText(content)).join('\n'),
    toolResults: results.map(({ output }) => resultText(output)),
    images: users
      .flatMap(({ content }) => objectsOf(content))
      .filter(({ type }) => type === 'input_image')
      .map(({ image_url: url }) => textOf(url).replace(/^data:image\/png;base64,/, '')),
    tools: objectsOf(body.tools).map(({ name, parameters }) => ({
      name: textOf(name),
      schema: parameters ?? {},
    })),
    schema: format.schema ?? null,
    isThinking: objectOf(body.reasoning).effort !== undefined,
    proofs: items.filter((item) => item.encrypted_content === proofOf('reasoning')).length,
  };
};

const reasoningItem = (id: string): Json => ({
  type: 'reasoning',
  id: `rs_${id}`,
  summary: [],
  encrypted_content: proofOf('reasoning'),
});

const outputOf = ({ id, answer }: Reply): readonly Json[] => {
  if (answer.kind === 'failure') return [];
  const before = answer.thought === null ? [] : [reasoningItem(id)];
  if (answer.kind === 'call') {
    const { name, input } = answer;
    const call = { type: 'function_call', id: `fc_${id}`, call_id: `call_${id}`, name };
    return [...before, { ...call, status: 'completed', arguments: JSON.stringify(input) }];
  }
  const content = [{ type: 'output_text', text: answer.text, annotations: [], logprobs: [] }];
  const message = { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed' };
  return [...before, { ...message, content }];
};

const responseOf = (reply: Reply, output: readonly Json[]): Json => {
  const { prompt, completion, model } = reply.counted;
  return {
    id: `resp_${reply.id}`,
    object: 'response',
    created_at: 1_700_000_000,
    model,
    output,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    temperature: 1,
    top_p: 1,
    usage: {
      input_tokens: prompt,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: completion,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: prompt + completion,
    },
  };
};

/** The events between the start and the end of one item. */
const innerEvents = (item: Json, at: number): readonly Json[] => {
  const place = { item_id: item.id, output_index: at };
  if (item.type === 'function_call') {
    const text = textOf(item.arguments);
    const deltas = halves(text).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      ...place,
      delta,
    }));
    const done = { type: 'response.function_call_arguments.done', ...place, arguments: text };
    return [...deltas, { ...done, name: item.name }];
  }
  const [part] = objectsOf(item.content);
  if (part === undefined) return [];
  const spot = { ...place, content_index: 0 };
  const text = textOf(part.text);
  return [
    { type: 'response.content_part.added', ...spot, part: { ...part, text: '' } },
    ...halves(text).map((delta) => ({
      type: 'response.output_text.delta',
      ...spot,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...spot, text, logprobs: [] },
    { type: 'response.content_part.done', ...spot, part },
  ];
};

const begun = (item: Json): Json => {
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  return item.type === 'message' ? { ...item, status: 'in_progress', content: [] } : item;
};

const sendResponses: Shape['send'] = (res, reply) => {
  const output = outputOf(reply);
  const whole = responseOf(reply, output);
  if (!reply.conversation.isStream) return sendJson(res, 200, whole);
  const { usage: _, ...rest } = whole;
  const early = { ...rest, status: 'in_progress', output: [] };
  const events: Json[] = [
    { type: 'response.created', response: early },
    { type: 'response.in_progress', response: early },
    ...output.flatMap((item, at) => [
      { type: 'response.output_item.added', output_index: at, item: begun(item) },
      ...innerEvents(item, at),
      { type: 'response.output_item.done', output_index: at, item },
    ]),
    { type: 'response.completed', response: whole },
  ];
  sendEvents(
    res,
    events.map((own, at) => namedEvent({ ...own, sequence_number: at })),
  );
};

export const responses: Shape = {
  read: readResponses,
  send: sendResponses,
  fail: openAiFailure,
};
