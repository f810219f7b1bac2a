import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { openSection } from '../../../testing/setting-sections.ts';
import { ok, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const values = {
  CheckSensitiveEnabled: 'true',
  CheckSensitiveOnPromptEnabled: 'true',
  CheckSensitiveOnCompletionEnabled: 'false',
  StopOnSensitiveEnabled: 'false',
  StreamCacheQueueLength: '3',
  SensitiveWords: 'one\ntwo',
  ChannelDisableThreshold: '5',
  QuotaRemindThreshold: '1000',
  AutomaticDisableChannelEnabled: 'true',
  AutomaticEnableChannelEnabled: 'false',
  AutomaticDisableKeywords: 'no credit',
  QuotaForNewUser: '100',
  PreConsumedQuota: '500',
  QuotaForInviter: '30',
  QuotaForInvitee: '20',
  GroupRatio: '{"default":1}',
  UserUsableGroups: '{"default":"Everybody"}',
};

/** A server that stores what it receives. */
const open = async () => {
  const kept = new Map<string, string>(Object.entries(values));
  const { calls } = stubApi({
    'GET /api/option/': () => ok([...kept].map(([key, value]) => ({ key, value }))),
    'PUT /api/option/': ({ body }: { body: unknown }) => {
      const { key, value } = body as { key: string; value: string };
      kept.set(key, value);
      return ok();
    },
  });
  const { person } = await renderConsole({ at: '/setting', user: anAdmin });
  const card = (name: string) => openSection(person, name);
  const reads = () =>
    calls.filter(({ method, path }) => `${method} ${path}` === readOptions).length;
  return { card, kept, person, reads };
};
const readOptions = 'GET /api/option/';

type Card = Readonly<{ switches?: Record<string, boolean>; fields: Record<string, string> }>;
const cards: Readonly<Record<string, Card>> = {
  'Blocked words': {
    switches: {
      'Filter blocked words': true,
      'In prompts': true,
      'In answers': false,
      'Stop when a blocked word is found': false,
    },
    fields: { 'Stream chunks held back': '3', 'Blocked words, one per line': 'one\ntwo' },
  },
  Monitoring: {
    switches: { 'Disable a failing channel': true, 'Enable a channel that works again': false },
    fields: {
      'Longest test response, seconds': '5',
      'Remind below this quota': '1000',
      'Keywords that disable a channel, one per line': 'no credit',
    },
  },
  Quota: {
    fields: {
      'Quota of a new user': '100',
      'Reserved for a request, tokens': '500',
      'Reward for inviting': '30',
      'Reward for being invited': '20',
    },
  },
  Groups: {
    fields: {
      'default Ratio': '1',
      'Group ratio: New row, Group': '',
      'Group ratio: New row, Ratio': '',
      'default Description': 'Everybody',
      'Groups users may choose: New row, Group': '',
      'Groups users may choose: New row, Description': '',
    },
  },
};

test('the cards of words, monitoring, quota and groups hold their options as they are set', async () => {
  const { card } = await open();
  for (const [name, { switches = {}, fields }] of Object.entries(cards)) {
    const shown = await card(name);
    for (const [label, isOn] of Object.entries(switches)) {
      expect(shown.getByRole('checkbox', { name: label })).toHaveProperty('checked', isOn);
    }
    for (const [label, value] of Object.entries(fields)) {
      expect(shown.getByRole('textbox', { name: label })).toHaveProperty('value', value);
    }
    expect(shown.queryAllByRole('checkbox')).toHaveLength(Object.keys(switches).length);
    expect(shown.queryAllByRole('textbox')).toHaveLength(Object.keys(fields).length);
  }
});

test('the four quotas are saved, and read back from the server', async () => {
  const { card, kept, person, reads } = await open();
  const quota = await card('Quota');
  const before = reads();
  for (const label of Object.keys(cards.Quota?.fields ?? {})) {
    await person.type(quota.getByLabelText(label), '7');
  }
  await person.click(quota.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(reads()).toBeGreaterThan(before));
  expect(
    ['QuotaForNewUser', 'PreConsumedQuota', 'QuotaForInviter', 'QuotaForInvitee'].map((key) =>
      kept.get(key),
    ),
  ).toEqual(['1007', '5007', '307', '207']);
  kept.set('QuotaForInvitee', '208');
  await person.type(quota.getByLabelText('Reward for inviting'), '7');
  await person.click(quota.getByRole('button', { name: 'Save' }));
  const invitee = quota.getByLabelText('Reward for being invited');
  await waitFor(() => expect(invitee).toHaveProperty('value', '208'));
  expect(quota.getByLabelText('Quota of a new user')).toHaveProperty('value', '1007');
});

test('a setting without effect is marked, and the others are not', async () => {
  const { card } = await open();
  const described = (label: string) => {
    const field = screen.getByLabelText(label);
    return field.closest('.bp6-form-group')?.textContent ?? '';
  };
  const note = 'Saved, but has no effect on this site.';
  await card('Blocked words');
  expect(described('Stream chunks held back')).toContain(note);
  expect(screen.getAllByText(note)).toHaveLength(1);
  await card('Dashboard');
  expect(described('Interval, minutes')).toContain(note);
  expect(screen.getAllByText(note)).toHaveLength(1);
});

test('the bounds of a number are those that the server names', async () => {
  stubApi({
    'GET /api/option/': ok([{ key: 'RetryTimes', value: '0', writer: 10, min: 0, max: 100 }]),
  });
  const { person } = await renderConsole({ at: '/setting', user: anAdmin });
  const field = await screen.findByLabelText(/Retr/);
  await person.clear(field);
  await person.type(field, '101');
  expect(await screen.findByText('A number from 0 to 100')).toBeTruthy();
});

test('another section asks first while a card has edits, and keeps them on demand', async () => {
  const { card, person } = await open();
  const quota = await card('Quota');
  const here = window.location.search;
  await person.type(quota.getByLabelText('Quota of a new user'), '0');
  expect(quota.getByText('Unsaved changes: 1')).toBeTruthy();
  const gemini = () => screen.getByRole('link', { name: 'Gemini' });
  await person.click(gemini());
  await person.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(window.location.search).toBe(here);
  expect(quota.getByLabelText('Quota of a new user')).toHaveProperty('value', '1000');
  await person.click(gemini());
  const discard = await screen.findAllByRole('button', { name: 'Discard changes' });
  await person.click(discard[discard.length - 1] as HTMLElement);
  await waitFor(() => expect(window.location.search).toBe('?tab=models&section=gemini'));
});

test('edits are counted, and dropped on demand', async () => {
  const { card, kept, person } = await open();
  const quota = await card('Quota');
  const fresh = quota.getByLabelText('Quota of a new user');
  await person.type(fresh, '0');
  await person.type(quota.getByLabelText('Reward for inviting'), '0');
  expect(quota.getByText('Unsaved changes: 2')).toBeTruthy();
  await person.click(quota.getByRole('button', { name: 'Discard' }));
  expect(fresh).toHaveProperty('value', '100');
  expect(quota.queryByText(/^Unsaved/)).toBeNull();
  expect(kept.get('QuotaForNewUser')).toBe('100');
});
