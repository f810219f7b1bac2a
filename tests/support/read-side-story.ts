import type { Event, Metadata } from '../../domain/shared/event.ts';
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

const key = testVault.createPersonalKey();
const seal = testVault.personalSeal(key).seal;
const personalKeyCreated = (userId: number): Event => ({
  type: 'PersonalKeyCreated',
  data: { userId, wrappedKey: key },
});
const admin: Partial<Metadata> = { actor: { kind: 'admin', id: '1' } };

/** Signs a person in; `signedIn` gives the headers of that session. */
export const aLoginOf = (userId: number): Event => {
  const { type, data } = aUserLoggedIn({
    sessionId: aSessionId(userId),
    openedAt: '2026-03-01T08:00:00.000Z',
    device: seal('Firefox 130, Linux'),
    address: seal('192.0.2.7'),
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
    await append(`personalKey-${userId}`, personalKeyCreated(userId));
    await append(
      `user-${userId}`,
      aUserRegistered({
        userId,
        username,
        role,
        displayName: seal(username.toUpperCase()),
        email: seal(`${username}@example.org`),
      }),
      aLoginOf(userId),
    );
  }
  await append(
    'user-42',
    aUserSettingsChanged({ notificationEmail: seal('alerts@example.org'), webhookSecret: 'x' }),
  );
  await append('channel-3', aChannelCreated({ name: 'main', groups: ['default', 'vip'] }));
  const sealedKey = testVault.seal('k'.repeat(48));
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

/** Headers of somebody who is signed in. */
export const signedIn = (userId: number, epoch = 0): Record<string, string> => {
  const id = aSessionId(userId);
  const session = testSigner.sign({ id, userId, epoch, issuedAt: testNow.getTime() });
  return {
    cookie: `session=${encodeURIComponent(session)}`,
    'new-api-user': String(userId),
    'accept-language': 'en',
  };
};
