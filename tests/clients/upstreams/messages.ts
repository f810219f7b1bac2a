import type { ServerResponse } from 'node:http';
import { onlyKnown, proofOf, rule, Unauthorized } from './scene.ts';
import type { Reply, Shape, UpstreamCall } from './types.ts';
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
  ...['model', 'messages', 'system', 'max_tokens', 'metadata', 'stop_sequences', 'stream'],
  ...['temperature', 'top_p', 'top_k', 'tools', 'tool_choice', 'thinking', 'service_tier'],
  ...['output_config', 'context_management', 'container', 'mcp_servers', 'cache_control'],
];

const blocksOf = (content: unknown): readonly Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);

const blockHolds = (block: Json): void => {
  if (block.type === 'text') rule(block.text !== '', 'text content blocks must be non-empty');
  if (block.type === 'tool_use') {
    rule(/^[a-zA-Z0-9_-]+$/.test(textOf(block.id)), 'the id of a tool_use has other characters');
    rule(/^[a-zA-Z0-9_-]{1,128}$/.test(textOf(block.name)), 'the name of a tool_use');
  }
  if (block.type === 'thinking') {
    rule(
      block.signature === proofOf(textOf(block.thinking)),
      'Invalid `signature` in `thinking` block',
    );
  }
};

/** Calls are answered in the next turn, in front of everything else. */
const resultsFollow = (turn: readonly Json[], next: readonly Json[] | undefined): void => {
  const ids = turn.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
  if (next === undefined) {
    rule(ids.length === 0, '`tool_use` without `tool_result`');
    return;
  }
  const results = next.filter(({ type }) => type === 'tool_result').map((own) => own.tool_use_id);
  rule(
    ids.every((id) => results.includes(id)),
    '`tool_use` ids were found without `tool_result` blocks immediately after',
  );
  rule(
    results.every((id) => ids.includes(id)),
    'unexpected `tool_use_id` found in `tool_result` blocks',
  );
  rule(
    next.slice(0, results.length).every(({ type }) => type === 'tool_result'),
    '`tool_result` blocks come first',
  );
};

const turnsHold = (messages: readonly Json[]): void => {
  rule(messages[0]?.role === 'user', 'the first message must use the user role');
  messages.forEach(({ role, content }, at) => {
    rule(role === (at % 2 === 0 ? 'user' : 'assistant'), 'roles must alternate');
    const blocks = blocksOf(content);
    rule(blocks.length > 0, 'messages must have non-empty content');
    for (const block of blocks) blockHolds(block);
    const next = messages[at + 1];
    resultsFollow(blocks, next === undefined ? undefined : blocksOf(next.content));
  });
};

/** A turn of calls begins with its thought while thinking is on. */
const thoughtFirst = (messages: readonly Json[]): void => {
  const calling = messages
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => blocksOf(content))
    .at(-1);
  if (calling?.some(({ type }) => type === 'tool_use') !== true) return;
  rule(
    /^(redacted_)?thinking$/.test(textOf(calling[0]?.type)),
    'Expected `thinking` or `redacted_thinking`, but found another block first',
  );
};

const thinkingHolds = (body: Json, messages: readonly Json[]): boolean => {
  const thinking = objectOf(body.thinking);
  if (thinking.type === undefined || thinking.type === 'disabled') return false;
  rule(thinking.type === 'enabled', 'adaptive thinking is not supported on this model');
  const budget = Number(thinking.budget_tokens);
  rule(budget >= 1_024, '`budget_tokens` must be at least 1024');
  rule(budget < Number(body.max_tokens), '`max_tokens` must be greater than `budget_tokens`');
  rule((body.temperature ?? 1) === 1, '`temperature` may only be set to 1 when thinking');
  const choice = objectOf(body.tool_choice).type ?? 'auto';
  rule(choice === 'auto' || choice === 'none', 'thinking does not go with a forced tool');
  thoughtFirst(messages);
  return true;
};

const limits = (body: Json): void => {
  const max = body.max_tokens;
  rule(Number.isInteger(max) && Number(max) >= 1, 'max_tokens: field required');
  rule(Number(max) <= 64_000, 'max_tokens is above the limit of the model');
  rule(
    body.temperature === undefined || body.top_p === undefined,
    '`temperature` and `top_p` cannot both be specified',
  );
  for (const { input_schema: schema, type } of objectsOf(body.tools)) {
    const isOwn = type === undefined || type === 'custom';
    rule(!isOwn || objectOf(schema).type === 'object', 'tools: input_schema.type: object');
  }
};

