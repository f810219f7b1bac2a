import { gemini as facts } from '../../../domain/channel/providers/gemini.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectsAt, textAt } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { ProviderIo } from '../../upstream/types.ts';
import type { ProviderAccount } from '../shared/account.ts';
import { readJson } from '../shared/account.ts';
import { baseOf } from '../shared/outgoing.ts';

const maxPages = 20;
const served: ReadonlySet<unknown> = new Set(['generateContent', 'embedContent', 'predict']);

const isServed = ({ supportedGenerationMethods: methods }: JsonObject): boolean =>
  Array.isArray(methods) && methods.some((method) => served.has(method));

const pages = async (channel: UpstreamChannel, io: ProviderIo): Promise<readonly string[]> => {
  const base = baseOf(channel, facts.baseUrl);
  const names: string[] = [];
  let token = '';
  for (let page = 0; page < maxPages; page += 1) {
    const query = new URLSearchParams({ pageSize: '1000' });
    if (token !== '') query.set('pageToken', token);
    const url = `${base}/v1beta/models?${query}`;
    const answer = await readJson(io, url, { 'x-goog-api-key': channel.key });
    const models = objectsAt(answer, 'models').filter(isServed);
    names.push(...models.map((model) => textAt(model, 'name').replace(/^models\//, '')));
    token = textAt(answer, 'nextPageToken');
    if (token === '') break;
  }
  return names;
};

export const geminiAccount = {
  models: (channel, io) => orRefusal(() => pages(channel, io)),
} satisfies ProviderAccount;
