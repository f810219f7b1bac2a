import type { ChannelEvent } from '../../domain/channel/events.ts';
import type { KeyringWritten } from '../../domain/keyring/events.ts';
import {
  type RelayKeysFeedEntry,
  relayKeysEntry,
  relayPurposes,
} from '../../domain/keyring/feed.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { SiteEvent } from '../../domain/site/events.ts';
import type { TokenEvent } from '../../domain/token/events.ts';
import type { PersonalKeyCreated, UserEvent } from '../../domain/user/events.ts';
import { type Projector, projector } from '../runtime/projector.ts';
import type { Writers } from '../runtime/table.ts';
import type { LiveSessions } from '../shared/live-sessions.ts';
import { fedTerms } from './entries.ts';
import { prepareFeeds } from './prepare.ts';
import { type FeedDeps, publishChanges, publishState } from './publish.ts';
import { type AccountFeedRow, type ChannelFeedRow, feedTables } from './table.ts';

type Rows = Writers<typeof feedTables>;

const at = ({ position }: Recorded) => ({ position: Number(position) });
const account = (rows: Rows, recorded: Recorded, changes: Partial<AccountFeedRow>): void => {
  const { userId } = recorded.event.data as { userId: number };
  rows.accounts.patch(userId, { ...changes, ...at(recorded) });
};
/** What opens or ends sessions; most of it ends all of them by a new epoch. */
const sessions = (
  rows: Rows,
  recorded: Recorded<UserEvent>,
  { live, changes = {} }: Readonly<{ live: LiveSessions; changes?: Partial<AccountFeedRow> }>,
): void => {
  const { event } = recorded;
  const epoch = 'sessionEpoch' in event.data ? { session_epoch: event.data.sessionEpoch } : {};
  const open = JSON.stringify(live.after(event).live);
  account(rows, recorded, { ...changes, ...epoch, sessions: open });
};
const channel = (rows: Rows, recorded: Recorded, changes: Partial<ChannelFeedRow>): void => {
  const { channelId } = recorded.event.data as { channelId: number };
  rows.channels.patch(channelId, { ...changes, ...at(recorded) });
};
const option = (rows: Rows, recorded: Recorded, entry: { key: string; value: string | null }) =>
  rows.options.put({ key: entry.key, value: entry.value, ...at(recorded) });

