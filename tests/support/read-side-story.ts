import type { Event, Metadata } from '../../domain/shared/event.ts';
import { channelKeyPlace, emailField, tokenKeyPlace } from '../../domain/shared/sealed.ts';
import {
  anAccountOpened,
  aQuotaAdjusted,
  aQuotaGranted,
  aRequestCharged,
} from './account-events.ts';
import { aChannelCreated } from './channel-examples.ts';
import { type ReadSide, testNow, testVault } from './read-side.ts';
import { testSigner } from './sessions.ts';
import { aSiteInitialised } from './site-examples.ts';
import { aTokenCreated } from './token-examples.ts';
import {
  aSessionId,
  aUserLoggedIn,
  aUserRegistered,
  aUserSettingsChanged,
} from './user-examples.ts';

const personOf = (userId: number) => {
  const wrappedKey = testVault.createPersonalKey(userId);
  const keyCreated: Event = { type: 'PersonalKeyCreated', data: { userId, wrappedKey } };
  return { keyCreated, seal: testVault.personalSeal(userId, wrappedKey).seal };
};
const people = { 1: personOf(1), 42: personOf(42), 77: personOf(77) } as const;
/** Of channel 3. */
export const upstreamKey = 'sk-upstream';
const admin: Partial<Metadata> = { actor: { kind: 'admin', id: '1' } };

/** Signs a person in; `signedIn` gives the headers of that session. */
export const aLoginOf = (userId: keyof typeof people): Event => {
  const { seal } = people[userId];
  const { type, data } = aUserLoggedIn({
    sessionId: aSessionId(userId),
    openedAt: '2026-03-01T08:00:00.000Z',
    device: seal('Firefox 130, Linux', 'session-device'),
    address: seal('192.0.2.7', 'session-address'),
  });
  return { type, data: { ...data, userId } };
};

/** A root user (1), ada (42) with a token, a channel, a grant, one charge and one adjustment. */
export const tellStory = async ({ append }: ReadSide): Promise<void> => {
  await append('site', aSiteInitialised());
  for (const [userId, username, role] of [
    [1, 'root', 100],
    [42, 'ada', 1],
  ] as const) {
    const { keyCreated, seal } = people[userId];
    await append(`personalKey-${userId}`, keyCreated);
    await append(
      `user-${userId}`,
      aUserRegistered({
        userId,
        username,
        role,
        displayName: seal(username.toUpperCase(), 'display-name'),
        email: seal(`${username}@example.org`, emailField),
      }),
      aLoginOf(userId),
    );
  }
  await append(
    'user-42',
    aUserSettingsChanged({
      notificationEmail: people[42].seal('alerts@example.org', 'notification-email'),
      webhookSecret: 'x',
    }),
  );
  const channel = aChannelCreated({ name: 'main', groups: ['default', 'vip'] });
  const channelKey = testVault.seal(upstreamKey, channelKeyPlace(3));
  await append('channel-3', { ...channel, data: { ...channel.data, sealedKey: channelKey } });
  const sealedKey = testVault.seal('k'.repeat(48), tokenKeyPlace(7));
  const created = aTokenCreated();
  await append('token-7', { ...created, data: { ...created.data, sealedKey } });
  await append(
    'account-42',
    anAccountOpened(),
    aQuotaGranted(),
    { type: 'TokenBudgetSet', data: { userId: 42, tokenId: 7, unlimited: false, remain: 10_000 } },
    aRequestCharged(),
    [aQuotaAdjusted(), admin],
  );
};

/** Headers of a signed-in person. */
export const signedIn = (userId: number, epoch = 0): Record<string, string> => {
  const id = aSessionId(userId);
  const session = testSigner.sign({ id, userId, epoch, issuedAt: testNow.getTime() });
  return {
    cookie: `session=${encodeURIComponent(session)}`,
    'new-api-user': String(userId),
    'accept-language': 'en',
  };
};
