import type { Toaster } from '@blueprintjs/core';
import { beforeEach, expect, test } from 'vitest';
import { attachToaster, dismissFailures, toast } from './toast.ts';

/** Keeps what is on the screen, as the real one does. */
const createToaster = () => {
  const shown = new Map<string, number | undefined>();
  return {
    shown,
    show: ({ timeout }: { timeout?: number }, key = '') => {
      shown.set(key, timeout);
      return key;
    },
    dismiss: (key: string) => {
      shown.delete(key);
    },
  };
};

let toaster: ReturnType<typeof createToaster>;
beforeEach(() => {
  toaster = createToaster();
  attachToaster(toaster as unknown as Toaster);
});
const texts = () => [...toaster.shown.keys()];

test('success replaces the error before it', () => {
  toast('error', 'password too short');
  toast('success', 'registered');
  expect(texts()).toEqual(['success:registered']);
});

test('an error stays until it is closed, and a second one replaces it', () => {
  toast('error', 'first');
  toast('error', 'second');
  expect([...toaster.shown]).toEqual([['error:second', 0]]);
});

test('an action that succeeds without words takes the error away as well', () => {
  toast('error', 'first');
  dismissFailures();
  expect(texts()).toEqual([]);
});

test('a hint does not outlive the success that follows it', () => {
  toast('hint', 'nothing has changed');
  toast('success', 'saved');
  expect(texts()).toEqual(['success:saved']);
});

test('a warning of what a success left undone stays next to it', () => {
  toast('warning', 'a secret was removed');
  toast('success', 'saved');
  expect(texts()).toEqual(['warning:a secret was removed', 'success:saved']);
});

test('the same message twice is one toast', () => {
  toast('success', 'saved');
  toast('success', 'saved');
  expect(texts()).toEqual(['success:saved']);
});
