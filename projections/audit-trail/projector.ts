import { adjustmentReason } from '../../domain/account/adjustment-reason.ts';
import type { Actor, Recorded } from '../../domain/shared/event.ts';
import { actingPerson, type WithPersonal } from '../../domain/shared/personal.ts';
import { projector } from '../runtime/projector.ts';
import type { Writers } from '../runtime/table.ts';
import { type Clearing, clear } from '../shared/departures.ts';
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
import {
  type Fields,
  prepareTrail,
  subjectOf,
  type Thing,
  type Things,
  type TrailContext,
  thingOf,
} from './things.ts';
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

const nothing: Thing = { fields: {}, name: '', sealed: '' };

const ownerOf = ({ event }: Recorded): number => {
  const { userId, redeemedBy } = event.data as { userId?: number; redeemedBy?: number };
  return userId ?? redeemedBy ?? 0;
};

/** Who signs up or in is nobody yet when they ask; the event knows who they are. */
const actorOf = (recorded: Recorded): Recorded['metadata']['actor'] => {
  const { actor } = recorded.metadata;
  if (actor.kind !== 'user' || actor.id !== '0') return actor;
  return { ...actor, id: String(actingPerson(recorded) ?? 0) };
};

/** Why it was done, as the event says it. */
const reasonOf = ({ event }: Recorded): string =>
  adjustmentReason((event.data as Readonly<{ reason?: string }>).reason ?? '');

const addressOf = ({ ip, ipMark, sealedIp }: Actor) => ({
  ip: ip ?? (ipMark === undefined ? '' : `~${ipMark}`),
  sealed_ip: sealedIp ?? '',
});

const enter = (rows: Rows, recorded: Recorded, { change, things }: Entering): void => {
  const subject = subjectOf(recorded);
  if (subject === null) return;
  const thing = thingOf(subject);
  const known = things.get(thing) ?? nothing;
  const { before, after } = change.gone
    ? { before: known.fields, after: {} }
    : differences(known.fields, change);
  const { personal: sealed = '' } = recorded.event.data as WithPersonal;
  const isPerson = subject.kind === 'user' || subject.kind === 'account';
  const name = isPerson ? '' : (change.name ?? known.name);
  const { correlationId } = recorded.metadata;
  const owner_id = ownerOf(recorded);
  const actor = actorOf(recorded);
  rows.entries.insert({
    position: Number(recorded.position),
    event_id: recorded.eventId,
    at: secondsOf(recorded),
    type: recorded.event.type,
    actor_kind: actor.kind,
    actor_id: actor.id,
    ...addressOf(actor),
    subject_kind: subject.kind,
    subject_id: subject.id,
    subject_name: name,
    owner_id,
    before: JSON.stringify(before),
    after: JSON.stringify({ ...after, ...change.said }),
    reason: reasonOf(recorded),
    sealed,
    sealed_before: known.sealed,
    secrets: (change.secrets ?? []).join(','),
    request_id: correlationId,
  });
  const keep = (now: Thing): void => {
    things.set(thing, now);
    rows.things.put({ thing, owner_id, ...now, fields: JSON.stringify(now.fields) });
  };
  const isAnother = change.gone || change.set !== undefined || change.name !== undefined;
  if (!isAnother) return;
  const fields = change.gone ? {} : { ...known.fields, ...change.set };
  keep({ fields, name, sealed: sealed || known.sealed });
};
type Entering = Readonly<{ change: Change; things: Things }>;

const entering =
  <E extends Audited>(changeOf: (event: E, actorKind: string) => Change | null) =>
  (rows: Rows, recorded: Recorded<E>, { things }: TrailContext): void => {
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

/** Events of earlier versions say in the clear what later ones seal. */
const ofDeparted: readonly Clearing[] = [
  {
    table: 'entries',
    set: "before = '{}', after = '{}'",
    where:
      "owner_id = ANY($1::int8[]) AND subject_kind IN ('user', 'token') AND " +
      `(before || after) ~ '"(username|name|allowIps)":("[^"]|\\[")'`,
  },
  {
    table: 'entries',
    set: "subject_name = ''",
    where: "owner_id = ANY($1::int8[]) AND subject_kind IN ('user', 'token', 'account')",
  },
  {
    table: 'entries',
    set: "ip = ''",
    where: "actor_id = ANY($1::text[]) AND actor_kind IN ('user', 'admin') AND ip <> ''",
  },
  {
    table: 'things',
    set: "fields = '{}', name = '', sealed = ''",
    where: 'owner_id = ANY($1::int8[])',
  },
];

/** Answers: who changed what, when, from where, and how was it before? */
export const auditTrailProjector = projector<Audited>()({
  name: 'audit-trail',
  version: 2,
  tables: auditTrailTables,
  prepare: prepareTrail,
  finish: ({ departed }, place) => clear(departed, place, ofDeparted),
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
    UserDeleted: (rows, recorded, context) => {
      context.departed.add(recorded.event.data.userId);
      user(rows, recorded, context);
    },
    IdentityLinked: user,
    IdentityUnlinked: user,
    AccessTokenIssued: user,
    UserSettingsChanged: user,
    UserLoggedIn: user,
    UserLoginFailed: user,
    SessionEnded: user,
    SessionsEnded: user,
    TotpEnrolled: user,
    TotpRemoved: user,
    TotpCodeUsed: user,
    RecoveryCodesIssued: user,
    RecoveryCodeUsed: user,
    PasskeyAdded: user,
    PasskeyRenamed: user,
    PasskeyRemoved: user,
    PasskeyUsed: user,
    SecondFactorsRemoved: user,
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
