import type { Language } from '../../domain/access/language.ts';
import type { LogRow } from '../contract/log.ts';
import { type AmountForm, contentOf } from './content.ts';
import type { LogDetails } from './details.ts';
import { otherOf } from './other.ts';
import type { UsageLogRow } from './table.ts';

/** How an entry is to be shown, and to whom. `channelNames` null: to an ordinary user. */
export type Showing = Readonly<{
  language: Language;
  amounts: AmountForm;
  channelNames: ReadonlyMap<number, string> | null;
}>;

const scramble = 0x9e3779b97f4a7n;
/** One-to-one on numbers of 53 bits: unique as a row key, silent about how busy the site is. */
const opaque = (id: number): number => Number((BigInt(id) * scramble) & 0x1fffffffffffffn);

export const toWire = (row: UsageLogRow, { language, amounts, channelNames }: Showing): LogRow => {
  const details = JSON.parse(row.details) as LogDetails;
  const forAdmin = channelNames !== null;
  return {
    id: forAdmin ? row.id : opaque(row.id),
    user_id: row.user_id,
    created_at: row.created_at,
    type: row.type,
    content: contentOf(details, language, amounts),
    username: row.username,
    token_name: row.token_name,
    token_id: row.token_id,
    model_name: row.model_name,
    quota: row.quota,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    use_time: Math.round(row.duration_ms / 1000),
    is_stream: row.is_stream,
    channel: forAdmin ? row.channel_id : 0,
    channel_name: channelNames?.get(row.channel_id) ?? '',
    group: row.group,
    request_id: row.request_id,
    other: otherOf(details, forAdmin),
  };
};
