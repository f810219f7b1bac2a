import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { storedUser } from '../../../shared/session.ts';
import { anAdmin, aUser, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { answered, ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const providers = ['github', 'oidc', 'linuxdo'] as const;
const at = (provider: string) => `/oauth/${provider}?code=c%2B1&state=s1&iss=https%3A%2F%2Fid.test`;

test.each(providers)(
  '%s: the page passes the parameters on, once, and shows that it works',
  async (provider) => {
    let answer: (body: unknown) => void = () => undefined;
    const waiting = new Promise((resolve) => {
      answer = resolve;
    });
    const { calls } = stubApi({ [`GET /api/oauth/${provider}`]: () => waiting });
    await renderConsole({ at: at(provider) });
    expect(await screen.findByText('Processing…')).toBeTruthy();
    const sent = calls.filter(({ path }) => path === `/api/oauth/${provider}`);
    expect(sent).toHaveLength(1);
    expect(Object.fromEntries(sent[0]?.query ?? [])).toEqual({
      code: 'c+1',
      state: 's1',
      iss: 'https://id.test',
    });
    // The next test begins on its own page only when this one has left for the next.
    answer(answered(500, {}));
    await waitFor(() => expect(window.location.pathname).not.toBe(`/oauth/${provider}`));
  },
);

test.each(providers)('%s: who signed in is kept, and lands on the tokens', async (provider) => {
  stubApi({ [`GET /api/oauth/${provider}`]: ok(aUser), 'GET /api/token/': ok([]) });
  await renderConsole({ at: at(provider) });
  await screen.findByRole('heading', { name: 'API keys' });
  expect(storedUser()).toEqual(aUser);
});

test.each(providers)(
  '%s: a bound account is reported, and leads to the settings',
  async (provider) => {
    stubApi({
      [`GET /api/oauth/${provider}`]: { success: true, message: 'bind' },
      'GET /api/option/': ok([]),
    });
    await renderConsole({ at: at(provider), user: anAdmin });
    expect(await screen.findByText('Account bound!')).toBeTruthy();
    await waitFor(() => expect(window.location.pathname).toBe('/setting'));
    expect(storedUser()).toEqual(anAdmin);
  },
);

test.each(providers)(
  '%s: a failure shows the reason and leads to the settings',
  async (provider) => {
    stubApi({
      [`GET /api/oauth/${provider}`]: answered(403, {
        success: false,
        code: 'login.state-invalid',
        message: 'state is empty or not same',
      }),
      'GET /api/option/': ok([]),
    });
    await renderConsole({ at: at(provider), user: anAdmin });
    expect(await screen.findByText(/state is empty or not same/)).toBeTruthy();
    await waitFor(() => expect(window.location.pathname).toBe('/setting'));
  },
);

test('an ordinary person whose account was bound finds the way to their own page', async () => {
  stubApi({ 'GET /api/oauth/github': { success: true, message: 'bind' } });
  await renderConsole({ at: at('github'), user: aUser });
  const link = await screen.findByRole('link', { name: 'Personal settings' });
  expect(link.getAttribute('href')).toBe('/personal');
});
