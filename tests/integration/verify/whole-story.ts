import { personalPathsOf } from '../../../domain/personal-fields.ts';
import type { Event } from '../../../domain/shared/event.ts';
import { takeTexts } from '../../../domain/shared/personal.ts';
import { emailField } from '../../../domain/shared/sealed.ts';
import type { IdentityProvider } from '../../../domain/user/events.ts';
import { aRequestCharged } from '../../support/account-events.ts';
import { aUsedRecord } from '../../support/account-examples.ts';
import { testVault } from '../../support/read-side.ts';
import { anOptionChanged } from '../../support/site-examples.ts';
import { aReport, aTaskAccepted, aTaskSubmitted, taskId } from '../../support/task-examples.ts';
import { aTokenCreated } from '../../support/token-examples.ts';
import { tradeNo } from '../../support/topup-examples.ts';
import {
  anIdentityLinked,
  aPasskeyAdded,
  aSessionOpened,
  aTotpEnrolled,
  aUserRegistered,
  aUserSettingsChanged,
} from '../../support/user-examples.ts';

export const grace = 43;
const providers: readonly IdentityProvider[] = ['github', 'oidc', 'wechat', 'telegram', 'linuxdo'];

type Tell = (name: string, streamId: string, event: Event) => Promise<void>;

const wrappedKey = testVault.createPersonalKey(grace);
const { seal } = testVault.personalSeal(grace, wrappedKey);

/** As the product writes it: personal information is sealed. */
const sealed = <E extends Event>(event: E): E => {
  const taken = takeTexts(event.data as Record<string, unknown>, personalPathsOf(event.type));
  if (taken === null) return event;
  const personal = seal(JSON.stringify(taken.texts), 'event');
  return { ...event, data: { ...taken.data, personal } };
};

const tellGrace = async (tell: Tell): Promise<void> => {
  const stream = `user-${grace}`;
  const created = { type: 'PersonalKeyCreated', data: { userId: grace, wrappedKey } };
  await tell('key-43', `personalKey-${grace}`, created);
  const registered = aUserRegistered({
    userId: grace,
    username: 'grace',
    displayName: seal('Grace', 'display-name'),
    email: seal('grace@example.org', emailField),
    affCode: 'gRc1',
    inviterId: 42,
  });
  await tell('user-43', stream, sealed(registered));
  for (const provider of providers) {
    const externalId = seal(`at ${provider}`, `identity/${provider}`);
    const identityHash = `hash-${provider}`;
    const linked = anIdentityLinked({ userId: grace, provider, externalId, identityHash });
    await tell(`at-${provider}`, stream, linked);
  }
  const { settings } = aUserSettingsChanged({
    notificationEmail: seal('g@example.org', 'notification-email'),
  }).data;
  const changed = { type: 'UserSettingsChanged', data: { userId: grace, settings } };
  await tell('settings-43', stream, sealed(changed));
  await tell('access-token', stream, {
    type: 'AccessTokenIssued',
    data: { userId: grace, accessTokenHash: 'f'.repeat(64) },
  });
  await tell('session', stream, {
    type: 'UserLoggedIn',
    data: { userId: grace, method: 'password', session: aSessionOpened() },
  });
  await tell('totp', stream, aTotpEnrolled({ userId: grace }));
  await tell('passkey', stream, aPasskeyAdded({ userId: grace }));
  const token = aTokenCreated({ name: 'desk', allowIps: ['192.0.2.9'] });
  const own = { tokenId: 9, userId: grace, keyHash: 'd'.repeat(64) };
  await tell('token-43', 'token-9', sealed({ ...token, data: { ...token.data, ...own } }));
};

const tellTask = async (tell: Tell): Promise<void> => {
  const facts = { userId: grace, tokenId: 9, channelId: 3 };
  const report = aReport({ status: 'SUCCESS', progress: '100%', imageUrl: 'https://i.example/1' });
  const stream = `task-${taskId}`;
  await tell('task', stream, sealed(aTaskSubmitted(facts)));
  const accepted = aTaskAccepted({ userId: grace, channelId: 3, quota: 0 });
  await tell('task-taken', stream, sealed(accepted));
  const done = { type: 'TaskSucceeded', data: { taskId, userId: grace, platform: 'mj', report } };
  await tell('task-done', stream, sealed(done));
};

/**
 * What the clean story leaves out: a person whose data is sealed, with sessions and second factors, a task, an order
 * that is paid again, a charge of a task that the dashboard leaves out, and a dead letter.
 */
export const tellWhole = async (tell: Tell, balance: number): Promise<void> => {
  await tellGrace(tell);
  await tellTask(tell);
  const paid = { amountMinor: 7_200, currency: 'CNY' };
  const order = { tradeNo, userId: 42, provider: 'lantu', providerReference: 'pay-2' };
  await tell('paid-again', `topup-${tradeNo}`, {
    type: 'TopUpPaidAgain',
    data: { ...order, creditedReference: 'pay-1', paid },
  });
  await tell('dashboard-off', 'site', anOptionChanged('DataExportEnabled', 'false'));
  const started = { platform: 'mj', action: 'IMAGINE', upstreamId: 'up-6' } as const;
  const charged = aRequestCharged({
    leaseId: null,
    call: { requestId: 'req-6', task: started },
  });
  const balanceAfter = balance - charged.data.amount;
  const data = { ...charged.data, balanceAfter };
  await tell('req-6', 'account-42', { ...charged, data });
  const used = aUsedRecord({ userId: 42, amount: 120, call: { requestId: 'req-lost' } });
  await tell('dead-letter', 'usageSetAside-42', {
    type: 'UsageRecordSetAside',
    data: { reason: 'account.not-open', record: JSON.stringify(used) },
  });
};
