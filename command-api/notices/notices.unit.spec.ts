import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aRequestCharged } from '../../tests/support/account-events.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { type Person, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';
import { webhookMessage } from './deliver.ts';
import { channelDisabledNotice, filled, quotaNotice } from './notice.ts';

let side: WriteSide;
let root: Person;
let charges = 0;

beforeEach(async () => {
  side = await startWriteSide();
  root = await side.root();
});
afterEach(() => side.stop());

const setOption = async (key: string, value: string) =>
  expect((await root.call('PUT', '/api/option/', { body: { key, value } })).body.success).toBe(
    true,
  );

const openMail = async () => {
  await setOption('SMTPServer', 'mail.test');
  await setOption('SMTPAccount', 'gate@mail.test');
};
const setting = (changes: object) =>
  root.call('PUT', '/api/user/setting', {
    body: {
      notify_type: 'email',
      quota_warning_threshold: 1_000,
      notification_email: 'root@mail.test',
      ...changes,
    },
  });

/** A settled charge of root that leaves this balance; `agoMs` in the past. */
const charge = async (balanceAfter: number, amount: number, agoMs = 0): Promise<void> => {
  charges += 1;
  const { type, data } = aRequestCharged({ call: { requestId: `r${charges}` } });
  const event = { type, data: { ...data, userId: root.userId, amount, balanceAfter } } as const;
  const occurredAt = new Date(Date.now() - agoMs).toISOString();
  const eventId = crypto.randomUUID();
  const toAppend = { event, eventId, metadata: aMetadata({ occurredAt }) };
  await side.eventStore.append('account-9999', [toAppend], 'any');
};

test('a charge that takes the balance below the threshold warns its owner, later ones do not', async () => {
  await openMail();
  await setting({});
  await charge(1_500, 100);
  await charge(900, 600);
  await charge(800, 100);
  await charge(700, 100);
  await expect.poll(() => side.mails.length).toBe(1);
  expect(side.mails[0]).toMatchObject({ to: 'root@mail.test' });
  expect(side.mails[0]?.subject).toContain('您的额度即将用尽');
  expect(side.mails[0]?.html).toContain('$0.001800');
  expect(side.mails[0]?.html).toContain('<a href="http://localhost:3000/topup">');
});

test('at most two warnings go out in ten minutes, and none about the past', async () => {
  await openMail();
  await setting({});
  await charge(900, 600, 2 * 3_600_000);
  for (let nth = 0; nth < 5; nth += 1) await charge(900, 600);
  await expect.poll(() => side.mails.length).toBe(2);
  await setting({ quota_warning_threshold: 50 });
  await charge(900, 600);
  await setting({ notify_type: 'webhook', webhook_url: 'https://hooks.example.com/a' });
  await charge(900, 600);
  expect(side.mails).toHaveLength(2);
  expect(side.webhooks).toHaveLength(0);
});

test('their own threshold counts for people, not the common one', async () => {
  await openMail();
  await setOption('QuotaRemindThreshold', '5000');
  await side.eventStore.append(
    `user-${root.userId}`,
    [
      {
        event: {
          type: 'UserSettingsChanged',
          data: {
            userId: root.userId,
            settings: {
              notifyType: 'webhook',
              quotaWarningThreshold: 4_000,
              webhookUrl: 'https://hooks.example.com/b',
              webhookSecret: null,
              notificationEmail: null,
              acceptUnsetModelRatioModel: false,
            },
          },
        },
        eventId: crypto.randomUUID(),
        metadata: aMetadata(),
      },
    ],
    'any',
  );
  await charge(4_500, 1_000);
  await charge(3_900, 600);
  await expect.poll(() => side.webhooks.length).toBe(1);
  expect(JSON.parse(side.webhooks[0]?.body ?? '')).toMatchObject({ type: 'quota_exceed' });
});

test('the webhook is signed over its exact bytes, and goes through the worker when there is one', async () => {
  await setOption('WorkerUrl', 'https://worker.example.com/');
  await setOption('WorkerValidKey', 'worker-key');
  await setting({
    notify_type: 'webhook',
    webhook_url: 'https://hooks.example.com/c',
    webhook_secret: 'shared',
  });
  await charge(900, 600);
  await expect.poll(() => side.webhooks.length).toBe(1);
  const [sent] = side.webhooks;
  const signature = createHmac('sha256', 'shared')
    .update(sent?.body ?? '')
    .digest('hex');
  expect(sent?.headers).toMatchObject({
    'x-webhook-signature': signature,
    authorization: 'Bearer shared',
  });
  expect(sent?.worker).toEqual({ url: 'https://worker.example.com', key: 'worker-key' });
});

test('the first administrator is informed of a channel that the gateway switched off', async () => {
  await openMail();
  await setting({});
  const event = { type: 'ChannelAutoDisabled', data: { channelId: 7, reason: '<b>no key</b>' } };
  const metadata = aMetadata({ occurredAt: new Date().toISOString() });
  const toAppend = { event, eventId: crypto.randomUUID(), metadata } as const;
  await side.eventStore.append('channel-7', [toAppend], 'any');
  await expect.poll(() => side.mails.length).toBe(1);
  expect(side.mails[0]?.html).toContain('&lt;b&gt;no key&lt;/b&gt;');
});

test('placeholders are filled in order, and values that resemble them stay', () => {
  const notice = quotaNotice({ to: 1, remaining: '{{value}}', link: 'https://a.test/topup' });
  expect(filled(notice)).toContain('剩余额度为 {{value}}，');
  expect(filled(notice)).toContain('Top up here: https://a.test/topup');
});

test('without a secret a webhook is not signed; values are left out when there are none', () => {
  const { values: _, ...rest } = channelDisabledNotice({ to: 1, id: 2, name: 'n', reason: 'r' });
  const { body, headers } = webhookMessage(
    { ...rest, values: [] },
    { secret: '', now: new Date(0) },
  );
  expect(Object.keys(headers)).toEqual(['content-type']);
  expect(JSON.parse(body)).not.toHaveProperty('values');
});
