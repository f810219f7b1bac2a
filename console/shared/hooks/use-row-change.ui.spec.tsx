import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { channelTypesOnWire } from '../../../projections/channel-list/types.ts';
import { aChannelRow } from '../../testing/channel-examples.ts';
import { rowAction } from '../../testing/list-controls.ts';
import { aCodeRow } from '../../testing/redemption-examples.ts';
import { anAdmin, cleanBrowser, renderConsole } from '../../testing/render-console.tsx';
import { ok, refused, type StubRoutes, stubApi } from '../../testing/stub-api.ts';
import { aTokenRow } from '../../testing/token-examples.ts';

cleanBrowser();

const aUserRow = {
  id: 7,
  username: 'ada',
  display_name: 'ada',
  role: 1,
  status: 1,
  group: 'vip',
  quota: 1000,
  used_quota: 0,
  request_count: 0,
  aff_count: 0,
  aff_history_quota: 0,
  inviter_id: 0,
  email: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  DeletedAt: null,
};
const pageOf = (row: object) => ok({ items: [row], page: 1, page_size: 10, total: 1 });
const channel = { ...aChannelRow, auto_ban: 1, created_time: 1 };
const channelParts = {
  'GET /api/channel/types': ok(channelTypesOnWire),
  'GET /api/group/': ok(['default', 'vip']),
};

/** An answer that the test gives when it likes. */
const held = () => {
  let give: (answer: unknown) => void = () => undefined;
  const answer = new Promise((resolve) => {
    give = resolve;
  });
  return { answer, give };
};
/**
 * The list once; requested again, it stays without an answer, so that only the change moves the
 * row.
 */
const once = (answer: unknown) => {
  let isAsked = false;
  return () => {
    if (isAsked) return new Promise(() => undefined);
    isAsked = true;
    return answer;
  };
};

type List = Readonly<{
  at: string;
  list: readonly [path: string, answer: unknown];
  write: string;
  row: string;
  before: string;
  after: string;
  parts?: StubRoutes;
  asks?: true;
}>;
const lists: readonly List[] = [
  {
    at: '/token',
    list: ['GET /api/token/', ok([{ ...aTokenRow, name: 'web' }])],
    write: 'PUT /api/token/',
    row: 'web',
    before: 'Enabled',
    after: 'Disabled',
    parts: { 'GET /api/user/models': ok([]), 'GET /api/user/self/groups': ok({}) },
  },
  {
    at: '/redemption',
    list: ['GET /api/redemption/', pageOf(aCodeRow)],
    write: 'PUT /api/redemption/',
    row: 'spring',
    before: 'unused',
    after: 'disabled',
  },
  {
    at: '/user',
    list: ['GET /api/user/', pageOf(aUserRow)],
    write: 'POST /api/user/manage',
    row: 'ada',
    before: 'Active',
    after: 'Banned',
    parts: { 'GET /api/group/': ok(['default', 'vip']) },
    asks: true,
  },
  {
    at: '/channel',
    list: ['GET /api/channel/', ok([channel])],
    write: 'PUT /api/channel/',
    row: 'main',
    before: 'Enabled',
    after: 'Disabled',
    parts: channelParts,
  },
];

test.each(lists)(
  'a row of $at is disabled at once, and again as it was when refused',
  async (of) => {
    const { answer, give } = held();
    stubApi({ ...of.parts, [of.list[0]]: once(of.list[1]), [of.write]: () => answer });
    const { person } = await renderConsole({ at: of.at, user: anAdmin });
    await screen.findAllByText(of.row);
    const line = () => screen.getAllByText(of.row)[0]?.closest('tr') as HTMLElement;
    expect(within(line()).getByText(of.before)).toBeTruthy();
    await person.click(await rowAction(person, line(), 'Disable'));
    if (of.asks) await person.click(await screen.findByRole('button', { name: 'OK' }));
    expect(await within(line()).findByText(of.after)).toBeTruthy();
    give(refused('it must stay as it is'));
    expect(await within(line()).findByText(of.before)).toBeTruthy();
    expect(await screen.findByText('it must stay as it is')).toBeTruthy();
  },
);

test('of two numbers of a channel the refused one goes back and the other stays', async () => {
  const [first, second] = [held(), held()];
  const answers = [first.answer, second.answer];
  stubApi({
    ...channelParts,
    'GET /api/channel/': once(ok([channel])),
    'PUT /api/channel/': () => answers.shift(),
  });
  const { person } = await renderConsole({ at: '/channel', user: anAdmin });
  const cell = async (label: string) => (await screen.findByLabelText(label)) as HTMLInputElement;
  await person.tripleClick(await cell('Priority'));
  await person.keyboard('5{Enter}');
  await person.tripleClick(await cell('Weight'));
  await person.keyboard('9{Enter}');
  expect([(await cell('Priority')).value, (await cell('Weight')).value]).toEqual(['5', '9']);
  second.give(ok());
  first.give(refused('too high'));
  await screen.findByText('too high');
  await waitFor(async () => expect((await cell('Priority')).value).toBe('0'));
  expect((await cell('Weight')).value).toBe('9');
});
