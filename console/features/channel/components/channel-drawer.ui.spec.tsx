import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { channelTypesOnWire } from '../../../../projections/channel-list/types.ts';
import { expectRefusal } from '../../../testing/form-refusal.ts';
import { anAdmin, cleanBrowser, renderConsole } from '../../../testing/render-console.tsx';
import { ok, refused, type StubRoutes, stubApi } from '../../../testing/stub-api.ts';

cleanBrowser();

const stored = {
  id: 5,
  type: 1,
  key: '',
  name: 'main',
  status: 1,
  models: 'gpt-4o',
  group: 'default,vip',
  base_url: 'https://one.test',
  other: '',
  tag: '',
  priority: 4,
  weight: 2,
  auto_ban: 0,
  balance: 0,
  used_quota: 0,
  response_time: 0,
  test_time: 0,
  created_time: 1,
  other_info: '',
};
const base = {
  'GET /api/channel/': ok([stored]),
  'GET /api/channel/5': ok(stored),
  'GET /api/group/': ok(['default', 'vip']),
  'GET /api/channel/models': ok([{ id: 'gpt-4o' }]),
  'GET /api/channel/types': ok(channelTypesOnWire),
  'GET /api/models': ok({ 1: ['gpt-4o'], 5: ['mj_imagine', 'mj_custom_zoom'] }),
  'POST /api/channel/': ok(),
  'PUT /api/channel/': ok(),
};
const open = async (at: string, routes: StubRoutes = {}) => {
  const { calls } = stubApi({ ...base, ...routes });
  const { person } = await renderConsole({ at, user: anAdmin });
  const title = at.endsWith('add') ? 'Add a channel' : 'Edit channel';
  // The form replaces its skeleton, so it is searched once its fields are there.
  await screen.findByRole('textbox', { name: /^Name/ });
  const drawer = within(screen.getByRole('dialog', { name: title }));
  const field = (name: RegExp) => drawer.getByLabelText(name);
  const submit = () => person.click(drawer.getByRole('button', { name: 'Submit' }));
  const sent = (method: string) =>
    calls.filter((call) => call.method === method).map(({ body }) => body);
  const chooseType = async (label: string) => {
    await person.click(field(/^Type/));
    await person.type(field(/^Type/), label);
    await person.keyboard('{Enter}');
  };
  return { calls, person, drawer, field, submit, sent, chooseType };
};

test('a new channel needs a name, a key and a model before anything is sent', async () => {
  const { person, field, submit, sent, drawer } = await open('/channel/add');
  expect(field(/^Type/)).toHaveProperty('value', 'OpenAI');
  expect(drawer.getByText('default')).toBeTruthy();
  expect(field(/^May be disabled/)).toHaveProperty('checked', true);
  await submit();
  expect(await screen.findByText(/name and key/)).toBeTruthy();
  await person.type(field(/^Name/), 'new');
  await person.type(field(/^Key/), 'sk-1');
  await submit();
  expect(await screen.findByText(/at least one model/)).toBeTruthy();
  await person.type(field(/^Custom model name/), 'my-model{Enter}');
  await person.type(field(/^Model mapping/), 'no json');
  await submit();
  expect(await screen.findByText(/Model mapping must be/i)).toBeTruthy();
  await person.clear(field(/^Model mapping/));
  await person.clear(field(/^Weight/));
  await person.type(field(/^Weight/), '-1');
  await submit();
  expect(await screen.findByText(/whole number/)).toBeTruthy();
  expect(sent('POST')).toEqual([]);
});

test('a channel is created with comma texts and an address without its last slash', async () => {
  const { person, field, submit, sent } = await open('/channel/add');
  await person.type(field(/^Name/), 'new');
  await person.type(field(/^Key/), 'sk-1');
  await person.type(field(/^API address/), 'https://two.test/');
  await person.type(field(/^Custom model name/), 'a,b{Enter}');
  await person.type(field(/^Custom model name/), 'b{Enter}');
  expect(await screen.findByText(/are there already/)).toBeTruthy();
  await person.type(field(/^Groups/), 'vip{Enter}');
  await submit();
  await waitFor(() =>
    expect(sent('POST')).toEqual([
      expect.objectContaining({
        type: 1,
        name: 'new',
        key: 'sk-1',
        base_url: 'https://two.test',
        models: 'a,b',
        group: 'default,vip',
        auto_ban: 1,
      }),
    ]),
  );
});

