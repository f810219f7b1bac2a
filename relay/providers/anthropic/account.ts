import { anthropic as facts } from '../../../domain/channel/providers/anthropic.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { textAt } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { ProviderIo } from '../../upstream/types.ts';
import { namesIn, type ProviderAccount, readJson } from '../shared/account.ts';
import { baseOf } from '../shared/outgoing.ts';

const pageSize = 1_000;
const maxPages = 20;

const pages = async (channel: UpstreamChannel, io: ProviderIo): Promise<readonly string[]> => {
  const headers = { 'x-api-key': channel.key, 'anthropic-version': '2023-06-01' };
  const base = baseOf(channel, facts.baseUrl);
  const names: string[] = [];
  let after = '';
  for (let page = 0; page < maxPages; page += 1) {
    const query = new URLSearchParams({ limit: String(pageSize) });
    if (after !== '') query.set('after_id', after);
    const answer = await readJson(io, `${base}/v1/models?${query}`, headers);
    names.push(...namesIn(answer, 'data', 'id'));
    after = textAt(answer, 'last_id');
    if (answer.has_more !== true || after === '') break;
  }
  return names;
};

export const anthropicAccount = {
  models: (channel, io) => orRefusal(() => pages(channel, io)),
} satisfies ProviderAccount;
