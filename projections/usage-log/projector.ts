import type { AccountEvent, GrantSource } from '../../domain/account/events.ts';
import type { ChannelEvent } from '../../domain/channel/events.ts';
import type { RedemptionEvent } from '../../domain/redemption/events.ts';
import type { RelayEvent } from '../../domain/relay/events.ts';
import type { Event, Recorded } from '../../domain/shared/event.ts';
import type { SiteEvent } from '../../domain/site/events.ts';
import { siteStreamId } from '../../domain/site/stream.ts';
import type { UserEvent } from '../../domain/user/events.ts';
import type { LogType } from '../contract/log.ts';
import { projector } from '../runtime/projector.ts';
import type { Writers } from '../runtime/table.ts';
import { minorText } from '../shared/money.ts';
import { secondsOf } from '../shared/time.ts';
import type { MovementDetails } from './details.ts';
import {
  callColumns,
  countPruned,
  hideFromDashboard,
  type NewEntry,
  sumUp,
  writeEntry,
} from './entries.ts';
import { managedChannel, managedCode, managedOption, managedUser } from './manage.ts';
import { pruneEntries } from './prune.ts';
import { usageLogTables } from './table.ts';
import { keepSwitch, prepareWriteContext, pruneMark, type WriteContext } from './write-context.ts';

type Rows = Writers<typeof usageLogTables>;
type Of<E extends Event> = Recorded<E>;

const typeOfGrant = {
  setup: 4,
  registration: 4,
  invitation: 4,
  redemption: 1,
  topup: 1,
  'referral-transfer': 4,
} as const satisfies Record<GrantSource, LogType>;

/** Calls over websockets whose answers are charged one by one: OpenAI's and Gemini's sessions. */
const isSession = (path: string): boolean => path === '/v1/realtime' || path.startsWith('/ws/');

/** A charge or an error; what is older than the cut stays out of the log for ever. */
const call = (
  rows: Rows,
  recorded: Recorded,
  { entry, context }: Readonly<{ entry: NewEntry; context: WriteContext }>,
): void => {
  const isPruned = secondsOf(recorded) < context.prunedBefore;
  (isPruned ? countPruned : writeEntry)(rows, recorded, entry);
};

const movement = (
  rows: Rows,
  recorded: Of<Extract<AccountEvent, { data: { balanceAfter: number } }>>,
  entry: Readonly<{
    type: LogType;
    delta: number;
    reason?: string;
    reference?: string;
    payment?: MovementDetails['payment'];
  }>,
): void => {
  const { userId, balanceAfter } = recorded.event.data;
  writeEntry(rows, recorded, {
    type: entry.type,
    user_id: userId,
    details: {
      kind: 'movement',
      event: recorded.event.type,
      delta: entry.delta,
      balanceAfter,
      reason: entry.reason ?? '',
      reference: entry.reference ?? '',
      ...(entry.payment && { payment: entry.payment }),
      ...(entry.type === 3 && { actorId: recorded.metadata.actor.id }),
    } satisfies MovementDetails,
  });
};

const prune = (rows: Rows, before: number, context: WriteContext): void => {
  if (before <= context.prunedBefore) return;
  context.prunedBefore = before;
  context.prunes = true;
  rows.switches.put({ key: pruneMark, value: String(before) });
};

type Logged = AccountEvent | ChannelEvent | RedemptionEvent | RelayEvent | SiteEvent | UserEvent;

