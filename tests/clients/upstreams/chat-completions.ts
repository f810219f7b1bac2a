import type { ServerResponse } from 'node:http';
import { type Answer, onlyKnown, rule, type Tool, Unauthorized } from './scene.ts';
import type { Reply, Shape, UpstreamCall } from './types.ts';
import {
  contentText,
  event,
  halves,
  type Json,
  objectOf,
  objectsOf,
  sendEvents,
  sendJson,
  textOf,
} from './wire.ts';

const known = [
  ...['model', 'messages', 'stream', 'stream_options', 'tools', 'tool_choice', 'response_format'],
  ...['max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'n', 'stop', 'seed', 'user'],
  ...['reasoning_effort', 'parallel_tool_calls', 'verbosity', 'store', 'metadata', 'logprobs'],
  ...['prompt_cache_key', 'safety_identifier', 'service_tier', 'presence_penalty', 'prediction'],
  ...['frequency_penalty', 'logit_bias', 'modalities', 'audio', 'top_logprobs'],
  ...['web_search_options', 'prompt_cache_retention'],
];

/** Strict schemas name every member and allow no other. */
export const strictSchema = (schema: unknown): void => {
  const own = objectOf(schema);
  if (own.type !== 'object') return;
  rule(own.additionalProperties === false, "'additionalProperties' is required to be false");
  const names = Object.keys(objectOf(own.properties));
  const required = Array.isArray(own.required) ? own.required : [];
  rule(
    names.every((name) => required.includes(name)),
    "'required' must include every key of the strict schema",
  );
};

/** Each call is answered before the next turn, and nothing else is. */
const callsAnswered = (messages: readonly Json[]): void => {
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      const id = textOf(message.tool_call_id);
      rule(open.delete(id), `tool message ${id} answers no preceding tool call`);
      continue;
    }
    rule(open.size === 0, `tool calls without an answer: ${[...open].join(', ')}`);
    open = new Set(objectsOf(message.tool_calls).map(({ id }) => textOf(id)));
    for (const call of objectsOf(message.tool_calls)) {
      const { arguments: text } = objectOf(call.function);
      rule(typeof text === 'string' && text.startsWith('{'), 'arguments of a call are JSON text');
    }
  }
  rule(open.size === 0, 'the last tool calls have no answer');
};

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

const limits = (body: Json): void => {
  onlyKnown(body, known, 'the body');
  const { model, max_tokens: max, temperature = 1, tools, response_format: format } = body;
  if (!textOf(model).startsWith('gpt-5')) return;
  rule(max === undefined || max === null, "'max_tokens' is not supported with this model");
  rule(temperature === 1 || temperature === null, "'temperature' supports the default (1) only");
  for (const tool of objectsOf(tools)) {
    const { name, strict, parameters } = objectOf(tool.function);
    rule(/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(name)), 'the name of a tool is not allowed');
    if (strict === true) strictSchema(parameters);
  }
  const { strict, schema } = objectOf(objectOf(format).json_schema);
  if (strict === true) strictSchema(schema);
};

const imageOf = (part: Json): string =>
  textOf(objectOf(part.image_url).url).replace(/^data:image\/png;base64,/, '');

const toolOf = (tool: Json): Tool => {
  const { name, parameters } = objectOf(tool.function);
  return { name: textOf(name), schema: parameters ?? {} };
};

const readChat: Shape['read'] = ({ body }) => {
  limits(body);
  const messages = objectsOf(body.messages);
  rule(messages.length > 0, "'messages' must not be empty");
  for (const { role } of messages) rule(roles.includes(textOf(role)), `role ${textOf(role)}`);
  callsAnswered(messages);
  const of = (...own: string[]) => messages.filter(({ role }) => own.includes(textOf(role)));
  const images = of('user')
    .flatMap(({ content }) => objectsOf(content))
    .filter(({ type }) => type === 'image_url')
    .map(imageOf);
  return {
    model: textOf(body.model),
    isStream: body.stream === true,
    system: of('system', 'developer')
      .map(({ content }) => contentText(content))
      .join('\n'),
    asked: of('user')
      .map(({ content }) => contentText(content))
      .join('\n'),
    toolResults: of('tool').map(({ content }) => contentText(content)),
    images,
    tools: objectsOf(body.tools).map(toolOf),
    schema: objectOf(objectOf(body.response_format).json_schema).schema ?? null,
    isThinking: ['low', 'medium', 'high'].includes(textOf(body.reasoning_effort)),
    proofs: 0,
  };
};

const messageOf = (answer: Answer, id: string): Json => {
  if (answer.kind !== 'call') {
    return { role: 'assistant', content: answer.kind === 'text' ? answer.text : null };
  }
  const called = { name: answer.name, arguments: JSON.stringify(answer.input) };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ index: 0, id: `call_${id}`, type: 'function', function: called }],
  };
};

const deltasOf = (answer: Answer, id: string): readonly Json[] => {
  if (answer.kind !== 'call') {
    const text = answer.kind === 'text' ? answer.text : '';
    return halves(text).map((content) => ({ role: 'assistant', content }));
  }
  const [first, second] = halves(JSON.stringify(answer.input));
  const { name } = answer;
  const begun = { index: 0, id: `call_${id}`, type: 'function' };
  return [
    { role: 'assistant', tool_calls: [{ ...begun, function: { name, arguments: first } }] },
    { tool_calls: [{ index: 0, function: { arguments: second } }] },
  ];
};

const sendChat = (res: ServerResponse, reply: Reply): void => {
  const { id, conversation, answer, counted } = reply;
  const { prompt, completion, model } = counted;
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
  const head = { id: `chatcmpl-${id}`, created: 1_700_000_000, model };
  const finish = answer.kind === 'call' ? 'tool_calls' : 'stop';
  if (!conversation.isStream) {
    const choices = [{ index: 0, message: messageOf(answer, id), finish_reason: finish }];
    sendJson(res, 200, { ...head, object: 'chat.completion', choices, usage });
    return;
  }
  const chunk = (choices: readonly Json[], more: Json = {}): string =>
    event({ ...head, object: 'chat.completion.chunk', choices, ...more });
  sendEvents(res, [
    ...deltasOf(answer, id).map((delta) => chunk([{ index: 0, delta, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: finish }]),
    chunk([], { usage }),
    'data: [DONE]\n\n',
  ]);
};

export const openAiFailure: Shape['fail'] = (res, status, message) => {
  const type = status === 429 ? 'rate_limit_exceeded' : 'invalid_request_error';
  sendJson(res, status, { error: { message, type, param: null, code: null } });
};

export const bearer = ({ headers }: UpstreamCall): void => {
  if (headers.authorization !== 'Bearer openai-key') throw new Unauthorized('Incorrect API key');
};

export const chatCompletions: Shape = { read: readChat, send: sendChat, fail: openAiFailure };
