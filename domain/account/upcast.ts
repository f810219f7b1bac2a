import type { Upcaster } from '../shared/catalogue.ts';
import type { AdjustmentReason } from './adjustment-reason.ts';

/** Written where the administrator gave no reason, before the reason could be left empty. */
const machineText = /^admin \d+ set the quota of user \d+$/;

const typedReason = (stored: unknown): AdjustmentReason => {
  const text = typeof stored === 'string' ? stored : '';
  return text === '' || machineText.test(text)
    ? { kind: 'set-by-admin', note: null }
    : { kind: 'other', note: text };
};

/** Version 1 held the reason as one text, of a person or of the product. */
export const adjustedFromVersion1: Upcaster = (data) => ({
  ...data,
  reason: typedReason(data.reason),
});