/** Answers: what was called, by whom, at what cost, and what else happened to the quota? */
export const usageLogProjector = projector<Logged>()({
  name: 'usage-log',
  version: 3,
  tables: usageLogTables,
  ahead: { streamId: siteStreamId, type: 'UsageLogPruned' },
  prepare: prepareWriteContext,
  settle: sumUp,
  finish: ({ prunes, prunedBefore }) =>
    prunes ? (place) => pruneEntries(place, prunedBefore) : null,
  on: {
    RequestCharged: (rows, recorded, context) => {
      if (!context.logsConsumption) return;
      const { data } = recorded.event;
      const { call: facts, usage, quote } = data;
      const entry: NewEntry = {
        type: 2,
        user_id: data.userId,
        ...callColumns(facts),
        quota: data.amount,
        prompt_tokens: usage.promptTokens,
        completion_tokens: usage.completionTokens,
        details: {
          kind: 'consume',
          usage,
          quote,
          end: data.end,
          usageSource: data.usageSource,
          usageNote: data.usageNote,
          upstreamModel: facts.upstreamModel,
          firstByteMs: facts.firstByteMs,
          channelsTried: facts.channelsTried,
          ...(isSession(facts.path) ? { ws: true } : {}),
          ...(facts.reasoningEffort === undefined
            ? {}
            : { reasoningEffort: facts.reasoningEffort }),
          ...(facts.task === undefined ? {} : { task: facts.task }),
        },
      };
      call(rows, recorded, { entry, context });
      if (!context.recordsDashboard) hideFromDashboard(rows, recorded, entry);
    },
    RequestFailed: (rows, recorded, context) => {
      const { userId, call: facts, ...failure } = recorded.event.data;
      const { upstreamModel, channelsTried } = facts;
      const details = { kind: 'failure', ...failure, upstreamModel, channelsTried } as const;
      const entry: NewEntry = { type: 5, user_id: userId, ...callColumns(facts), details };
      call(rows, recorded, { entry, context });
    },
    RequestAbandoned: (rows, recorded, context) => {
      const { userId, requestId, tokenId } = recorded.event.data;
      const entry: NewEntry = {
        type: 5,
        user_id: userId,
        token_id: tokenId,
        request_id: requestId,
        details: {
          kind: 'failure',
          statusCode: 0,
          errorType: 'relay_error',
          errorCode: 'request_abandoned',
          message: '',
          upstreamModel: null,
          channelsTried: [],
        },
      };
      call(rows, recorded, { entry, context });
    },
    QuotaGranted: (rows, recorded) => {
      const { source, amount, reference, payment } = recorded.event.data;
      const type = typeOfGrant[source];
      const entry = { type, delta: amount, reason: source, reference };
      if (payment === undefined) return movement(rows, recorded, entry);
      const { provider, paid, bonusQuota } = payment;
      const money = minorText(paid.amountMinor);
      movement(rows, recorded, { ...entry, payment: { provider, money, bonusQuota } });
    },
    QuotaAdjusted: (rows, recorded) => {
      const { delta, reason } = recorded.event.data;
      movement(rows, recorded, { type: 3, delta, reason: reason.note ?? '' });
    },
    RequestRefunded: (rows, recorded) => {
      const { amount, reason, requestId } = recorded.event.data;
      const entry = { type: 4, delta: amount, reason, reference: requestId } as const;
      movement(rows, recorded, entry);
    },
    ReferralRewardTransferred: (rows, recorded) =>
      movement(rows, recorded, { type: 4, delta: recorded.event.data.amount }),
    CorrectionPosted: (rows, recorded) => {
      const { delta, reason, corrects } = recorded.event.data;
      const reference = corrects.join(',');
      movement(rows, recorded, { type: 3, delta, reason, reference });
    },
    ReferralRewarded: (rows, recorded) => {
      const { userId, amount, inviteeId } = recorded.event.data;
      writeEntry(rows, recorded, {
        type: 4,
        user_id: userId,
        details: {
          kind: 'movement',
          event: 'ReferralRewarded',
          delta: amount,
          balanceAfter: 0,
          reason: '',
          reference: String(inviteeId),
        },
      });
    },
    AccountOpened: 'ignored',
    QuotaLeased: 'ignored',
    LeaseReturned: 'ignored',
    LeaseExpired: 'ignored',
    TokenBudgetSet: 'ignored',
    UsageNumberSkipped: 'ignored',
    ProducerClosed: 'ignored',
    TokenBudgetClosed: 'ignored',

    UserRegistered: managedUser(),
    UserProfileChanged: 'ignored',
    UserGroupChanged: managedUser(({ group, previous }: { group: string; previous: string }) => ({
      group,
      previous,
    })),
    UserPromoted: managedUser(({ role }: { role: number }) => ({ role })),
    UserDemoted: managedUser(({ role }: { role: number }) => ({ role })),
    UserDisabled: managedUser(),
    UserEnabled: managedUser(),
    UserDeleted: managedUser(),
    PasswordReset: managedUser(),
    PasswordChanged: 'ignored',
    IdentityLinked: 'ignored',
    IdentityUnlinked: 'ignored',
    AccessTokenIssued: 'ignored',
    UserSettingsChanged: 'ignored',
    UserLoggedIn: 'ignored',
    SessionEnded: 'ignored',
    SessionsEnded: 'ignored',
    TotpEnrolled: 'ignored',
    TotpRemoved: 'ignored',
    TotpCodeUsed: 'ignored',
    RecoveryCodesIssued: 'ignored',
    RecoveryCodeUsed: 'ignored',
    PasskeyAdded: 'ignored',
    PasskeyRenamed: 'ignored',
    PasskeyRemoved: 'ignored',
    PasskeyUsed: 'ignored',
    SecondFactorsRemoved: 'ignored',

    SiteInitialised: 'ignored',
    OptionChanged: (rows, recorded, context) => {
      const { key, value } = recorded.event.data;
      keepSwitch(rows, { key, value }, context);
      managedOption(rows, recorded);
    },
    OptionReset: (rows, recorded, context) => {
      keepSwitch(rows, { key: recorded.event.data.key, value: 'true' }, context);
      managedOption(rows, recorded);
    },
    SecretOptionChanged: managedOption,
    ChannelCreated: managedChannel,
    ChannelChanged: managedChannel,
    ChannelKeyReplaced: managedChannel,
    ChannelEnabled: managedChannel,
    ChannelDisabled: managedChannel,
    ChannelTagged: managedChannel,
    ChannelDeleted: managedChannel,
    ChannelAutoDisabled: 'ignored',
    ChannelAutoEnabled: 'ignored',
    ChannelTested: 'ignored',
    ChannelBalanceRead: 'ignored',

    RedemptionCreated: managedCode,
    RedemptionChanged: managedCode,
    RedemptionEnabled: managedCode,
    RedemptionDisabled: managedCode,
    RedemptionDeleted: managedCode,
    RedemptionRedeemed: 'ignored',

    UsageLogPruned: (rows, { event: { data } }, context) => prune(rows, data.before, context),
  },
});
