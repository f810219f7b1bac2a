import type { Toaster } from '@blueprintjs/core';

/**
 * `warning`: what a success left undone, for its time. `hint`: why an action did nothing, until one
 * succeeds.
 */
export type ToastKind = 'success' | 'info' | 'error' | 'warning' | 'hint';

/** An error stays until it is closed or fixed. */
const lifetimesMs = { success: 3000, info: 5000, error: 0, warning: 10_000, hint: 10_000 } as const;
const intents = {
  success: 'success',
  info: 'primary',
  error: 'danger',
  warning: 'warning',
  hint: 'warning',
} as const;

let toaster: Toaster | null = null;
const waiting: { kind: ToastKind; message: string }[] = [];
/** The key of the toast of each kind that was shown last. */
const shown = new Map<ToastKind, string>();

const dismiss = (kind: ToastKind): void => {
  const key = shown.get(kind);
  if (key === undefined) return;
  shown.delete(kind);
  toaster?.dismiss(key);
};

/** Called when an action has succeeded: what failed or did nothing before it no longer matters. */
export const dismissFailures = (): void => {
  dismiss('error');
  dismiss('hint');
};

/** One toast of a kind at a time; the same message again replaces itself. */
const show = (kind: ToastKind, message: string): void => {
  const key = `${kind}:${message}`;
  if (shown.get(kind) !== key) dismiss(kind);
  if (kind === 'success') dismissFailures();
  shown.set(kind, key);
  toaster?.show(
    { message, intent: intents[kind], timeout: lifetimesMs[kind], isCloseButtonShown: true },
    key,
  );
};

/** The mounted toaster; messages from before it was mounted are shown now. */
export const attachToaster = (next: Toaster | null): void => {
  toaster = next;
  shown.clear();
  if (next === null) return;
  for (const { kind, message } of waiting.splice(0)) show(kind, message);
};

export const toast = (kind: ToastKind, message: string): void => {
  if (toaster === null) waiting.push({ kind, message });
  else show(kind, message);
};
