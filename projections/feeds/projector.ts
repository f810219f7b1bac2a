import type { ChannelEvent } from '../../domain/channel/events.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { SiteEvent } from '../../domain/site/events.ts';
import type { TokenEvent } from '../../domain/token/events.ts';
import type { PersonalKeyCreated, UserEvent } from '../../domain/user/events.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { type Projector, projector } from '../runtime/projector.ts';
import type { Writers } from '../runtime/table.ts';
import { fedTerms } from './entries.ts';
import { prepareFeeds } from './prepare.ts';
import { publishChanges, publishState } from './publish.ts';
import { type AccountFeedRow, type ChannelFeedRow, feedTables } from './table.ts';

type Rows = Writers<typeof feedTables>;

const at = ({ position }: Recorded) => ({ position: Number(position) });
const account = (rows: Rows, recorded: Recorded, changes: Partial<AccountFeedRow>): void => {
  const { userId } = recorded.event.data as { userId: number };
  rows.accounts.patch(userId, { ...changes, ...at(recorded) });
};
const channel = (rows: Rows, recorded: Recorded, changes: Partial<ChannelFeedRow>): void => {
  const { channelId } = recorded.event.data as { channelId: number };
  rows.channels.patch(channelId, { ...changes, ...at(recorded) });
};
const option = (rows: Rows, recorded: Recorded, entry: { key: string; value: string | null }) =>
  rows.options.put({ key: entry.key, value: entry.value, ...at(recorded) });

/** Answers: what does a relay have to know to admit, route and price a call? */
export const relayFeedsProjector = (bus: Bus, vault: Vault): Projector =>
  projector<ChannelEvent | TokenEvent | UserEvent | SiteEvent | PersonalKeyCreated>()({
    name: 'relay-feeds',
    version: 2,
    tables: feedTables,
    prepare: prepareFeeds(vault),
    started: publishState(bus),
    committed: publishChanges(bus),
    on: {
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
        const { settings } = recorded.event.data;
        channel(rows, recorded, { settings: JSON.stringify(settings), tag: settings.tag });
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
          accepts_unpriced: false,
          deleted: false,
          ...at(recorded),
        });
      },
      UserProfileChanged: 'ignored',
      UserGroupChanged: (rows, recorded) =>
        account(rows, recorded, { group: recorded.event.data.group }),
      PasswordChanged: (rows, recorded) =>
        account(rows, recorded, { session_epoch: recorded.event.data.sessionEpoch }),
      PasswordReset: (rows, recorded) =>
        account(rows, recorded, { session_epoch: recorded.event.data.sessionEpoch }),
      UserPromoted: (rows, recorded) => {
        const { role, sessionEpoch } = recorded.event.data;
        account(rows, recorded, { role, session_epoch: sessionEpoch });
      },
      UserDemoted: (rows, recorded) => {
        const { role, sessionEpoch } = recorded.event.data;
        account(rows, recorded, { role, session_epoch: sessionEpoch });
      },
      UserDisabled: (rows, recorded) =>
        account(rows, recorded, { status: 2, session_epoch: recorded.event.data.sessionEpoch }),
      UserEnabled: (rows, recorded) => account(rows, recorded, { status: 1 }),
      UserDeleted: (rows, recorded, { tokensOf }) => {
        const { userId, sessionEpoch } = recorded.event.data;
        account(rows, recorded, { status: 3, session_epoch: sessionEpoch });
        rows.keys.remove(userId);
        // Their addresses are let go of here and, by the entry that is gone, at the relays.
        for (const keyHash of tokensOf.get(userId) ?? []) {
          rows.tokens.patch(keyHash, { deleted: true, terms: '{}', ...at(recorded) });
        }
      },
      PersonalKeyCreated: ({ keys }, { event: { data } }, { personal }) => {
        personal.learn(data.userId, data.wrappedKey);
        keys.put({ user_id: data.userId, wrapped_key: data.wrappedKey });
      },
      IdentityLinked: 'ignored',
      IdentityUnlinked: 'ignored',
      AccessTokenIssued: 'ignored',
      UserSettingsChanged: (rows, recorded) => {
        const { settings } = recorded.event.data;
        account(rows, recorded, { accepts_unpriced: settings.acceptUnsetModelRatioModel });
      },
      UserLoggedIn: 'ignored',
      SessionsEnded: (rows, recorded) =>
        account(rows, recorded, { session_epoch: recorded.event.data.sessionEpoch }),

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
