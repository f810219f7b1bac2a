import type { ChannelEvent, ChannelStatus } from '../../../domain/channel/events.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { TokenEvent, TokenTerms } from '../../../domain/token/events.ts';
import type { UserEvent } from '../../../domain/user/events.ts';
import { type LiveSession, liveSessionsAfter } from '../../../domain/user/live-sessions.ts';
import type {
  VerifiedFedAccount,
  VerifiedFedChannel,
  VerifiedFedToken,
} from '../../ports/read-models.ts';
import type { ConcernedEvent } from '../concerns.ts';

type Concerned = ConcernedEvent<'relay-feeds'>;
type Of<E extends Readonly<{ type: string }>> = Recorded<Extract<Concerned, { type: E['type'] }>>;
type Writable<T> = { -readonly [K in keyof T]: T[K] };

const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
};
/** One text for one value, in whatever order its members stand. */
export const jsonOf = (value: unknown): string => JSON.stringify(sorted(value));

const placeOf = ({ position }: Recorded): number => Number(position);

/** Accounts as the feed publishes them. */
export class FedAccounts {
  readonly rows = new Map<string, VerifiedFedAccount>();
  readonly #sessions = new Map<number, readonly LiveSession[]>();

  see(recorded: Of<UserEvent>): void {
    const { event } = recorded;
    if (event.type === 'UserRegistered') {
      this.#register(recorded as Recorded<typeof event>);
      return;
    }
    const account = this.rows.get(String(event.data.userId));
    if (account === undefined) return;
    const changed: Writable<VerifiedFedAccount> = { ...account, position: placeOf(recorded) };
    this.#change(changed, event);
    this.rows.set(String(changed.userId), changed);
  }

  #register(recorded: Recorded<Extract<Concerned, { type: 'UserRegistered' }>>): void {
    const { userId, role, group } = recorded.event.data;
    this.rows.set(String(userId), {
      userId,
      role,
      status: 1,
      group,
      sessionEpoch: 0,
      sessions: '[]',
      acceptsUnpriced: false,
      deleted: false,
      position: placeOf(recorded),
    });
  }

  #change(account: Writable<VerifiedFedAccount>, event: Of<UserEvent>['event']): void {
    switch (event.type) {
      case 'UserGroupChanged':
        account.group = event.data.group;
        return;
      case 'UserEnabled':
        account.status = 1;
        return;
      case 'UserSettingsChanged':
        account.acceptsUnpriced = event.data.settings.acceptUnsetModelRatioModel;
        return;
      case 'UserPromoted':
      case 'UserDemoted':
        account.role = event.data.role;
        break;
      case 'UserDisabled':
        account.status = 2;
        break;
      case 'UserDeleted':
        account.status = 3;
        break;
      default:
        break;
    }
    this.#followSessions(account, event);
  }

  #followSessions(account: Writable<VerifiedFedAccount>, event: UserEvent): void {
    const live = liveSessionsAfter(this.#sessions.get(account.userId) ?? [], event);
    this.#sessions.set(account.userId, live);
    account.sessions = jsonOf(live);
    if ('sessionEpoch' in event.data) account.sessionEpoch = event.data.sessionEpoch;
  }
}

/** Channels as the feed publishes them. */
export class FedChannels {
  readonly rows = new Map<string, VerifiedFedChannel>();

  see(recorded: Of<ChannelEvent>): void {
    const { event } = recorded;
    const key = String(event.data.channelId);
    if (event.type === 'ChannelCreated') {
      const { channelId, sealedKey, settings, status } = event.data;
      const { tag } = settings;
      const own = { channelId, status, sealedKey, settings: jsonOf(settings), tag };
      this.rows.set(key, { ...own, deleted: false, position: placeOf(recorded) });
      return;
    }
    const channel = this.rows.get(key);
    if (channel === undefined) return;
    this.rows.set(key, { ...channel, ...changeOf(event), position: placeOf(recorded) });
  }
}

