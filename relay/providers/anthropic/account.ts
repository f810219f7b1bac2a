import type { UpstreamChannel } from '../../routing/upstream-channel.ts';
import { namesIn, type ProviderAccount, readJson } from '../shared/account.ts';
import { textAt } from '../shared/json.ts';
import { baseOf } from '../shared/outgoing.ts';
import { orRefusal } from '../shared/refusal.ts';
import type { ProviderIo } from '../translate.ts';

const pageSize = 1_000;
const mostPages = 20;

const pages = async (channel: UpstreamChannel, io: ProviderIo): Promise<readonly string[]> => {
  const headers = { 'x-api-key': channel.key, 'anthropic-version': '2023-06-01' };
  const base = baseOf(channel, 'https://api.anthropic.com');
  const names: string[] = [];
  let after = '';
  for (let page = 0; page < mostPages; page += 1) {
    const query = new URLSearchParams({ limit: String(pageSize) });
    if (after !== '') query.set('after_id', after);
    const answer = await readJson(io, `${base}/v1/models?${query}`, headers);
    names.push(...namesIn(answer, 'data', 'id'));
    after = textAt(answer, 'last_id');
    if (answer.has_more !== true || after === '') break;
  }
  return names;
};

export const anthropicAccount: ProviderAccount = {
  models: (channel, io) => orRefusal(() => pages(channel, io)),
};
