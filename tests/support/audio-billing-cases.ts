import type { BillingCase } from './billing-cases.ts';
import { f, plus, times } from './fractions.ts';

const byRatio = (
  kind: string,
  model: string,
  own: Pick<BillingCase, 'usage' | 'due'>,
): BillingCase => ({ kind, model, byRatio: true, ...own });

/** Audio: (text in + text out·C + audio in·A + audio out·A·B) · M. */
export const audioCases: readonly BillingCase[] = [
  byRatio('sound heard and made', 'gpt-4o-audio-preview', {
    usage: {
      promptTokens: 150,
      audioInputTokens: 50,
      completionTokens: 50,
      audioOutputTokens: 20,
    },
    due: times(100 + 30 * 4 + 50 * 40 + 20 * 40 * 2, f('1.25')),
  }),
  byRatio('sound heard alone', 'gpt-4o-audio-preview', {
    usage: { promptTokens: 50, audioInputTokens: 50 },
    due: times(50 * 40, f('1.25')),
  }),
  byRatio('a turn of realtime', 'gpt-4o-realtime-preview', {
    usage: {
      promptTokens: 300,
      audioInputTokens: 200,
      completionTokens: 120,
      audioOutputTokens: 100,
    },
    due: times(100 + 20 * 4 + 200 * 20 + 100 * 20 * 2, f('2.5')),
  }),
  byRatio('a turn of realtime with text and sound from the cache', 'gpt-4o-realtime-preview', {
    usage: {
      promptTokens: 300,
      audioInputTokens: 200,
      cachedTokens: 128,
      cachedAudioTokens: 64,
      completionTokens: 20,
    },
    // 36 of text and 136 of audio are new, 64 of each are read from the cache at half the price.
    due: times(plus(f('36'), f('32'), f('80'), f('2720'), times(64, 20, f('0.5'))), f('2.5')),
  }),
  byRatio(
    'a turn of Gemini Live with sound, pictures and thoughts',
    'gemini-live-2.5-flash-preview',
    {
      usage: {
        promptTokens: 600,
        audioInputTokens: 250,
        imageInputTokens: 258,
        completionTokens: 120,
        audioOutputTokens: 100,
      },
      // Pictures cost as much as text: 92 + 258 in, 20 out.
      due: times(92 + 258 + 20 * 4 + 250 * 6 + 100 * 6 * 4, f('0.25')),
    },
  ),
  byRatio('sound of a model that hears it as text', 'own-model', {
    usage: { promptTokens: 100, audioInputTokens: 60, completionTokens: 10, audioOutputTokens: 4 },
    due: times(plus(f('100'), times(10, f('2.5'))), f('3.7')),
  }),
];
