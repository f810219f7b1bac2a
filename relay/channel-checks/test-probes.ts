import { mapModel } from '../feeds/model-mapping.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { isApiError } from '../protocol/api-error.ts';
import type { TextOperation } from '../protocol/calls.ts';
import { type ScannedBody, scanned, scannedForm } from '../protocol/normalise.ts';

/** The smallest question that shows whether a model answers. */
export type Probe = Readonly<{
  operation: TextOperation;
  path: string;
  contentType: string;
  given: ScannedBody;
}>;

/** Output limit of the probe, by upstream model (infra/reference/console-rules.md, section 10.2). */
const limitFor = (name: string): object => {
  if (name.startsWith('o1') || name.startsWith('o3')) return { max_completion_tokens: 10 };
  if (name.includes('thinking')) return name.includes('claude') ? {} : { max_tokens: 50 };
  return { max_tokens: name.includes('gemini') ? 300 : 10 };
};

const chat = (model: string, upstreamModel: string): object => ({
  model,
  messages: [{ role: 'user', content: 'hi' }],
  ...limitFor(upstreamModel),
});

type Kind = Readonly<{
  matches: RegExp;
  operation: TextOperation;
  path: string;
  body: (model: string) => object;
}>;

/** What a model is for, by its name; whatever is not listed chats. */
const kinds: readonly Kind[] = [
  {
    matches: /embed|bge-(?!rerank)|^m3e/,
    operation: 'embeddings',
    path: '/v1/embeddings',
    body: (model) => ({ model, input: ['hello world'] }),
  },
  {
    matches: /rerank/,
    operation: 'rerank',
    path: '/v1/rerank',
    body: (model) => ({ model, query: 'hello', documents: ['hello world', 'goodbye'] }),
  },
  {
    matches: /^tts|-tts\b|^speech-/,
    operation: 'speech',
    path: '/v1/audio/speech',
    body: (model) => ({ model, input: 'hi', voice: 'alloy' }),
  },
  {
    matches: /^(?:dall-e|gpt-image|chatgpt-image|imagen-|cogview|wanx|qwen-image|grok-2-image)/,
    operation: 'images',
    path: '/v1/images/generations',
    body: (model) => ({ model, prompt: 'a dot' }),
  },
];

/** A tenth of a second of silence: 8,000 samples a second, one byte each. */
const silentAudio = (): Buffer => {
  const samples = 800;
  const head = Buffer.alloc(44);
  head.write('RIFF\0\0\0\0WAVEfmt ', 0, 'latin1');
  head.writeUInt32LE(36 + samples, 4);
  head.writeUInt32LE(16, 16);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const) {
    head.writeUInt16LE(value, at);
  }
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]);
};

const boundary = 'tollgate-probe';

const listening = (model: string): Probe | null => {
  const field = `--${boundary}\r\nContent-Disposition: form-data; name=`;
  const body = Buffer.concat([
    Buffer.from(`${field}"model"\r\n\r\n${model}\r\n`),
    Buffer.from(`${field}"file"; filename="hi.wav"\r\nContent-Type: audio/wav\r\n\r\n`),
    silentAudio(),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const given = scannedForm(body, contentType);
  const path = '/v1/audio/transcriptions';
  return isApiError(given) ? null : { operation: 'transcription', path, contentType, given };
};

/** null: the question could not be made. */
export const probeFor = (channel: UpstreamChannel, model: string): Probe | null => {
  const name = model.toLowerCase();
  if (/^whisper|-transcribe\b/.test(name)) return listening(model);
  const kind = kinds.find(({ matches }) => matches.test(name));
  const upstreamModel =
    channel.modelMapping === null ? model : mapModel(channel.modelMapping, model);
  const body = kind?.body(model) ?? chat(model, upstreamModel);
  const given = scanned(Buffer.from(JSON.stringify(body)));
  const { operation, path } = kind ?? { operation: 'chat', path: '/v1/chat/completions' };
  return given === null ? null : { operation, path, contentType: 'application/json', given };
};
