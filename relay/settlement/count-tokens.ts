import { countTexts } from './encoder.ts';
import { type Fields, isFields, Tally } from './prompt-parts.ts';

/** Tokens of a text. */
export const countTokens = (text: string, model: string): Promise<number> =>
  countTexts([text], model);

/** Tokens of a message in addition to its text; the same once more for the head of the answer. */
const messageTokens = 3;
const toolTokens = 3;

/** Tool calls in OpenAI's messages are not part of the content. */
const addCalls = (tally: Tally, { tool_calls: calls, function_call: single }: Fields): void => {
  const list: readonly unknown[] = Array.isArray(calls) ? calls : [];
  for (const call of [...list, { function: single }]) {
    const called = isFields(call) ? (call.function ?? call.custom) : null;
    if (!isFields(called)) continue;
    tally.text(called.name);
    const input = called.arguments ?? called.input;
    if (isFields(input)) tally.json(input);
    else tally.text(input);
    tally.tokens += toolTokens;
  }
};

const addMessage = (tally: Tally, message: unknown): void => {
  if (!isFields(message)) return;
  tally.tokens += messageTokens;
  tally.text(message.role);
  tally.content(message.content);
  tally.content(message.parts);
  tally.content(message.summary);
  tally.text(message.reasoning_content);
  tally.text(message.reasoning);
  tally.text(message.refusal);
  tally.text(message.thinking);
  tally.text(message.tool_plan);
  tally.pictures(message.images);
  addCalls(tally, message);
  if (typeof message.name !== 'string' || message.role === undefined) return;
  tally.tokens += 1;
  tally.text(message.name);
};

const addMessages = (tally: Tally, messages: unknown): void => {
  if (!Array.isArray(messages)) return;
  for (const message of messages) addMessage(tally, message);
  if (messages.length > 0) tally.tokens += messageTokens;
};

/** Definitions of tools and of the format of the answer. */
const addDefinitions = (tally: Tally, request: Fields): void => {
  for (const tools of [request.tools, request.functions]) {
    if (!Array.isArray(tools)) continue;
    for (const tool of tools) {
      tally.json(tool);
      tally.tokens += toolTokens;
    }
  }
  for (const [holder, name] of [
    ['response_format', 'json_schema'],
    ['text', 'format'],
    ['output_config', 'format'],
    ['generationConfig', 'responseSchema'],
    ['generationConfig', 'responseJsonSchema'],
    ['generation_config', 'response_schema'],
  ] as const) {
    const own = request[holder];
    if (isFields(own)) tally.json(own[name]);
  }
  if (isFields(request.format)) tally.json(request.format);
};

/** Items of the Responses API: messages, calls, their results, thoughts. */
const addItem = (tally: Tally, item: unknown): void => {
  if (!isFields(item)) {
    tally.content(item);
    return;
  }
  if (item.role !== undefined || item.content !== undefined) addMessage(tally, item);
  else tally.content(item);
};

/** Embedding inputs and completion prompts: texts, lists of texts, lists of token numbers. */
const addInput = (tally: Tally, input: unknown): void => {
  if (typeof input === 'number') tally.tokens += 1;
  else if (Array.isArray(input)) for (const part of input) addInput(tally, part);
  else if (isFields(input)) addItem(tally, input);
  else tally.text(input);
};

/** Instructions before the conversation, as each protocol calls them. */
const addSystem = (tally: Tally, request: Fields): void => {
  const { system, instructions } = request;
  const instruction = request.systemInstruction ?? request.system_instruction;
  for (const own of [system, instructions]) {
    if (own === undefined || own === null || own === '') continue;
    tally.tokens += messageTokens;
    tally.content(own);
  }
  if (isFields(instruction)) addMessage(tally, instruction);
  else tally.text(instruction);
};

/** Gemini's turns, and the requests that its other calls wrap them in. */
const addTurns = (tally: Tally, request: Fields): void => {
  for (const turn of [request.contents, request.content].flat()) {
    if (typeof turn === 'string') tally.text(turn);
    else addMessage(tally, turn);
  }
  const inner = request.generateContentRequest ?? request.generate_content_request;
  const list: readonly unknown[] = Array.isArray(request.requests) ? request.requests : [];
  for (const own of [inner, ...list]) if (isFields(own)) addRequest(tally, own);
};

const addRequest = (tally: Tally, request: Fields): void => {
  addSystem(tally, request);
  addMessages(tally, request.messages);
  addTurns(tally, request);
  addDefinitions(tally, request);
  tally.pictures(request.images);
  for (const name of ['prompt', 'suffix', 'input', 'texts', 'query', 'documents'] as const) {
    addInput(tally, request[name]);
  }
};

/** Everything in a request that its provider counts. */
export const countPrompt = async (request: unknown, model: string): Promise<number> => {
  const tally = new Tally(model);
  if (isFields(request)) addRequest(tally, request);
  return tally.tokens + (await countTexts(tally.texts, model));
};

/** Tokens of a request's prompt, by the relay's own count. */
export const countPromptTokens = async (body: Buffer, model: string): Promise<number> =>
  countPrompt(JSON.parse(body.toString('utf8')), model);