test('an address that ends in /v1 is saved only after a question', async () => {
  const { person, field, submit, sent } = await open('/channel/edit/5');
  await person.clear(field(/^API address/));
  await person.type(field(/^API address/), 'https://two.test/v1');
  await person.type(field(/^Key/), 'sk-again');
  await submit();
  const question = within(await screen.findByRole('alertdialog'));
  await person.click(question.getByRole('button', { name: 'Cancel' }));
  expect(sent('PUT')).toEqual([]);
  await submit();
  await person.click(await screen.findByRole('button', { name: 'Submit anyway' }));
  await waitFor(() => expect(sent('PUT')).toHaveLength(1));
});

test('fields follow the type of the provider', async () => {
  const { field, chooseType, drawer } = await open('/channel/add');
  await chooseType('Cloudflare');
  expect(field(/^Account ID/)).toBeTruthy();
  await chooseType('SiliconCloud');
  expect(drawer.getByRole('link', { name: /SiliconCloud/ })).toBeTruthy();
  await chooseType('Vertex');
  expect(field(/region/i)).toBeTruthy();
  expect(field(/^Key/).tagName).toBe('TEXTAREA');
  await chooseType('Coze');
  expect(field(/agent id/i)).toBeTruthy();
  await chooseType('Midjourney Proxy Plus');
  expect(drawer.getByText('mj_custom_zoom')).toBeTruthy();
});

test('the version of a type that needs one is filled in where none was typed', async () => {
  const { person, field, submit, sent, chooseType } = await open('/channel/add');
  await chooseType('iFlytek');
  await person.type(field(/^Name/), 'x');
  await person.type(field(/^Key/), 'a|b|c');
  await person.type(field(/^Custom model name/), 'spark{Enter}');
  await submit();
  await waitFor(() => expect(sent('POST')).toEqual([expect.objectContaining({ other: 'v2.1' })]));
});

test('models can be read from the provider, which needs a key for a new channel', async () => {
  const { person, field, drawer, calls } = await open('/channel/add', {
    'POST /api/channel/fetch_models': ok(['gpt-4o', 'gpt-5']),
  });
  const fetch = () => person.click(drawer.getByRole('button', { name: /^Fetch/ }));
  await fetch();
  expect(await screen.findByText(/enter.*key/i)).toBeTruthy();
  await person.type(field(/^Key/), 'sk-1');
  await fetch();
  expect(await drawer.findByText('gpt-5')).toBeTruthy();
  expect(calls.find(({ path }) => path.endsWith('fetch_models'))?.body).toEqual({
    base_url: '',
    type: 1,
    key: 'sk-1',
  });
});

test('an existing channel is filled in, and an empty key leaves the stored one', async () => {
  const { person, field, submit, sent, drawer, calls } = await open('/channel/edit/5', {
    'GET /api/channel/fetch_models/5': ok(['gpt-5']),
  });
  expect(field(/^Name/)).toHaveProperty('value', 'main');
  expect(field(/^Key/)).toHaveProperty('value', '');
  expect(field(/^Priority/)).toHaveProperty('value', '4');
  expect(drawer.getByText('vip')).toBeTruthy();
  await person.click(drawer.getByRole('button', { name: /^Clear/ }));
  await submit();
  expect(await screen.findByText(/at least one model/)).toBeTruthy();
  await person.click(drawer.getByRole('button', { name: /^Fetch/ }));
  expect(await drawer.findByText('gpt-5')).toBeTruthy();
  expect(calls.some(({ path }) => path === '/api/channel/fetch_models/5')).toBe(true);
  await person.type(field(/^Model mapping/), '[[]');
  await submit();
  expect(await screen.findByText(/Model mapping must be/i)).toBeTruthy();
  await person.clear(field(/^Model mapping/));
  await submit();
  await waitFor(() =>
    expect(sent('PUT')).toEqual([expect.objectContaining({ id: 5, key: '', models: 'gpt-5' })]),
  );
});

