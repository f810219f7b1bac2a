import { eachPiece } from './text-pieces.ts';

type Encoder = (text: string) => number;
type Encoding = 'o200k' | 'cl100k';

/** Runs are short (`eachPiece`), so that a full cache takes at most some ten megabytes. */
const cachedRuns = 8_192;
/** Texts may name special tokens: they are text there, and not refused. */
const asText = { disallowedSpecial: new Set<string>() };

const encoders: Partial<Record<Encoding, Promise<Encoder>>> = {};

/** Tables of tens of megabytes: loaded on first use, and by the threads that count alone. */
const load = async (encoding: Encoding): Promise<Encoder> => {
  const { countTokens, setMergeCacheSize } =
    encoding === 'o200k'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base');
  setMergeCacheSize(cachedRuns);
  return (text) => countTokens(text, asText);
};

const encodingOf = (model: string): Encoding =>
  /^(?:gpt-4o|chatgpt-4o|gpt-4\.1|gpt-5|o[1-9])/.test(model) ? 'o200k' : 'cl100k';

const encoderFor = (model: string): Promise<Encoder> => {
  const encoding = encodingOf(model);
  encoders[encoding] ??= load(encoding);
  return encoders[encoding];
};

/** Characters counted one by one; of longer texts an evenly spread part represents all. */
const maxCountedChars = 524_288;
const sampleChars = 4_096;

/** Samples of the texts at even distances, `share` of their characters in all. */
const sampled = (texts: readonly string[], share: number): readonly string[] => {
  const samples: string[] = [];
  let due = 0;
  for (const text of texts) {
    for (let at = 0; at < text.length; at += sampleChars) {
      const sample = text.slice(at, at + sampleChars);
      due += sample.length * share;
      if (due < sample.length) continue;
      due -= sample.length;
      samples.push(sample);
    }
  }
  return samples;
};

const charsIn = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.length, 0);

/** Tokens of texts; the time that it takes grows with their length, and is bounded. */
export const countTexts = async (texts: readonly string[], model: string): Promise<number> => {
  const chars = charsIn(texts);
  if (chars === 0) return 0;
  const count = await encoderFor(model);
  const counted = chars <= maxCountedChars ? texts : sampled(texts, maxCountedChars / chars);
  let tokens = 0;
  for (const text of counted) {
    eachPiece(text, (piece) => {
      tokens += count(piece);
    });
  }
  return counted === texts ? tokens : Math.ceil((tokens * chars) / Math.max(1, charsIn(counted)));
};
