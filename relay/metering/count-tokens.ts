type Encoder = (text: string) => number;

let o200k: Promise<Encoder> | null = null;
let cl100k: Promise<Encoder> | null = null;

/** Tables of tens of megabytes, loaded on the first answer without usage. */
const encoderFor = (model: string): Promise<Encoder> => {
  if (/^(?:gpt-4o|chatgpt-4o|gpt-4\.1|gpt-5|o[1-9])/.test(model)) {
    o200k ??= import('gpt-tokenizer/encoding/o200k_base').then((module) => module.countTokens);
    return o200k;
  }
  cl100k ??= import('gpt-tokenizer/encoding/cl100k_base').then((module) => module.countTokens);
  return cl100k;
};

/** Characters counted in one go: a few milliseconds of work. */
const sliceChars = 8_192;
/** Beyond this the rest is taken at the density of what was counted. */
const maxCountedChars = 1_048_576;

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Counts slice by slice and lets other requests in between. */
const countAll = async (texts: readonly string[], model: string): Promise<number> => {
  const count = await encoderFor(model);
  let tokens = 0;
  let counted = 0;
  let total = 0;
  let sinceBreath = 0;
  for (const text of texts) {
    total += text.length;
    for (let at = 0; at < text.length && counted < maxCountedChars; at += sliceChars) {
      const slice = text.slice(at, at + sliceChars);
      tokens += count(slice);
      counted += slice.length;
      sinceBreath += slice.length;
      if (sinceBreath < sliceChars) continue;
      sinceBreath = 0;
      await breathe();
    }
  }
  return counted === total ? tokens : Math.ceil((tokens * total) / counted);
};

/** Tokens of a text. */
export const countTokens = async (text: string, model: string): Promise<number> =>
  text === '' ? 0 : countAll([text], model);

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Tokens for parts that are not text (relay sheet, section 20); images at the size of most. */
const imageTokens = 765;
const lowImageTokens = 85;
const audioTokens = 100;
const fileTokens = 5_000;

type Tally = { text: string[]; tokens: number };

const addPart = (tally: Tally, part: unknown): void => {
  if (!isFields(part)) return;
  if (typeof part.text === 'string') tally.text.push(part.text);
  else if (part.type === 'input_audio') tally.tokens += audioTokens;
  else if (part.type === 'file') tally.tokens += fileTokens;
  else if (part.type === 'image' || isFields(part.inlineData)) tally.tokens += imageTokens;
  else if (part.type === 'image_url') {
    const image = part.image_url;
    const isLow = isFields(image) && image.detail === 'low';
    tally.tokens += isLow ? lowImageTokens : imageTokens;
  }
};

const addMessage = (tally: Tally, message: unknown): void => {
  if (!isFields(message)) return;
  const { content } = message;
  if (content === undefined && message.role === undefined) return;
  tally.tokens += 3;
  tally.text.push(String(message.role ?? ''));
  if (typeof content === 'string') tally.text.push(content);
  else if (Array.isArray(content)) for (const part of content) addPart(tally, part);
  if (typeof message.name === 'string') {
    tally.tokens += 1;
    tally.text.push(message.name);
  }
};

/** Members of Claude's and Gemini's bodies that stand beside the messages. */
const addOwnWords = (tally: Tally, request: Fields): void => {
  const { system, contents, content, requests } = request;
  const instruction = request.systemInstruction ?? request.system_instruction;
  addMessage(tally, { content: system });
  for (const turn of [instruction, content, contents, requests].flat()) {
    const own = isFields(turn) && isFields(turn.content) ? turn.content : turn;
    if (isFields(own)) addMessage(tally, { role: own.role, content: own.parts });
  }
};

/** Completion prompts and embedding inputs: texts, lists of texts, lists of token numbers. */
const addInput = (tally: Tally, input: unknown): void => {
  if (typeof input === 'string') tally.text.push(input);
  else if (typeof input === 'number') tally.tokens += 1;
  else if (Array.isArray(input)) for (const part of input) addInput(tally, part);
  else if (isFields(input)) {
    if (typeof input.text === 'string') tally.text.push(input.text);
    else addInput(tally, input.content);
  }
};

/** Tokens of a request's prompt, for answers whose upstream says nothing about them. */
export const countPromptTokens = async (body: Buffer, model: string): Promise<number> => {
  const request: unknown = JSON.parse(body.toString('utf8'));
  if (!isFields(request)) return 0;
  const tally: Tally = { text: [], tokens: 0 };
  if (Array.isArray(request.messages)) {
    tally.tokens += 3;
    for (const message of request.messages) addMessage(tally, message);
    if (Array.isArray(request.tools)) tally.text.push(JSON.stringify(request.tools));
  }
  addOwnWords(tally, request);
  addInput(tally, request.prompt);
  addInput(tally, request.input);
  addInput(tally, request.query);
  addInput(tally, request.documents);
  if (typeof request.instructions === 'string') tally.text.push(request.instructions);
  return tally.tokens + (await countAll(tally.text, model));
};
