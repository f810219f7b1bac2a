import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '../domain/shared/event.ts';
import { redemptionCodePlace, tokenKeyPlace } from '../domain/shared/sealed.ts';
import { aChannelCreated } from '../tests/support/channel-examples.ts';
import {
  edits,
  otherChannelSettings,
  otherCodeTerms,
  otherTerms,
  otherUserSettings,
} from '../tests/support/edited-fields.ts';
import { people, type ReadApi, startReadApi } from '../tests/support/read-api.ts';
import { testVault } from '../tests/support/read-side.ts';
import { signedIn } from '../tests/support/read-side-story.ts';
import { aRedemptionCreated } from '../tests/support/redemption-examples.ts';
import { aTokenChanged, aTokenCreated, someTerms } from '../tests/support/token-examples.ts';
import { aUserSettingsChanged } from '../tests/support/user-examples.ts';

/* An edit of one field alone is seen in the record that the API serves. */

const { ada, root } = people;
let api: ReadApi;
beforeAll(async () => {
  api = await startReadApi();
});
afterAll(() => api.stop());

/** The record at an address, before and after an event. */
const around = async (
  at: Readonly<{ url: string; as: number }>,
  streamId: string,
  event: Event,
): Promise<readonly unknown[]> => {
  const record = async () => (await api.get(at.url, signedIn(at.as))).body.data as unknown;
  const before = await record();
  await api.side.append(streamId, event);
  await api.side.settle();
  return [before, await record()];
};
const withData = <E extends Event<string, object>>(event: E, data: object): Event => ({
  type: event.type,
  data: { ...event.data, ...data },
});
const seen = ([before, after]: readonly unknown[]): void => {
  expect(before).toBeTruthy();
  expect(after).not.toEqual(before);
};

let nextId = 800;
test.each(edits(otherTerms))('of a token: %s', async (name, edit) => {
  nextId += 1;
  const id = { tokenId: nextId, userId: ada };
  const sealedKey = testVault.seal('k'.repeat(48), tokenKeyPlace(nextId));
  const stream = `token-${nextId}`;
  await api.side.append(stream, withData(aTokenCreated(), { ...id, sealedKey }));
  await api.side.settle();
  // What is left to spend follows from the account.
  const { remainQuota: remain, unlimitedQuota: unlimited } = someTerms(edit);
  const change =
    name === 'remainQuota'
      ? { type: 'TokenBudgetSet', data: { ...id, remain, unlimited } }
      : withData(aTokenChanged({ terms: someTerms(edit) }), id);
  const account = name === 'remainQuota' ? `account-${ada}` : stream;
  seen(await around({ url: `/api/token/${nextId}`, as: ada }, account, change));
});

test.each(edits(otherChannelSettings))('of a channel: %s', async (_, edit) => {
  const { settings } = aChannelCreated().data;
  const channelId = 3;
  const data = { channelId, previous: settings };
  const change = (now: object) => ({ type: 'ChannelChanged', data: { ...data, settings: now } });
  await api.side.append('channel-3', change(settings));
  await api.side.settle();
  const at = { url: '/api/channel/3', as: root };
  seen(await around(at, 'channel-3', change({ ...settings, ...edit })));
});

test.each(edits({ ...otherUserSettings, webhookSecret: null }))(
  'of the settings of a person: %s',
  async (name, edit) => {
    const before = aUserSettingsChanged({ notificationEmail: null });
    await api.side.append(`user-${ada}`, before);
    await api.side.settle();
    // The address opens under the key of the person alone; the story holds one that does.
    const sealed = api.side.eventStore.all.find(
      ({ event }) => event.type === 'UserSettingsChanged',
    );
    const { settings } = (sealed?.event.data ?? {}) as { settings?: object };
    const settingsNow =
      name === 'notificationEmail'
        ? { ...settings, webhookSecret: before.data.settings.webhookSecret }
        : { ...before.data.settings, ...edit };
    const change = withData(before, { settings: settingsNow });
    seen(await around({ url: '/api/user/self', as: ada }, `user-${ada}`, change));
  },
);

test.each(edits(otherCodeTerms))('of a redemption code: %s', async (_, edit) => {
  nextId += 1;
  const redemptionId = nextId;
  const sealedCode = testVault.seal('c'.repeat(32), redemptionCodePlace(redemptionId));
  const created = aRedemptionCreated({ redemptionId, sealedCode });
  const stream = `redemption-${redemptionId}`;
  await api.side.append(stream, created);
  await api.side.settle();
  const { name, quota } = created.data;
  const previous = { name, quota };
  const data = { redemptionId, ...previous, ...edit, previous, changedBy: 1 };
  const change = { type: 'RedemptionChanged', data };
  seen(await around({ url: `/api/redemption/${redemptionId}`, as: root }, stream, change));
});
