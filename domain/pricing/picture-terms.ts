import type { DecimalText, PictureTerms } from './types.ts';

/** The request's settings of its pictures; "" where they are missing. */
export type PictureAsk = Readonly<{
  size: string;
  quality: string;
  /** The name sent upstream: quality counts for one model alone. */
  upstreamModel: string;
}>;

const plain: DecimalText = '1';
const sizeRatios: Readonly<Record<string, DecimalText>> = {
  '256x256': '0.4',
  '512x512': '0.45',
  '1024x1792': '2',
  '1792x1024': '2',
};
const oblong: ReadonlySet<string> = new Set(['1024x1792', '1792x1024']);

const qualityRatio = ({ size, quality, upstreamModel }: PictureAsk): DecimalText => {
  if (upstreamModel !== 'dall-e-3' || quality !== 'hd') return plain;
  return oblong.has(size) ? '1.5' : '2';
};

/** Multipliers of a call for pictures. */
export const pictureTerms = (ask: PictureAsk, quotaPerUnit: number): PictureTerms => ({
  size: ask.size,
  quality: ask.quality,
  sizeRatio: sizeRatios[ask.size] ?? plain,
  qualityRatio: qualityRatio(ask),
  quotaPerUnit,
});
