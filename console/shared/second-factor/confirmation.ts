import { useSyncExternalStore } from 'react';

/** Calls that wait until the user has proven the second factor again, all by the same dialog. */
let waiting: Readonly<{ answer: Promise<boolean>; settle: (isProven: boolean) => void }> | null =
  null;
const listeners = new Set<() => void>();

const announce = (): void => {
  for (const listener of listeners) listener();
};

/** False when the user closes the dialog. */
export const askForConfirmation = (): Promise<boolean> => {
  if (waiting !== null) return waiting.answer;
  let settle: (isProven: boolean) => void = () => undefined;
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  waiting = { answer, settle };
  announce();
  return answer;
};

export const settleConfirmation = (isProven: boolean): void => {
  waiting?.settle(isProven);
  waiting = null;
  announce();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const useIsConfirming = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => waiting !== null,
    () => false,
  );
