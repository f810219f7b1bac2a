import { relayKeysEntry, relayPurposes } from '../../../domain/keyring/feed.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type {
  ReadModelView,
  VerifiedFedKeys,
  VerifiedFedOption,
  VerifiedFeeds,
} from '../../ports/read-models.ts';
import type { ConcernedEvent } from '../concerns.ts';
import type { Findings } from '../findings.ts';
import { compareRows } from './compare.ts';
import type { Expectation } from './expectation.ts';
import { FedAccounts, FedChannels, FedTokens, jsonOf } from './fed-rows.ts';

type Concerned = ConcernedEvent<'relay-feeds'>;
type Seen = Recorded<Concerned>;

async function* mapped<T, R>(items: AsyncIterable<T>, map: (item: T) => R): AsyncGenerator<R> {
  for await (const item of items) yield map(item);
}
const sameJson = (text: string): string => jsonOf(JSON.parse(text));
const has = <K extends string>(
  recorded: Seen,
  field: K,
): recorded is Recorded<Extract<Concerned, { data: Record<K, unknown> }>> =>
  field in recorded.event.data;

/** What the feeds publish: who may call with which key, over which channels, under which options. */
export class ExpectedFeeds implements Expectation<'relay-feeds'> {
  readonly name = 'relay-feeds';
  readonly #accounts = new FedAccounts();
  readonly #tokens = new FedTokens();
  readonly #channels = new FedChannels();
  readonly #options = new Map<string, VerifiedFedOption>();
  readonly #keys = new Map<string, VerifiedFedKeys>();

  see(recorded: Seen): void {
    const { event, position } = recorded;
    switch (event.type) {
      case 'SiteInitialised':
        this.#option('SelfUseModeEnabled', String(event.data.selfUseMode), position);
        this.#option('DemoSiteEnabled', String(event.data.demoSite), position);
        return;
      case 'OptionChanged':
        this.#option(event.data.key, event.data.value, position);
        return;
      case 'OptionReset':
        this.#option(event.data.key, null, position);
        return;
      case 'SecretOptionChanged':
        return;
      case 'KeyringWritten': {
        const { salt, keys } = event.data;
        const purposes: readonly string[] = relayPurposes;
        const published = { salt, keys: keys.filter(({ purpose }) => purposes.includes(purpose)) };
        const row = { key: relayKeysEntry, keyring: jsonOf(published), position: Number(position) };
        this.#keys.set(relayKeysEntry, row);
        return;
      }
      default:
        this.#seeEntity(recorded);
    }
  }

  async compare({ feeds }: ReadModelView, findings: Findings): Promise<number> {
    if (feeds === undefined) return 0;
    const compare = { findings, feeds };
    return (
      (await this.#compareCallers(compare)) +
      (await compareRows({
        findings,
        table: 'relay_feeds.channels',
        rows: mapped(feeds.channels(), (row) => ({ ...row, settings: sameJson(row.settings) })),
        expected: new Map(this.#channels.rows),
        keyOf: ({ channelId }) => String(channelId),
      })) +
      (await compareRows({
        findings,
        table: 'relay_feeds.options',
        rows: feeds.options(),
        expected: new Map(this.#options),
        keyOf: ({ key }) => key,
      })) +
      (await compareRows({
        findings,
        table: 'relay_feeds.keys',
        rows: mapped(feeds.keys(), (row) => ({ ...row, keyring: sameJson(row.keyring) })),
        expected: new Map(this.#keys),
        keyOf: ({ key }) => key,
      }))
    );
  }

  async #compareCallers({
    findings,
    feeds,
  }: Readonly<{ findings: Findings; feeds: VerifiedFeeds }>): Promise<number> {
    const accounts = await compareRows({
      findings,
      table: 'relay_feeds.accounts',
      rows: mapped(feeds.accounts(), (row) => ({ ...row, sessions: sameJson(row.sessions) })),
      expected: new Map(this.#accounts.rows),
      keyOf: ({ userId }) => String(userId),
    });
    const tokens = await compareRows({
      findings,
      table: 'relay_feeds.tokens',
      rows: mapped(feeds.tokens(), (row) => ({
        ...row,
        terms: this.#tokens.comparable(row.keyHash, row.terms),
      })),
      expected: new Map(this.#tokens.rows),
      keyOf: ({ keyHash }) => keyHash,
    });
    return accounts + tokens;
  }

  #seeEntity(recorded: Seen): void {
    if (has(recorded, 'channelId')) this.#channels.see(recorded);
    else if (has(recorded, 'tokenId')) this.#tokens.see(recorded);
    else if (has(recorded, 'userId')) {
      this.#accounts.see(recorded as Parameters<FedAccounts['see']>[0]);
      const { event } = recorded;
      if (event.type === 'UserDeleted') this.#tokens.depart(recorded as Recorded<typeof event>);
    }
  }

  #option(key: string, value: string | null, position: bigint): void {
    this.#options.set(key, { key, value, position: Number(position) });
  }
}
