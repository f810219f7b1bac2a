import type { DecimalText } from '../types.ts';

/** Model ratio of a call without a price, where the operator or the user accepts one. */
export const unpricedModelRatio: DecimalText = '37.5';
/** Multiplier for tokens written to the prompt cache; built in, for every model. */
export const cacheCreationRatio: DecimalText = '1.25';
/** A model without an entry pays cached tokens in full. */
export const cacheRatioFallback: DecimalText = '1';
/** A group without an entry pays the plain price. */
export const groupRatioFallback: DecimalText = '1';
/** Units per USD. */
export const defaultQuotaPerUnit = 500_000;
/** Output tokens reserved for a call that names no output limit. */
export const defaultPreConsumedTokens = 500;
/** Multiplier for sound of a model made for it that has no entry. */
export const audioRatioFallback: DecimalText = '20';
/** Multiplier on the audio ratio for sound that was made. */
export const audioCompletionRatioFallback: DecimalText = '2';
/** USD of one plain picture at model ratio 1, where no price per call is set. */
export const pictureUsd: DecimalText = '0.0025';
