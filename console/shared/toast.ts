import type { Toaster } from '@blueprintjs/core';

export type ToastKind = 'success' | 'info' | 'error' | 'warning';

const lifetimesMs = { success: 1500, info: 3000, error: 5000, warning: 10_000 } as const;
const intents = {
  success: 'success',
  info: 'primary',
  error: 'danger',
  warning: 'warning',
} as const;

let toaster: Toaster | null = null;
const waiting: { kind: ToastKind; message: string }[] = [];

/** The same message again replaces the first, so that ten failed calls show one toast. */
const show = (kind: ToastKind, message: string) =>
  toaster?.show(
    { message, intent: intents[kind], timeout: lifetimesMs[kind], isCloseButtonShown: true },
    `${kind}:${message}`,
  );

/** The mounted toaster; messages from before it was mounted are shown now. */
export const attachToaster = (next: Toaster | null): void => {
  toaster = next;
  if (next === null) return;
  for (const { kind, message } of waiting.splice(0)) show(kind, message);
};

export const toast = (kind: ToastKind, message: string): void => {
  if (toaster === null) waiting.push({ kind, message });
  else show(kind, message);
};
