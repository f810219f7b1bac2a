import { imageSize } from 'image-size';
import { audioSeconds } from '../protocol/audio-length.ts';

/** Whose rule counts what is no text: providers differ by more than ten times. */
export type MediaFamily = 'openai' | 'openai-mini' | 'claude' | 'gemini';

export const mediaFamilyOf = (model: string): MediaFamily => {
  if (/gemini|gemma|imagen/.test(model)) return 'gemini';
  if (model.includes('claude')) return 'claude';
  return model.startsWith('gpt-4o-mini') ? 'openai-mini' : 'openai';
};

type Size = Readonly<{ width: number; height: number }>;

/** OpenAI: a base, and each square of 512 after the picture was made to fit. */
const tileTokens = {
  openai: { base: 85, tile: 170 },
  'openai-mini': { base: 2_833, tile: 5_667 },
} as const;
/** Of a picture by address, which is not fetched to be counted: one of 1024 by 1024. */
const defaultSize: Size = { width: 1_024, height: 1_024 };

const openAiTiles = ({ width, height }: Size): number => {
  const inside = Math.min(1, 2_048 / Math.max(width, height));
  const short = Math.min(1, 768 / (Math.min(width, height) * inside)) * inside;
  return Math.ceil((width * short) / 512) * Math.ceil((height * short) / 512);
};

/** Claude: 750 points to a token, after the picture was made to fit. */
const claudeImage = ({ width, height }: Size): number =>
  Math.min(1_600, Math.ceil((width * height) / 750));

/** Gemini: one tile for small pictures, else as many of 768 as it takes. */
const geminiImage = ({ width, height }: Size): number =>
  width <= 384 && height <= 384 ? 258 : 258 * Math.ceil(width / 768) * Math.ceil(height / 768);

/** Enough for the heads of all formats, but for pictures with long notes before them. */
const headChars = 262_144;
const maxTiles = 64;

const sizeOf = (base64: string): Size | null => {
  try {
    const { width, height } = imageSize(Buffer.from(base64.slice(0, headChars), 'base64'));
    return width > 0 && height > 0 ? { width, height } : null;
  } catch {
    return null;
  }
};

const isData = (url: string): boolean => url.startsWith('data:');
/** The data of `data:…;base64,`; null: the address of something else. */
export const dataOf = (url: string): string | null => {
  if (!isData(url)) return null;
  const comma = url.indexOf(',');
  return comma === -1 ? '' : url.slice(comma + 1);
};

/** `base64`: the picture itself; null where only its address or number is available. */
export const imageTokens = (
  family: MediaFamily,
  base64: string | null,
  detail: unknown = 'auto',
): number => {
  const isOpenAi = family === 'openai' || family === 'openai-mini';
  if (isOpenAi && detail === 'low') return tileTokens[family].base;
  const size = (base64 === null ? null : sizeOf(base64)) ?? defaultSize;
  if (family === 'claude') return claudeImage(size);
  if (family === 'gemini') return Math.min(geminiImage(size), 258 * maxTiles);
  const { base, tile } = tileTokens[family];
  return base + tile * Math.min(openAiTiles(size), maxTiles);
};

/** Tokens of a second of sound. */
const soundRate = { openai: 10, 'openai-mini': 10, claude: 10, gemini: 32 } as const;
/** Of sound by address. */
const defaultSeconds = 10;
/** The length of a sound is read off its first bytes and its size. */
const maxSoundChars = 4_194_304;

export const soundTokens = (family: MediaFamily, base64: string | null): number => {
  if (base64 === null) return defaultSeconds * soundRate[family];
  const isWhole = base64.length <= maxSoundChars;
  const known = Buffer.from(isWhole ? base64 : base64.slice(0, maxSoundChars), 'base64');
  const seconds = audioSeconds(known) * (isWhole ? 1 : base64.length / maxSoundChars);
  return Math.max(1, Math.ceil(seconds * soundRate[family]));
};

/** Of a file whose pages cannot be seen. */
const defaultFile = 5_000;
const pageTokens = { openai: 1_500, 'openai-mini': 1_500, claude: 2_000, gemini: 258 } as const;
const page = /\/Type\s*\/Page(?![a-zA-Z])/g;

/** Documents of pages. */
export const fileTokens = (family: MediaFamily, base64: string | null): number => {
  if (base64 === null) return defaultFile;
  const pages = Buffer.from(base64, 'base64').toString('latin1').match(page)?.length ?? 0;
  return pages === 0 ? defaultFile : pages * pageTokens[family];
};
