import { cleanup, configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { App, openApp } from '../app/app.tsx';
import { type Language, startI18n } from '../app/i18n.ts';
import { type StoredUser, storeUser } from '../shared/session.ts';
import { takeContractProblems } from './contract-check.ts';

export const aUser: StoredUser = {
  id: 7,
  username: 'ada',
  display_name: 'Ada',
  role: 1,
  status: 1,
  group: 'default',
};
export const anAdmin: StoredUser = { ...aUser, id: 1, username: 'root', role: 100 };

/** Screens are loaded when they are opened; on a busy machine that takes a while. */
configure({ asyncUtilTimeout: 15_000 });

type Options = Readonly<{ at: string; user?: StoredUser; language?: Language }>;

/** The whole console, at an address, as a user with that session sees it. */
export const renderConsole = async ({ at, user, language = 'en' }: Options) => {
  window.history.replaceState(null, '', at);
  if (user) storeUser(user);
  await startI18n(language);
  return { ...render(<App {...openApp()} />), person: userEvent.setup() };
};

/** Every spec of a screen begins with an empty browser. */
export const cleanBrowser = (): void => {
  beforeEach(() => {
    localStorage.clear();
    vi.stubGlobal('scrollTo', () => undefined);
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe() {}
        unobserve() {}
        disconnect() {}
      },
    );
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    expect(takeContractProblems()).toEqual([]);
  });
};
