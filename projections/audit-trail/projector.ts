import type { AuditedEvent } from '../../domain/events.ts';
import type { Actor, Recorded } from '../../domain/shared/event.ts';
import { actingPerson, type WithPersonal } from '../../domain/shared/personal.ts';
import { projector } from '../runtime/projector.ts';
import type { Writers } from '../runtime/table.ts';
import { type Clearing, clear } from '../shared/departures.ts';
import { secondsOf } from '../shared/time.ts';
import {
  type Fields,
  hasLeft,
  type KnownSubject,
  type KnownSubjects,
  ownerOf,
  prepareTrail,
  subjectKey,
  subjectOf,
  type TrailContext,
} from './audit-subjects.ts';
import {
  accountChange,
  type Change,
  channelChange,
  redemptionChange,
  siteChange,
  tokenChange,
  topUpChange,
} from './changes.ts';
import { auditTrailTables } from './table.ts';
import { userChange } from './user-changes.ts';

type Rows = Writers<typeof auditTrailTables>;

const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

/**
 * The fields that changed. `was` of the event takes precedence over the stored values of the
 * subject.
 */
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

const nothing: KnownSubject = { fields: {}, name: '', sealed: '' };

/** A person who signs up or in has no session yet; the event holds the id. */
const actorOf = (recorded: Recorded): Recorded['metadata']['actor'] => {
  const { actor } = recorded.metadata;
  if (actor.kind !== 'user' || actor.id !== '0') return actor;
  return { ...actor, id: String(actingPerson(recorded) ?? 0) };
};

/** The reason in the event. */
const reasonOf = ({ event }: Recorded<AuditedEvent>): string => {
  if (event.type === 'QuotaAdjusted') return event.data.reason.note ?? '';
  return 'reason' in event.data ? (event.data.reason ?? '') : '';
};

const addressOf = ({ ip, ipMark, sealedIp }: Actor) => ({
  ip: ip ?? (ipMark === undefined ? '' : `~${ipMark}`),
  sealed_ip: sealedIp ?? '',
});

const knownOf = (subjects: KnownSubjects, key: string, isLeft: boolean): KnownSubject =>
  (isLeft ? undefined : subjects.get(key)) ?? nothing;

/** Some events are about a subject and leave it as it was. */
const isOfSubject = ({ gone, set, name }: Change): boolean =>
  gone === true || set !== undefined || name !== undefined;

const enter = (
  rows: Rows,
  recorded: Recorded<AuditedEvent>,
  { change, subjects }: Entering,
): void => {
  const subject = subjectOf(recorded);
  if (subject === null) return;
  const key = subjectKey(subject);
  const owner_id = ownerOf(recorded);
  const isLeft = hasLeft(subjects, owner_id);
  const known = knownOf(subjects, key, isLeft);
  const { before, after } = change.gone
    ? { before: known.fields, after: {} }
    : differences(known.fields, change);
  const { personal: sealed = '' } = recorded.event.data as WithPersonal;
  const isPerson = subject.kind === 'user' || subject.kind === 'account';
  const name = isPerson || isLeft ? '' : (change.name ?? known.name);
  const { correlationId } = recorded.metadata;
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
    after: JSON.stringify({ ...after, ...change.facts }),
    reason: reasonOf(recorded),
    sealed,
    sealed_before: known.sealed,
    secrets: (change.secrets ?? []).join(','),
    request_id: correlationId,
  });
  if (!isOfSubject(change)) return;
  const fields = change.gone ? {} : { ...known.fields, ...change.set };
  const now = isLeft ? nothing : { fields, name, sealed: sealed || known.sealed };
  subjects.set(key, now);
  rows.things.put({ thing: key, owner_id, ...now, fields: JSON.stringify(now.fields) });
};
type Entering = Readonly<{ change: Change; subjects: KnownSubjects }>;

const entering =
  <E extends AuditedEvent>(changeOf: (event: E, actorKind: string) => Change | null) =>
  (rows: Rows, recorded: Recorded<E>, { subjects }: TrailContext): void => {
    const change = changeOf(recorded.event, recorded.metadata.actor.kind);
    if (change !== null) enter(rows, recorded, { change, subjects });
  };
const site = entering(siteChange);
const user = entering(userChange);
const token = entering(tokenChange);
const channel = entering(channelChange);
const redemption = entering(redemptionChange);
const topUp = entering(topUpChange);
const account = entering(accountChange);

const ofDeparted: readonly Clearing[] = [
  {
    table: 'things',
    set: "fields = '{}', name = '', sealed = ''",
    where: 'owner_id = ANY($1::int8[])',
  },
];

/** Answers: who changed what, when, from where, and how was it before? */
export const auditTrailProjector = projector<AuditedEvent>()({
  name: 'audit-trail',
  version: 2,
  tables: auditTrailTables,
  prepare: prepareTrail,
  finish: ({ departed }) => clear(departed, ofDeparted),
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
    ChannelTagged: channel,
    ChannelDeleted: channel,
    RedemptionCreated: redemption,
    RedemptionChanged: redemption,
    RedemptionEnabled: redemption,
    RedemptionDisabled: redemption,
    RedemptionRedeemed: redemption,
    RedemptionDeleted: redemption,
    TopUpOrdered: topUp,
    TopUpPaid: topUp,
    TopUpPaidAgain: topUp,
    TopUpExpired: topUp,
    QuotaAdjusted: account,
    CorrectionPosted: account,
    QuotaGranted: account,
    RequestRefunded: account,
    ReferralRewardTransferred: account,
  },
});
