import type { AccountEvent, GrantSource } from '../../domain/account/events.ts';
import type { RelayEvent } from '../../domain/relay/events.ts';
import type { Event, Recorded } from '../../domain/shared/event.ts';
import type { SiteEvent } from '../../domain/site/events.ts';
import type { UserEvent } from '../../domain/user/events.ts';
import type { LogType } from '../contract/log.ts';
import { projector } from '../runtime/projector.ts';
import type { Writers } from '../runtime/table.ts';
import type { ManageDetails, MovementDetails } from './details.ts';
import { callColumns, writeEntry } from './entries.ts';
import { usageLogTables } from './table.ts';
import { logSwitch, prepareWriteContext, type WriteContext } from './write-context.ts';

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

const movement = (
  rows: Rows,
  recorded: Of<Extract<AccountEvent, { data: { balanceAfter: number } }>>,
  context: WriteContext,
  entry: Readonly<{ type: LogType; delta: number; reason?: string; reference?: string }>,
): void => {
  const { userId, balanceAfter } = recorded.event.data;
  writeEntry(rows, recorded, {
    type: entry.type,
    user_id: userId,
    username: context.usernames.get(userId) ?? '',
    details: {
      kind: 'movement',
      event: recorded.event.type,
      delta: entry.delta,
      balanceAfter,
      reason: entry.reason ?? '',
      reference: entry.reference ?? '',
    } satisfies MovementDetails,
  });
};

/** A change that an operator made to a user; what people do to themselves is not logged here. */
const managed =
  (values: (data: never) => ManageDetails['values'] = () => ({})) =>
  (rows: Rows, recorded: Of<UserEvent>, context: WriteContext): void => {
    const { actor } = recorded.metadata;
    const { userId } = recorded.event.data;
    if (actor.kind !== 'admin') return;
    writeEntry(rows, recorded, {
      type: 3,
      user_id: userId,
      username: context.usernames.get(userId) ?? '',
      details: {
        kind: 'manage',
        event: recorded.event.type,
        actorKind: actor.kind,
        actorId: actor.id,
        values: values(recorded.event.data as never),
      },
    });
  };

const keepSwitch = (rows: Rows, key: string, value: string, context: WriteContext): void => {
  if (key !== logSwitch) return;
  context.logsConsumption = value !== 'false';
  rows.switches.put({ key, value });
};

/** Answers: what was called, by whom, at what cost, and what else happened to the quota? */
export const usageLogProjector = projector<AccountEvent | RelayEvent | UserEvent | SiteEvent>()({
  name: 'usage-log',
  version: 1,
  tables: usageLogTables,
  prepare: prepareWriteContext,
  on: {
    RequestCharged: (rows, recorded, context) => {
      if (!context.logsConsumption) return;
      const { userId, call, usage, quote, amount, ...rest } = recorded.event.data;
      writeEntry(rows, recorded, {
        type: 2,
        user_id: userId,
        ...callColumns(call),
        quota: amount,
        prompt_tokens: usage.promptTokens,
        completion_tokens: usage.completionTokens,
        details: {
          kind: 'consume',
          usage,
          quote,
          end: rest.end,
          usageSource: rest.usageSource,
          usageNote: rest.usageNote,
          upstreamModel: call.upstreamModel,
          firstByteMs: call.firstByteMs,
          channelsTried: call.channelsTried,
        },
      });
    },
    RequestFailed: (rows, recorded) => {
      const { userId, call, statusCode, errorType, errorCode, message } = recorded.event.data;
      const { upstreamModel, channelsTried } = call;
      const facts = { statusCode, errorType, errorCode, message, upstreamModel, channelsTried };
      writeEntry(rows, recorded, {
        type: 5,
        user_id: userId,
        ...callColumns(call),
        details: { kind: 'failure', ...facts },
      });
    },
    RequestAbandoned: (rows, recorded, context) => {
      const { userId, requestId, tokenId } = recorded.event.data;
      writeEntry(rows, recorded, {
        type: 5,
        user_id: userId,
        username: context.usernames.get(userId) ?? '',
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
      });
    },
    QuotaGranted: (rows, recorded, context) => {
      const { source, amount, reference } = recorded.event.data;
      const type = typeOfGrant[source];
      movement(rows, recorded, context, { type, delta: amount, reason: source, reference });
    },
    QuotaAdjusted: (rows, recorded, context) => {
      const { delta, reason } = recorded.event.data;
      movement(rows, recorded, context, { type: 3, delta, reason });
    },
    RequestRefunded: (rows, recorded, context) => {
      const { amount, reason, requestId } = recorded.event.data;
      const entry = { type: 4, delta: amount, reason, reference: requestId } as const;
      movement(rows, recorded, context, entry);
    },
    ReferralRewardTransferred: (rows, recorded, context) =>
      movement(rows, recorded, context, { type: 4, delta: recorded.event.data.amount }),
    CorrectionPosted: (rows, recorded, context) => {
      const { delta, reason, corrects } = recorded.event.data;
      const reference = corrects.join(',');
      movement(rows, recorded, context, { type: 3, delta, reason, reference });
    },
    ReferralRewarded: (rows, recorded, context) => {
      const { userId, amount, inviteeId } = recorded.event.data;
      writeEntry(rows, recorded, {
        type: 4,
        user_id: userId,
        username: context.usernames.get(userId) ?? '',
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
    TokenBudgetClosed: 'ignored',
    RelayStarted: 'ignored',
    RelayStopped: 'ignored',

    UserRegistered: ({ usernames }, { event: { data } }, context) => {
      context.usernames.set(data.userId, data.username);
      usernames.put({ user_id: data.userId, username: data.username });
    },
    UserProfileChanged: ({ usernames }, { event: { data } }, context) => {
      context.usernames.set(data.userId, data.username);
      usernames.put({ user_id: data.userId, username: data.username });
    },
    UserGroupChanged: managed(({ group, previous }: { group: string; previous: string }) => ({
      group,
      previous,
    })),
    UserPromoted: managed(({ role }: { role: number }) => ({ role })),
    UserDemoted: managed(({ role }: { role: number }) => ({ role })),
    UserDisabled: managed(),
    UserEnabled: managed(),
    UserDeleted: managed(),
    PasswordReset: managed(),
    PasswordChanged: 'ignored',
    IdentityLinked: 'ignored',
    IdentityUnlinked: 'ignored',
    AccessTokenIssued: 'ignored',
    UserSettingsChanged: 'ignored',
    UserLoggedIn: 'ignored',
    SessionsEnded: 'ignored',

    SiteInitialised: 'ignored',
    OptionChanged: (rows, { event: { data } }, context) =>
      keepSwitch(rows, data.key, data.value, context),
    OptionReset: (rows, { event: { data } }, context) =>
      keepSwitch(rows, data.key, 'true', context),
    SecretOptionChanged: 'ignored',
  },
});
