import OpenAI, { toFile } from 'openai';
import { aWave } from './sounds.ts';

/** Calls of a test to the openai library other than text. */
export type MediaClient = Readonly<{
  /** Pictures as base64. */
  draw: () => Promise<readonly string[]>;
  edit: () => Promise<readonly string[]>;
  speak: (text: string) => Promise<Buffer>;
  /** 61.2 seconds of silence. */
  transcribe: () => Promise<string>;
  translate: () => Promise<string>;
  search: () => Promise<string>;
  /** The statuses of errors that the library throws: drawing, speaking, listening. */
  failures: () => Promise<readonly number[]>;
}>;

const statusOf = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call;
    return 200;
  } catch (error) {
    return error instanceof OpenAI.APIError ? Number(error.status) : 0;
  }
};

const texts = ({ data = [] }: OpenAI.ImagesResponse): readonly string[] =>
  data.map(({ b64_json }) => b64_json ?? '');

export const mediaClient = (url: string, key: string): MediaClient => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const sound = () => toFile(aWave(61.2), 'silence.wav', { type: 'audio/wav' });
  const drawn = (prompt: string) =>
    client.images.generate({ model: 'dall-e-3', prompt, size: '1024x1792', quality: 'hd' });
  const spoken = (input: string) =>
    client.audio.speech.create({ model: 'tts-1', input, voice: 'alloy' });
  const heard = async (prompt: string) =>
    client.audio.transcriptions.create({ model: 'whisper-1', file: await sound(), prompt });
  return {
    draw: async () => texts(await drawn('a gate')),
    edit: async () => {
      const image = await toFile(Buffer.from('picture'), 'gate.png', { type: 'image/png' });
      return texts(await client.images.edit({ model: 'dall-e-3', image, prompt: 'open it', n: 2 }));
    },
    speak: async (text) => Buffer.from(await (await spoken(text)).arrayBuffer()),
    transcribe: async () => (await heard('')).text,
    translate: async () =>
      (await client.audio.translations.create({ model: 'whisper-1', file: await sound() })).text,
    search: async () => {
      const tools = [{ type: 'web_search_preview' as const }];
      return (await client.responses.create({ model: 'gpt-4o', input: 'Where?', tools }))
        .output_text;
    },
    failures: () => Promise.all([drawn('FAIL'), spoken('FAIL'), heard('FAIL')].map(statusOf)),
  };
};
