/** Multiplier on the model ratio for tokens of audio input. */
export const defaultAudioRatios: Readonly<Record<string, number>> = {
  'gpt-4o-audio-preview': 40,
  'gpt-4o-audio-preview-2024-10-01': 40,
  'gpt-4o-audio-preview-2024-12-17': 16,
  'gpt-4o-mini-audio-preview': 66.66666666666667,
  'gpt-4o-realtime-preview': 20,
  'gpt-4o-realtime-preview-2024-10-01': 20,
  'gpt-4o-realtime-preview-2024-12-17': 8,
  'gpt-4o-mini-realtime-preview': 16.666666666666668,
  'gpt-4o-mini-realtime-preview-2024-12-17': 16.666666666666668,
};

/** Further multiplier on the audio ratio for tokens of sound that a model makes. */
export const defaultAudioCompletionRatios: Readonly<Record<string, number>> = {
  'gpt-4o-realtime-preview': 2,
  'gpt-4o-mini-realtime-preview': 2,
  'gpt-4o-audio-preview': 2,
};

/** Multiplier on the model ratio for tokens of picture input. */
export const defaultImageRatios: Readonly<Record<string, number>> = {
  'gpt-image-1': 2,
};
