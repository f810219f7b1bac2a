import type { Recorded } from '../../../domain/shared/event.ts';
import { type createTampering, operator } from './tampered-story.ts';

type Tampering = ReturnType<typeof createTampering>;
export type LogTampering = readonly [what: string, tamper: () => void, found: string];

/** Each with the break that verify reports; '' where it reports none. */
export const logTamperings = (tampering: Tampering): readonly LogTampering[] => {
  const { data, metadata, nested, number, remove, removeWithGap, append, swap } = tampering;
  const { forged, eventOf, eventIdOf } = tampering;
  const adjustment = (): Partial<Recorded> => {
    const { balanceAfter, userId } = eventOf('req-6').event.data as Record<string, number>;
    const delta = 1_000_000;
    const reason = { kind: 'other', note: 'by hand' };
    const after = { userId, delta, seen: null, reason, balanceAfter: (balanceAfter ?? 0) + delta };
    return { event: { type: 'QuotaAdjusted', data: after } };
  };

  return [
    ['the amount of a charge', number('req-2', 'amount'), 'price-mismatch req-2'],
    ['the balance after a charge', number('req-2', 'balanceAfter'), 'balance-mismatch req-2'],
    [
      'the usage of a charge',
      nested('req-2', 'usage', { promptTokens: 1 }),
      'price-mismatch req-2',
    ],
    [
      'the price of a charge',
      nested('req-2', 'quote', { modelRatio: '2' }),
      'price-mismatch req-2',
    ],
    ['the model of a charge', nested('req-2', 'call', { model: 'other' }), 'row-differs usage_log'],
    ['the channel of a charge', nested('req-2', 'call', { channelId: 4 }), 'row-differs usage_log'],
    [
      'the token of a charge',
      nested('req-2', 'call', { tokenId: 8 }),
      'row-differs ledger.entries',
    ],
    ['the group of a charge', nested('req-2', 'call', { group: 'x' }), 'row-differs usage_log'],
    [
      'the request of a charge',
      nested('req-2', 'call', { requestId: 'r' }),
      'row-differs usage_log',
    ],
    ['how long a call took', nested('req-2', 'call', { durationMs: 1 }), 'row-differs usage_log'],
    ['the channels that were tried', nested('req-2', 'call', { channelsTried: [] }), 'row-differs'],
    ['how a call ended', data('req-2', { end: 'client-gone' }), 'row-differs usage_log.entries'],
    ['where usage comes from', data('req-2', { usageSource: 'counted' }), 'row-differs usage_log'],
    ['the payer of a charge', data('req-2', { userId: 1 }), 'wrong-stream req-2'],
    ['the time of a charge', metadata('req-2', { occurredAt: '2026-03-01T07:00:00.000Z' }), 'row-'],
    [
      'who charged, an administrator',
      metadata('req-2', { actor: { kind: 'admin', id: '999' } }),
      'actor-mismatch req-2',
    ],
    [
      'who charged, another relay',
      metadata('req-2', { actor: { kind: 'relay', id: 'relay-z' } }),
      'actor-mismatch req-2',
    ],
    ['the lease of a charge', data('req-2', { leaseId: null }), 'row-differs ledger.entries'],
    ['a charge that is gone, with a gap', removeWithGap('req-2'), 'revision-gap abandoned'],
    ['a charge that is gone, without a gap', remove('req-2'), 'balance-mismatch req-4'],
    ['the last event of an account that is gone', remove('corrected'), 'row-unexpected ledger'],
    ['a charge that stands twice', append('req-2', {}), 'charged-twice'],
    ['the same event twice', () => append('req-2', eventIdOf('req-2'))(), 'event-twice req-2'],
    ['a failure that is gone', remove('failed'), 'row-unexpected usage_log.entries'],
    ['the words of a failure', data('failed', { message: 'x' }), 'row-differs usage_log.entries'],
    ['the status of a failure', data('failed', { statusCode: 1 }), 'row-differs usage_log.entries'],
    ['who failed, an administrator', metadata('failed', operator), 'actor-mismatch failed'],
    ['an abandonment that is gone', remove('abandoned'), 'row-unexpected usage_log.entries'],
    ['a forged correction', append('corrected'), 'balance-mismatch'],
    [
      'a forged grant for a code',
      () => append('granted', forged('granted', { reference: '77' }))(),
      'grant-without-redemption',
    ],
    [
      'a forged grant for a payment',
      () => append('bought', forged('bought', { reference: 'T99' }))(),
      'grant-without-payment',
    ],
    ['a grant that was raised', number('granted', 'amount'), 'balance-mismatch granted'],
    ['a refund that was raised', number('refunded', 'amount', 9_000), 'refund-exceeds-charge'],
    ['a refund of another request', data('refunded', { requestId: 'no' }), 'refund-without-charge'],
    [
      'what a correction corrects',
      data('corrected', { corrects: ['no'] }),
      'correction-of-nothing',
    ],
    ['the reason of a correction', data('corrected', { reason: 'x' }), 'row-differs audit_trail'],
    [
      'who corrected',
      metadata('corrected', { actor: { kind: 'admin', id: '9', ip: '192.0.2.1' } }),
      'row-differs audit_trail.entries',
    ],
    [
      'from where somebody corrected',
      metadata('corrected', { actor: { kind: 'admin', id: '1', ip: '203.0.113.9' } }),
      'row-differs audit_trail.entries',
    ],
    [
      'the cause of a correction',
      metadata('corrected', { correlationId: 'x' }),
      'row-differs audit',
    ],
    ['an event without a cause', metadata('corrected', { causationId: '' }), 'metadata-missing'],
    [
      'when somebody corrected',
      metadata('corrected', { occurredAt: '2026-02-01T08:00:00.000Z' }),
      'row-',
    ],
    ['a lease that was raised', number('leased', 'amount', 90_000), 'lease-overdraws leased'],
    ['what a lease gave back', number('returned', 'unspent', 10_000), 'lease-amount returned'],
    ['a lease that is gone', remove('leased'), 'lease-unknown returned'],
    ['the budget of a token', data('budget', { remain: 1 }), 'row-differs token_list.tokens/7'],
    ['a redemption code', data('code', { quota: 1 }), 'row-differs redemption_list.codes'],
    [
      'who redeemed a code',
      data('redeemed', { redeemedBy: 1 }),
      'row-differs redemption_list.codes',
    ],
    ['a redemption that is gone', remove('redeemed'), 'grant-without-redemption granted'],
    ['what an order brings', data('ordered', { quota: 1 }), 'row-differs topup_list.orders'],
    ['what was paid', nested('paid', 'paid', { amountMinor: 1 }), 'paid-mismatch'],
    ['a payment that is gone', remove('paid'), 'grant-without-payment bought'],
    ['the role of a person', data('user-42', { role: 100 }), 'row-differs user_list.users/42'],
    [
      'the group of a person',
      data('group', { group: 'free' }),
      'row-differs relay_feeds.accounts/42',
    ],
    ['a group that was never changed', remove('group'), 'row-differs user_list.users/42'],
    [
      'what a person accepts',
      nested('settings', 'settings', { acceptUnsetModelRatioModel: false }),
      'row-differs relay_feeds.accounts/42',
    ],
    ['a person who is gone', remove('user-42'), 'row-unexpected user_list.users/42'],
    ['a personal key that is gone', remove('key-42'), 'personal-key-missing user-42'],
    [
      'the key of a token',
      data('token', { keyHash: 'c'.repeat(64) }),
      'row-missing relay_feeds.tokens',
    ],
    [
      'the models of a token',
      nested('token', 'terms', { modelLimits: ['x'] }),
      'row-differs relay_feeds',
    ],
    [
      'the owner of a token',
      data('second-token', { userId: 1 }),
      'row-differs token_list.tokens/8',
    ],
    ['a token that was disabled', remove('disabled'), 'row-differs relay_feeds.tokens'],
    [
      'where a channel leads',
      nested('channel', 'settings', { baseUrl: 'x' }),
      'row-differs relay_feeds',
    ],
    [
      'the key of a channel',
      data('channel', { sealedKey: 'x' }),
      'row-differs relay_feeds.channels/3',
    ],
    ['an option', data('option', { value: 'x' }), 'row-differs option_list.options/SystemName'],
    ['an option that was never changed', remove('option'), 'row-unexpected option_list.options'],
    [
      'the balance of a snapshot',
      number('snapshot', 'balance', 1_000),
      'snapshot-mismatch snapshot',
    ],
    ['what a snapshot says was used', number('snapshot', 'used'), 'snapshot-mismatch snapshot'],
    ['the budgets of a snapshot', data('snapshot', { budgets: [] }), 'snapshot-mismatch snapshot'],
    ['how far a snapshot is', number('snapshot', 'eventCount'), 'snapshot-mismatch snapshot'],
    ['how far a process is', data('process', { position: '999999' }), 'checkpoint-ahead process'],
    [
      'a dead letter',
      append('failed', {
        streamId: 'usageSetAside-1',
        revision: 0n,
        event: { type: 'UsageRecordSetAside', data: { reason: 'no account', record: '' } },
      } as Partial<Recorded>),
      'dead-letter',
    ],
    ['the path of a call', nested('req-2', 'call', { path: '/v1/other' }), ''],
    ['when a call began', nested('req-2', 'call', { startedAt: '2026-03-01T01:00:00.000Z' }), ''],
    [
      'a member of a charge that the catalogue does not have',
      nested('req-2', 'call', { ip: '203.0.113.9' }),
      '',
    ],
    ['the command behind a change', metadata('corrected', { commandId: 'another' }), ''],
    ['a forged adjustment', () => append('req-6', adjustment())(), 'checkpoint-behind'],
    [
      'the person of a session',
      data('session', { userId: 42 }),
      'row-differs relay_feeds.accounts',
    ],
    [
      'the device of a session',
      nested('session', 'session', { device: 'x' }),
      'row-differs user_list.sessions',
    ],
    ['a second factor that is gone', remove('totp'), 'row-differs user_list.users/43'],
    [
      'the hash of an access token',
      data('access-token', { accessTokenHash: 'x' }),
      'row-differs user_list.users/43',
    ],
    ['who invited', data('user-43', { inviterId: 1 }), 'row-differs user_list.users/4'],
    [
      'the name of a person',
      data('user-42', { username: 'eve' }),
      'row-differs user_list.users/42',
    ],
    ['a sealed name', data('user-43', { personal: 'x' }), 'row-differs audit_trail'],
    ['the cost of a task', data('task-taken', { quota: 7 }), 'task-charge-mismatch task-taken'],
    [
      'what became of a task',
      nested('task-done', 'report', { status: 'FAILURE' }),
      'row-differs task_list.tasks',
    ],
    ['a task that is gone', remove('task'), 'row-unexpected task_list.tasks'],
    ['a second payment that is gone', remove('paid-again'), 'row-unexpected topup_list.repeats'],
    ['a dead letter that is gone', remove('dead-letter'), 'row-unexpected dead_letters.records'],
    [
      'the record of a dead letter',
      data('dead-letter', { record: '{}' }),
      'row-differs dead_letters.records',
    ],
    ['a switch of the dashboard', remove('dashboard-off'), 'row-unexpected usage_log.hidden_hours'],
    ['two events that changed places', () => swap('req-1', 'req-2'), 'revision-gap'],
    ['an event of another account', number('budget', 'userId'), 'wrong-stream budget'],
    ['an event without its data', data('req-2', () => ({})), 'unreadable req-2'],
  ];
};