/** Answers: what does a relay need to admit, route and price a call? */
export const relayFeedsProjector = (deps: FeedDeps): Projector =>
  projector<
    ChannelEvent | TokenEvent | UserEvent | SiteEvent | KeyringWritten | PersonalKeyCreated
  >()({
    name: 'relay-feeds',
    version: 2,
    tables: feedTables,
    started: publishState(deps),
    committed: publishChanges(deps),
    prepare: prepareFeeds(deps),
    on: {
      KeyringWritten: ({ keys }, recorded) => {
        const { salt, keys: wrapped } = recorded.event.data;
        const fed: readonly string[] = relayPurposes;
        const relayKeys = wrapped.filter(({ purpose }) => fed.includes(purpose));
        keys.put({
          key: relayKeysEntry,
          keyring: JSON.stringify({ salt, keys: relayKeys } satisfies RelayKeysFeedEntry),
          ...at(recorded),
        });
      },

      ChannelCreated: ({ channels }, recorded) => {
        const { channelId, sealedKey, settings, status } = recorded.event.data;
        channels.put({
          channel_id: channelId,
          status,
          sealed_key: sealedKey,
          settings: JSON.stringify(settings),
          tag: settings.tag,
          deleted: false,
          ...at(recorded),
        });
      },
      ChannelChanged: (rows, recorded) => {
        const { settings, sealedKey } = recorded.event.data;
        const key = sealedKey === undefined ? {} : { sealed_key: sealedKey };
        channel(rows, recorded, { settings: JSON.stringify(settings), tag: settings.tag, ...key });
      },
      ChannelKeyReplaced: (rows, recorded) =>
        channel(rows, recorded, { sealed_key: recorded.event.data.sealedKey }),
      ChannelEnabled: (rows, recorded) => channel(rows, recorded, { status: 1 }),
      ChannelDisabled: (rows, recorded) => channel(rows, recorded, { status: 2 }),
      ChannelAutoDisabled: (rows, recorded) => channel(rows, recorded, { status: 3 }),
      ChannelAutoEnabled: (rows, recorded) => channel(rows, recorded, { status: 1 }),
      ChannelTested: 'ignored',
      ChannelBalanceRead: 'ignored',
      ChannelTagged: (rows, recorded) => channel(rows, recorded, { tag: recorded.event.data.tag }),
      ChannelDeleted: (rows, recorded) =>
        channel(rows, recorded, { deleted: true, sealed_key: '' }),

      TokenCreated: ({ tokens }, recorded, { personal, tokensOf }) => {
        const { tokenId, userId, keyHash, terms } = personal.whole(recorded.event);
        tokensOf.get(userId)?.push(keyHash);
        tokens.put({
          key_hash: keyHash,
          token_id: tokenId,
          user_id: userId,
          status: 1,
          terms: JSON.stringify(fedTerms(terms)),
          deleted: false,
          ...at(recorded),
        });
      },
      TokenChanged: ({ tokens }, recorded, { personal }) => {
        const { keyHash, terms } = personal.whole(recorded.event);
        tokens.patch(keyHash, { terms: JSON.stringify(fedTerms(terms)), ...at(recorded) });
      },
      TokenEnabled: ({ tokens }, recorded) =>
        tokens.patch(recorded.event.data.keyHash, { status: 1, ...at(recorded) }),
      TokenDisabled: ({ tokens }, recorded) =>
        tokens.patch(recorded.event.data.keyHash, { status: 2, ...at(recorded) }),
      TokenDeleted: ({ tokens }, recorded) =>
        tokens.patch(recorded.event.data.keyHash, {
          deleted: true,
          terms: '{}',
          ...at(recorded),
        }),

      UserRegistered: ({ accounts }, recorded) => {
        const { userId, role, group } = recorded.event.data;
        accounts.put({
          user_id: userId,
          role,
          status: 1,
          group,
          session_epoch: 0,
          sessions: '[]',
          accepts_unpriced: false,
          deleted: false,
          ...at(recorded),
        });
      },
      UserProfileChanged: 'ignored',
      UserGroupChanged: (rows, recorded) =>
        account(rows, recorded, { group: recorded.event.data.group }),
      PasswordChanged: (rows, recorded, { live }) => sessions(rows, recorded, { live }),
      PasswordReset: (rows, recorded, { live }) => sessions(rows, recorded, { live }),
      UserPromoted: (rows, recorded, { live }) =>
        sessions(rows, recorded, { live, changes: { role: recorded.event.data.role } }),
      UserDemoted: (rows, recorded, { live }) =>
        sessions(rows, recorded, { live, changes: { role: recorded.event.data.role } }),
      UserDisabled: (rows, recorded, { live }) =>
        sessions(rows, recorded, { live, changes: { status: 2 } }),
      UserEnabled: (rows, recorded) => account(rows, recorded, { status: 1 }),
      UserDeleted: (rows, recorded, { live, tokensOf }) => {
        const { userId } = recorded.event.data;
        sessions(rows, recorded, { live, changes: { status: 3 } });
        rows.personalKeys.remove(userId);
        // Their addresses are removed here and, by the removed entry, at the relays.
        for (const keyHash of tokensOf.get(userId) ?? []) {
          rows.tokens.patch(keyHash, { deleted: true, terms: '{}', ...at(recorded) });
        }
      },
      PersonalKeyCreated: ({ personalKeys }, { event: { data } }, { personal }) => {
        personal.learn(data.userId, data.wrappedKey);
        personalKeys.put({ user_id: data.userId, wrapped_key: data.wrappedKey });
      },
      IdentityLinked: 'ignored',
      IdentityUnlinked: 'ignored',
      AccessTokenIssued: 'ignored',
      UserSettingsChanged: (rows, recorded) => {
        const { settings } = recorded.event.data;
        account(rows, recorded, { accepts_unpriced: settings.acceptUnsetModelRatioModel });
      },
      UserLoggedIn: (rows, recorded, { live }) => sessions(rows, recorded, { live }),
      SessionEnded: (rows, recorded, { live }) => sessions(rows, recorded, { live }),
      SessionsEnded: (rows, recorded, { live }) => sessions(rows, recorded, { live }),
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

      SiteInitialised: (rows, recorded) => {
        const { selfUseMode, demoSite } = recorded.event.data;
        option(rows, recorded, { key: 'SelfUseModeEnabled', value: String(selfUseMode) });
        option(rows, recorded, { key: 'DemoSiteEnabled', value: String(demoSite) });
      },
      OptionChanged: (rows, recorded) => option(rows, recorded, recorded.event.data),
      OptionReset: (rows, recorded) =>
        option(rows, recorded, { key: recorded.event.data.key, value: null }),
      SecretOptionChanged: 'ignored',
      UsageLogPruned: 'ignored',
    },
  });
