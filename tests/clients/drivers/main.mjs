/*
 * Runs every cell of one client against one channel: `main.mjs <driver> <url> <key> <model>`.
 * Writes one line of JSON for each cell.
 */
const [driver, url, key, model] = process.argv.slice(2);
const { create, notOffered = {} } = await import(`./${driver}.mjs`);
const cellTimeoutMs = 60_000;

/** A transparent PNG of one point. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, population: { type: 'integer' } },
  required: ['city', 'population'],
  additionalProperties: false,
};
/** Long enough for a context cache. */
const book = 'A chapter of the book. '.repeat(400);
const tool = {
  name: 'look_up',
  description: 'Looks up the weather of a city',
  schema: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Its name' } },
    required: ['city'],
    additionalProperties: false,
  },
  run: ({ city }) => `sunny in ${city}`,
};

const statusOf = (error) => {
  for (let own = error; own; own = own.cause ?? own.error ?? own.lastError) {
    const status = own.status ?? own.statusCode ?? own.status_code ?? own.response?.status;
    if (Number.isInteger(status)) return status;
  }
  return /\b(400|401|429)\b/.exec(String(error?.message))?.[1] ?? String(error);
};
const refused = async (call) => {
  try {
    const text = await call();
    return `no error: ${text}`;
  } catch (error) {
    return Number(statusOf(error)) || statusOf(error);
  }
};

const askedOf = (cells) => cells.plain ?? cells.json;

const own = create({ url, key, model });
const cells = {
  plain: () => own.plain('SCENE-plain Say hello.'),
  stream: () => own.stream('SCENE-plain Say hello.'),
  tool: () => own.tool('SCENE-tool What is the weather?', tool),
  'streamed tool': () => own.streamedTool('SCENE-tool What is the weather?', tool),
  json: () => own.json('SCENE-json Which city?', schema),
  image: () => own.image('SCENE-image What is this?', picture),
  thinking: () => own.thinking('SCENE-think Think about the weather.', tool),
  system: () => own.system('SCENE-system Who are you?', 'Answer as a pirate.'),
  caches: () => own.caches('SCENE-plain Say hello.', book),
  401: () => refused(() => askedOf(create({ url, key: 'sk-wrong', model }))('SCENE-json', schema)),
  429: () => refused(() => askedOf(own)('SCENE-limit', schema)),
  400: () => refused(() => askedOf(own)('SCENE-invalid', schema)),
};
const methods = { 'streamed tool': 'streamedTool' };

const timeLimit = () =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error('no answer in time')), cellTimeoutMs).unref();
  });

const outcomeOf = async (name, run) => {
  if (!/^\d+$/.test(name) && own[methods[name] ?? name] === undefined) {
    return { notOffered: notOffered[name] ?? 'the client has no such call' };
  }
  try {
    return { value: await Promise.race([run(), timeLimit()]) };
  } catch (error) {
    const { message, responseBody = '' } = error ?? {};
    const text = typeof message === 'string' ? message : JSON.stringify(error);
    return { error: `${text} ${responseBody}`.replace(/\s+/g, ' ').trim().slice(0, 600) };
  }
};

for (const [cell, run] of Object.entries(cells)) {
  const outcome = await outcomeOf(cell, run);
  process.stdout.write(`${JSON.stringify({ cell, ...outcome })}\n`);
}
process.exit(0);
