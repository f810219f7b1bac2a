import { audioCompletionRatioFallback, audioRatioFallback } from './defaults/fallbacks.ts';
import type { DecimalText, RatioQuote } from './types.ts';

type Ratios = Readonly<{
  audioRatio: ReadonlyMap<string, DecimalText>;
  audioCompletionRatio: ReadonlyMap<string, DecimalText>;
}>;

/** Of audio models without a ratio of their own. */
const familyRatio = (name: string): DecimalText | null => {
  if (!name.includes('gpt')) return null;
  const isSmall = name.includes('mini');
  if (name.includes('-realtime')) {
    if (name.endsWith('gpt-4o-realtime-preview-2024-12-17')) return '8';
    return isSmall ? '16.666666666666668' : audioRatioFallback;
  }
  if (!name.includes('-audio')) return null;
  if (name.endsWith('gpt-4o-audio-preview-2024-12-17')) return '16';
  return isSmall ? '66.66666666666667' : '40';
};

/** What sound costs with this model; nothing where it costs as much as text. */
export const audioTermsOf = (
  name: string,
  { audioRatio, audioCompletionRatio }: Ratios,
): Pick<RatioQuote, 'audioRatio' | 'audioCompletionRatio'> => {
  const own = audioRatio.get(name) ?? familyRatio(name);
  if (own === null) return {};
  return {
    audioRatio: own,
    audioCompletionRatio: audioCompletionRatio.get(name) ?? audioCompletionRatioFallback,
  };
};
