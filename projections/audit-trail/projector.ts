import { adjustmentReason } from '../../domain/account/adjustment-reason.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import { projector } from '../runtime/projector.ts';
import type { Writers } from '../runtime/table.ts';
import { secondsOf } from '../shared/time.ts';
import {
  type Audited,
  accountChange,
  type Change,
  channelChange,
  redemptionChange,
  siteChange,
  tokenChange,
  topUpChange,
} from './changes.ts';
import { auditTrailTables } from './table.ts';
import { type Fields, readThings, subjectOf, type Thing, type Things, thingOf } from './things.ts';
import { userChange } from './user-changes.ts';

type Rows = Writers<typeof auditTrailTables>;

const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

/** Only what is another than before; `was` knows better than what we remember. */
const differences = (known: Fields, { set = {}, was = {} }: Change) => {
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(set)) {
    const old = was[field] ?? known[field] ?? null;
    if (isSame(old, value)) continue;
    before[field] = old;
    after[field] = value;
  }
  return { before, after };
};

const nothing: Thing = { fields: {}, name: '' };

const ownerOf = ({ event }: Recorded): number => {
  const { userId, redeemedBy } = event.data as { userId?: number; redeemedBy?: number };
  return userId ?? redeemedBy ?? 0;
};

/** Who signs up or in is nobody yet when they ask; the event knows who they are. */
const actorOf = (recorded: Recorded): Recorded['metadata']['actor'] => {
  const { actor } = recorded.metadata;
  if (actor.kind !== 'user' || actor.id !== '0') return actor;
  const { rootUserId } = recorded.event.data as { rootUserId?: number };
  return { ...actor, id: String(rootUserId ?? ownerOf(recorded)) };
};

/** Why it was done, as the event says it. */
const reasonOf = ({ event }: Recorded): Fields => {
  const { reason } = event.data as Readonly<{ reason?: string }>;
  const text = adjustmentReason(reason ?? '');
  return text === '' ? {} : { reason: text };
};

const enter = (rows: Rows, recorded: Recorded, { change, things }: Entering): void => {
  const subject = subjectOf(recorded);
  if (subject === null) return;
  const thing = thingOf(subject);
  const known = things.get(thing) ?? nothing;
  const { before, after } = change.gone
    ? { before: known.fields, after: {} }
    : differences(known.fields, change);
  const owner = subject.kind === 'account' ? things.get(`user/${subject.id}`) : undefined;
  const name = change.name ?? owner?.name ?? known.name;
  const { correlationId } = recorded.metadata;
  const actor = actorOf(recorded);
  rows.entries.insert({
    position: Number(recorded.position),
    event_id: recorded.eventId,
    at: secondsOf(recorded),
    type: recorded.event.type,
    actor_kind: actor.kind,
    actor_id: actor.id,
    ip: actor.ip ?? '',
    subject_kind: subject.kind,
    subject_id: subject.id,
    subject_name: name,
    owner_id: ownerOf(recorded),
    before: JSON.stringify(before),
    after: JSON.stringify({ ...after, ...change.said, ...reasonOf(recorded) }),
    secrets: (change.secrets ?? []).join(','),
    request_id: correlationId,
  });
  if (change.gone) {
    things.set(thing, { fields: {}, name });
    rows.things.put({ thing, fields: '{}', name });
    return;
  }
  if (change.set === undefined && change.name === undefined) return;
  const fields = { ...known.fields, ...change.set };
  things.set(thing, { fields, name });
  rows.things.put({ thing, fields: JSON.stringify(fields), name });
};
type Entering = Readonly<{ change: Change; things: Things }>;

const entering =
  <E extends Audited>(changeOf: (event: E, actorKind: string) => Change | null) =>
  (rows: Rows, recorded: Recorded<E>, things: Things): void => {
    const change = changeOf(recorded.event, recorded.metadata.actor.kind);
    if (change !== null) enter(rows, recorded, { change, things });
  };
const site = entering(siteChange);
const user = entering(userChange);
const token = entering(tokenChange);
const channel = entering(channelChange);
const redemption = entering(redemptionChange);
const topUp = entering(topUpChange);
const account = entering(accountChange);

/** Answers: who changed what, when, from where, and how was it before? */
export const auditTrailProjector = projector<Audited>()({
  name: 'audit-trail',
  version: 2,
  tables: auditTrailTables,
  prepare: readThings,
  on: {
    SiteInitialised: site,
    OptionChanged: site,
    SecretOptionChanged: site,
    OptionReset: site,
    UsageLogPruned: site,
    UserRegistered: user,
    UserProfileChanged: user,
    UserGroupChanged: user,
    PasswordChanged: user,
    PasswordReset: user,
    UserPromoted: user,
    UserDemoted: user,
    UserDisabled: user,
    UserEnabled: user,
    UserDeleted: user,
    IdentityLinked: user,
    IdentityUnlinked: user,
    AccessTokenIssued: user,
    UserSettingsChanged: user,
    UserLoggedIn: user,
    UserLoginFailed: user,
    SessionEnded: user,
    SessionsEnded: user,
    TokenCreated: token,
    TokenChanged: token,
    TokenEnabled: token,
    TokenDisabled: token,
    TokenDeleted: token,
    ChannelCreated: channel,
    ChannelChanged: channel,
    ChannelKeyReplaced: channel,
    ChannelEnabled: channel,
    ChannelDisabled: channel,
    ChannelAutoDisabled: channel,
    ChannelAutoEnabled: channel,
    ChannelTested: 'ignored',
    ChannelBalanceRead: 'ignored',
    ChannelTagged: channel,
    ChannelDeleted: channel,
    RedemptionCreated: redemption,
    RedemptionChanged: redemption,
    RedemptionEnabled: redemption,
    RedemptionDisabled: redemption,
    RedemptionRedeemed: redemption,
    RedemptionDeleted: redemption,
    TopUpOrdered: topUp,
    TopUpOffered: 'ignored',
    TopUpPaid: topUp,
    TopUpExpired: topUp,
    QuotaAdjusted: account,
    CorrectionPosted: account,
    QuotaGranted: account,
    RequestRefunded: account,
    ReferralRewardTransferred: account,
    AccountOpened: 'ignored',
    QuotaLeased: 'ignored',
    LeaseReturned: 'ignored',
    LeaseExpired: 'ignored',
    RequestCharged: 'ignored',
    RequestAbandoned: 'ignored',
    TokenBudgetSet: 'ignored',
    TokenBudgetClosed: 'ignored',
    ReferralRewarded: 'ignored',
  },
});