test('another address requires the key again, and sends both with the reason', async () => {
  const { person, field, submit, sent, drawer } = await open('/channel/edit/5');
  expect(field(/^Key/)).toHaveProperty('placeholder', 'Empty: keep the current key');
  await person.clear(field(/^API address/));
  await person.type(field(/^API address/), 'https://two.test');
  expect(drawer.getByText(/Enter the key again/)).toBeTruthy();
  await submit();
  expect(sent('PUT')).toEqual([]);
  await person.type(field(/^Key/), 'sk-again');
  await person.type(field(/^Reason/), 'moved');
  await submit();
  const moved = { id: 5, base_url: 'https://two.test', key: 'sk-again', reason: 'moved' };
  await waitFor(() => expect(sent('PUT')).toEqual([expect.objectContaining(moved)]));
});

test('a channel takes prompts up to a length, and none below zero', async () => {
  const { person, field, submit, sent } = await open('/channel/edit/5');
  expect(field(/^Maximum input tokens/)).toHaveProperty('value', '0');
  await person.clear(field(/^Maximum input tokens/));
  await person.type(field(/^Maximum input tokens/), '-5');
  await submit();
  expect(await screen.findByText(/must be a whole number of at least 0/)).toBeTruthy();
  await person.clear(field(/^Maximum input tokens/));
  await person.type(field(/^Maximum input tokens/), '128000');
  await submit();
  await waitFor(() =>
    expect(sent('PUT')).toEqual([expect.objectContaining({ id: 5, max_input_tokens: 128_000 })]),
  );
});

test('what a channel costs is a ratio of the list price, and is sent as it was typed', async () => {
  const { person, field, submit, sent } = await open('/channel/edit/5', {
    'GET /api/channel/5': ok({ ...stored, cost_ratio: '0.8' }),
  });
  expect(field(/^Cost ratio/)).toHaveProperty('value', '0.8');
  for (const wrong of ['80%', '-1', '1000.5', '0.1234567']) {
    await person.clear(field(/^Cost ratio/));
    await person.type(field(/^Cost ratio/), wrong);
    await submit();
    expect(
      await screen.findByText('The cost ratio must be a number from 0 to 1000, such as 0.8'),
    ).toBeTruthy();
  }
  expect(sent('PUT')).toEqual([]);
  await person.clear(field(/^Cost ratio/));
  await person.type(field(/^Cost ratio/), ' 0.65 ');
  await submit();
  await waitFor(() =>
    expect(sent('PUT')).toEqual([expect.objectContaining({ id: 5, cost_ratio: '0.65' })]),
  );
});

test('types are offered by the server: Perplexity and Replicate, but no retired one', async () => {
  const { person, field, chooseType, drawer } = await open('/channel/add');
  await chooseType('Perplexity');
  expect(field(/^Type/)).toHaveProperty('value', 'Perplexity');
  await chooseType('Replicate');
  expect(field(/^Type/)).toHaveProperty('value', 'Replicate');
  await person.click(field(/^Type/));
  await person.type(field(/^Type/), 'OpenAIMax');
  expect(screen.queryByRole('option', { name: 'OpenAIMax' })).toBeNull();
  await person.keyboard('{Escape}');
  await chooseType('Zhipu ChatGLM');
  expect(drawer.getByText('Form: id.secret')).toBeTruthy();
  await chooseType('Alibaba');
  expect(field(/^Plugin ID/)).toBeTruthy();
});

test('a channel of a retired type shows its plain name', async () => {
  const { field } = await open('/channel/edit/5', {
    'GET /api/channel/5': ok({ ...stored, type: 6 }),
  });
  expect(field(/^Type/)).toHaveProperty('value', 'OpenAIMax');
});

test('an error of the server about a channel is shown at its field', async () => {
  const { person, field, submit } = await open('/channel/add', {
    'POST /api/channel/': refused('Start it with https://', 'channel.base-url-invalid'),
  });
  await person.type(field(/^Name/), 'new');
  await person.type(field(/^Key/), 'sk-1');
  await person.type(field(/^API address/), 'two.test');
  await person.type(field(/^Custom model name/), 'a{Enter}');
  await submit();
  await expectRefusal(field(/^API address/), 'Start it with https://');
  expect(field(/^API address/)).toHaveProperty('value', 'two.test');
});
