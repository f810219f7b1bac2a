import type { DecimalText } from '../../domain/pricing/types.ts';

/** The operator's options for image tasks (infra/reference/tasks.md, section 5). */
export type DrawingSettings = Readonly<{
  /** Whether callbacks of providers are requested. */
  notify: boolean;
  accountFilter: boolean;
  /** Words such as `--fast` are taken out of prompts. */
  clearsMode: boolean;
  /** Pictures are shown under our own address. */
  forwardsImages: boolean;
  /** Whether steps that build on a drawing require it to be finished. */
  checksSuccess: boolean;
}>;

export const drawingSettingsOf = (texts: ReadonlyMap<string, string>): DrawingSettings => ({
  notify: texts.get('MjNotifyEnabled') === 'true',
  accountFilter: texts.get('MjAccountFilterEnabled') === 'true',
  clearsMode: texts.get('MjModeClearEnabled') === 'true',
  forwardsImages: texts.get('MjForwardUrlEnabled') !== 'false',
  checksSuccess: texts.get('MjActionCheckSuccessEnabled') !== 'false',
});

/** The operator's settings of batches. */
export type BatchSettings = Readonly<{
  /** What the price of a single call is multiplied by; a channel may have its own. */
  ratio: DecimalText;
  /** Of a file of requests. */
  maxFileBytes: number;
}>;

const defaultRatio: DecimalText = '0.5';
const plainDecimal = /^\d{1,6}(?:\.\d{1,12})?$/;

/** null: no decimal that a price can be multiplied by. */
export const ratioOf = (value: unknown): DecimalText | null => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && plainDecimal.test(text) ? text : null;
};

const defaultFileMb = 100;

export const batchSettingsOf = (texts: ReadonlyMap<string, string>): BatchSettings => {
  const megabytes = Number(texts.get('batches.max_file_mb') ?? defaultFileMb);
  const isUsable = Number.isFinite(megabytes) && megabytes > 0;
  return {
    ratio: ratioOf(texts.get('BatchRatio')) ?? defaultRatio,
    maxFileBytes: (isUsable ? megabytes : defaultFileMb) * 1_048_576,
  };
};
