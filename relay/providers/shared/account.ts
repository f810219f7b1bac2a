import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { numberAt, objectsAt, textAt } from '../../protocol/json.ts';
import { orRefusal, refuse } from '../../protocol/refusal.ts';
import type { ProviderIo } from '../../upstream/types.ts';
import { unusableReply } from './failure.ts';
import { baseOf, bearer } from './outgoing.ts';
import { helperCall } from './upload.ts';

/** What is left, as decimal text, in the provider's own unit. */
export type Balance = Readonly<{ amount: string; unit: 'USD' | 'CNY' | 'points' | string }>;

/** What a provider reports of the channel's account; it offers the calls that it has. */
export type ProviderAccount = Readonly<{
  models?: (channel: UpstreamChannel, io: ProviderIo) => Promise<readonly string[] | ApiError>;
  balance?: (channel: UpstreamChannel, io: ProviderIo) => Promise<Balance | ApiError>;
}>;

type Headers = Readonly<Record<string, string>>;

/** @throws a refusal when the provider refuses or returns no JSON */
export const readJson = (io: ProviderIo, url: string, headers: Headers): Promise<JsonObject> =>
  helperCall(io, { method: 'GET', url, headers: { accept: 'application/json', ...headers } });

/** @throws a refusal when the answer holds no such list */
export const namesIn = (answer: JsonObject, list: string, member: string): readonly string[] =>
  Array.isArray(answer[list])
    ? objectsAt(answer, list)
        .map((entry) => textAt(entry, member))
        .filter((name) => name !== '')
    : refuse(unusableReply('The provider gave no list of models'));

export type ModelList = Readonly<{
  /** "" when the operator must give one. */
  baseUrl: string;
  path?: string;
  headers?: (channel: UpstreamChannel, io: ProviderIo) => Headers;
}>;

/** A list of models in OpenAI's shape. */
export const openAiModels =
  ({ baseUrl, path = '/v1/models', headers = bearer }: ModelList) =>
  (channel: UpstreamChannel, io: ProviderIo): Promise<readonly string[] | ApiError> =>
    orRefusal(async () => {
      const url = baseOf(channel, baseUrl) + path;
      return namesIn(await readJson(io, url, headers(channel, io)), 'data', 'id');
    });

/** Differences of floating numbers have tails: 6 places are kept. */
export const balanceOf = (amount: number | null, unit: Balance['unit']): Balance =>
  amount === null
    ? refuse(unusableReply('The provider gave no balance'))
    : { amount: amount.toFixed(6).replace(/\.?0+$/, ''), unit };

/** A number that some providers write as text; null when it is none. */
export const amountAt = (owner: JsonObject, member: string): number | null => {
  const text = textAt(owner, member);
  const amount = text === '' ? numberAt(owner, member) : Number(text);
  return amount !== null && Number.isFinite(amount) ? amount : null;
};
