import type { Language } from '../../domain/access/language.ts';
import type { PersonalSeal } from '../../infra/ports/vault.ts';
import type { LogRow } from '../contract/log.ts';
import { textsOf } from '../shared/personal-data.ts';
import { type AmountForm, contentOf } from './content.ts';
import type { LogDetails } from './details.ts';
import { otherOf } from './other.ts';
import type { UsageLogRow } from './table.ts';

/** How an entry is to be shown, and to whom. `channelNames` null: to an ordinary user. */
export type Showing = Readonly<{
  language: Language;
  amounts: AmountForm;
  channelNames: ReadonlyMap<number, string> | null;
  usernames: ReadonlyMap<number, string>;
  tokenNames: ReadonlyMap<number, string>;
  /** Of the users whose errors are shown. */
  seals: ReadonlyMap<number, PersonalSeal>;
}>;

/** Error texts of providers may repeat parts of the call, and go with the user. */
const openedDetails = (row: UsageLogRow, { seals }: Showing): LogDetails => {
  const details = JSON.parse(row.details) as LogDetails;
  if (details.kind !== 'failure' || details.personal === undefined) return details;
  const seal = seals.get(row.user_id);
  const { message } = seal === undefined ? {} : textsOf(seal, details.personal);
  return { ...details, message: typeof message === 'string' ? message : '' };
};

const playgroundToken = 'playground-';
/** A call of the playground has no token; the group that was chosen there names it. */
const tokenNameOf = ({ type, token_id, group }: UsageLogRow, { tokenNames }: Showing): string => {
  if (token_id !== 0) return tokenNames.get(token_id) ?? '';
  const isCall = type === 2 || type === 5;
  return isCall && group !== '' ? `${playgroundToken}${group}` : '';
};
/** The group that the name of a playground's call represents; null for names of tokens. */
export const playgroundGroup = (name: string): string | null =>
  name.startsWith(playgroundToken) ? name.slice(playgroundToken.length) : null;

const scramble = 0x9e3779b97f4a7n;
/** One-to-one on numbers of 53 bits: unique as a row key, silent about how busy the site is. */
const opaque = (id: number): number => Number((BigInt(id) * scramble) & 0x1fffffffffffffn);

export const toWire = (row: UsageLogRow, showing: Showing): LogRow => {
  const { language, amounts, channelNames, usernames } = showing;
  const details = openedDetails(row, showing);
  const forAdmin = channelNames !== null;
  return {
    id: forAdmin ? row.id : opaque(row.id),
    user_id: row.user_id,
    created_at: row.created_at,
    type: row.type,
    content: contentOf(details, language, amounts),
    username: usernames.get(row.user_id) ?? '',
    token_name: tokenNameOf(row, showing),
    token_id: row.token_id,
    model_name: row.model_name,
    quota: row.quota,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    use_time: Math.round(row.duration_ms / 1000),
    duration_ms: row.duration_ms,
    is_stream: row.is_stream,
    channel: forAdmin ? row.channel_id : 0,
    channel_name: channelNames?.get(row.channel_id) ?? '',
    group: row.group,
    request_id: row.request_id,
    other: otherOf(details, forAdmin),
  };
};