const withStatus = (status: ChannelStatus) => ({ status });
const changeOf = (
  event: Exclude<Of<ChannelEvent>['event'], { type: 'ChannelCreated' }>,
): Partial<VerifiedFedChannel> => {
  switch (event.type) {
    case 'ChannelChanged': {
      const { settings, sealedKey } = event.data;
      const key = sealedKey === undefined ? {} : { sealedKey };
      return { settings: jsonOf(settings), tag: settings.tag, ...key };
    }
    case 'ChannelKeyReplaced':
      return { sealedKey: event.data.sealedKey };
    case 'ChannelEnabled':
    case 'ChannelAutoEnabled':
      return withStatus(1);
    case 'ChannelDisabled':
      return withStatus(2);
    case 'ChannelAutoDisabled':
      return withStatus(3);
    case 'ChannelTagged':
      return { tag: event.data.tag };
    case 'ChannelDeleted':
      return { deleted: true, sealedKey: '' };
  }
};

/** The terms that the feed publishes, without addresses where the log has them sealed. */
const termsText = (terms: Partial<TokenTerms>, isSealed: boolean): string => {
  const { name: _name, remainQuota: _quota, ...published } = terms;
  const { allowIps: _ips, ...open } = published;
  return jsonOf(isSealed ? open : published);
};

/** Tokens as the feed publishes them: who may call. */
export class FedTokens {
  readonly rows = new Map<string, VerifiedFedToken>();
  readonly #sealed = new Set<string>();
  readonly #owned = new Map<number, string[]>();

  see(recorded: Of<TokenEvent>): void {
    const { event } = recorded;
    if (event.type === 'TokenCreated') {
      this.#create(recorded as Recorded<typeof event>);
      return;
    }
    const { keyHash } = event.data;
    if (event.type === 'TokenChanged') this.#patch(recorded, keyHash, this.#terms(event.data));
    else if (event.type === 'TokenDeleted') this.#end(recorded, keyHash);
    else this.#patch(recorded, keyHash, { status: event.type === 'TokenEnabled' ? 1 : 2 });
  }

  /** All tokens of a person end when the person leaves. */
  depart(recorded: Recorded<Extract<Concerned, { type: 'UserDeleted' }>>): void {
    for (const keyHash of this.#owned.get(recorded.event.data.userId) ?? []) {
      if (this.rows.get(keyHash)?.deleted === false) this.#end(recorded, keyHash);
    }
  }

  /** The terms of a stored row, as far as they are compared. */
  comparable(keyHash: string, terms: string): string {
    return termsText(JSON.parse(terms) as Partial<TokenTerms>, this.#sealed.has(keyHash));
  }

  #create(recorded: Recorded<Extract<Concerned, { type: 'TokenCreated' }>>): void {
    const { keyHash, tokenId, userId } = recorded.event.data;
    const { terms = '' } = this.#terms(recorded.event.data);
    const own = { keyHash, tokenId, userId, status: 1, terms, deleted: false };
    this.rows.set(keyHash, { ...own, position: placeOf(recorded) });
    const owned = this.#owned.get(userId) ?? [];
    owned.push(keyHash);
    this.#owned.set(userId, owned);
  }

  #terms({
    keyHash,
    terms,
    personal,
  }: Readonly<{
    keyHash: string;
    terms: TokenTerms;
    personal?: string;
  }>): Partial<VerifiedFedToken> {
    if (personal === undefined) this.#sealed.delete(keyHash);
    else this.#sealed.add(keyHash);
    return { terms: termsText(terms, personal !== undefined) };
  }

  #end(recorded: Recorded, keyHash: string): void {
    this.#patch(recorded, keyHash, { deleted: true, terms: '{}' });
  }

  #patch(recorded: Recorded, keyHash: string, changes: Partial<VerifiedFedToken>): void {
    const token = this.rows.get(keyHash);
    if (token === undefined) return;
    this.rows.set(keyHash, { ...token, ...changes, position: placeOf(recorded) });
  }
}