/** What the Messages API checks, wherever it is hosted. */
export const readMessages = (body: Json): ReturnType<Shape['read']> => {
  onlyKnown(body, known, 'the body');
  const messages = objectsOf(body.messages);
  turnsHold(messages);
  limits(body);
  const isThinking = thinkingHolds(body, messages);
  const users = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => blocksOf(content));
  const of = (type: string) => users.filter((block) => block.type === type);
  const format = objectOf(objectOf(body.output_config).format);
  return {
    model: textOf(body.model),
    isStream: body.stream === true,
    system: contentText(body.system),
    asked: contentText(of('text')),
    toolResults: of('tool_result').map(({ content }) => contentText(content)),
    images: of('image').map(({ source }) => textOf(objectOf(source).data)),
    tools: objectsOf(body.tools).map(({ name, input_schema: schema }) => ({
      name: textOf(name),
      schema: schema ?? {},
    })),
    schema: format.schema ?? null,
    isThinking,
    proofs: messages
      .flatMap(({ content }) => blocksOf(content))
      .filter(({ type }) => type === 'thinking').length,
  };
};

const contentOf = ({ answer, id }: Reply): readonly Json[] => {
  if (answer.kind === 'failure') return [];
  const { thought } = answer;
  const before =
    thought === null ? [] : [{ type: 'thinking', thinking: thought, signature: proofOf(thought) }];
  if (answer.kind === 'text') return [...before, { type: 'text', text: answer.text }];
  const { name, input } = answer;
  return [...before, { type: 'tool_use', id: `toolu_${id}`, name, input }];
};

const deltasOf = (block: Json): readonly Json[] => {
  if (block.type === 'text') {
    return halves(textOf(block.text)).map((text) => ({ type: 'text_delta', text }));
  }
  if (block.type === 'thinking') {
    const { thinking, signature } = block;
    return [
      ...halves(textOf(thinking)).map((own) => ({ type: 'thinking_delta', thinking: own })),
      { type: 'signature_delta', signature },
    ];
  }
  return halves(JSON.stringify(block.input)).map((part) => ({
    type: 'input_json_delta',
    partial_json: part,
  }));
};

const emptied = (block: Json): Json => {
  if (block.type === 'text') return { ...block, text: '' };
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' };
  return { ...block, input: {} };
};

const messageOf = (reply: Reply): Json => ({
  id: `msg_${reply.id}`,
  type: 'message',
  role: 'assistant',
  model: reply.counted.model,
  content: contentOf(reply),
  stop_reason: reply.answer.kind === 'call' ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: reply.counted.prompt, output_tokens: reply.counted.completion },
});

/** The events of a streamed message; hosts frame them in their own form. */
export const messageEvents = (reply: Reply): readonly Json[] => {
  const whole = messageOf(reply);
  const { stop_reason, stop_sequence, usage } = whole;
  const early = { ...objectOf(usage), output_tokens: 1 };
  const start = { ...whole, content: [], stop_reason: null, usage: early };
  return [
    { type: 'message_start', message: start },
    ...contentOf(reply).flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: emptied(block) },
      ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence },
      usage: { output_tokens: reply.counted.completion },
    },
    { type: 'message_stop' },
  ];
};

export const sendMessages = (res: ServerResponse, reply: Reply): void => {
  if (reply.conversation.isStream) sendEvents(res, messageEvents(reply).map(namedEvent));
  else sendJson(res, 200, messageOf(reply));
};

const anthropicFailure: Shape['fail'] = (res, status, message) => {
  const types: Readonly<Record<number, string>> = {
    401: 'authentication_error',
    429: 'rate_limit_error',
  };
  const type = types[status] ?? 'invalid_request_error';
  sendJson(res, status, { type: 'error', error: { type, message } });
};

const authorized = ({ headers }: UpstreamCall): void => {
  if (headers['x-api-key'] !== 'anthropic-key') throw new Unauthorized('invalid x-api-key');
  const version = String(headers['anthropic-version']);
  rule(/^\d{4}-\d\d-\d\d$/.test(version), 'anthropic-version: header is required');
};

export const messages: Shape = {
  read: (call) => {
    authorized(call);
    return readMessages(call.body);
  },
  send: sendMessages,
  fail: anthropicFailure,
};
