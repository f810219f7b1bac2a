import { channelKeyForms } from '../delivery/key-forms.ts';
import { masked } from '../delivery/key-mask.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { isApiError } from '../protocol/api-error.ts';
import { baseAddress } from '../providers/shared/base-address.ts';
import type { HttpReply } from '../upstream/types.ts';

export type ProviderCall = Readonly<{
  method: 'GET' | 'POST';
  /** With query, below the base of the channel. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: object | null;
  timeoutMs: number;
}>;

const maxAnswerBytes = 16_777_216;

/** `unreachable`: it never got the request. `silent`: it may have got it. */
export type NoAnswer = 'unreachable' | 'silent';

const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

const noAnswerOf = (error: unknown): NoAnswer => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return unreached.has(code) ? 'unreachable' : 'silent';
};

/** The reason, where there is no answer. */
export const callProvider = async (
  core: Pick<RelayCore, 'providerIo' | 'logger'>,
  channel: UpstreamChannel,
  { path, body, ...asked }: ProviderCall,
): Promise<HttpReply | NoAnswer> => {
  const { channelId } = channel;
  const base = baseAddress(channel, '');
  if (isApiError(base)) {
    core.logger.warn({ channelId }, 'the channel of a task has no usable base address');
    return 'unreachable';
  }
  try {
    const reply = await core.providerIo(channel.proxy).fetch({
      ...asked,
      url: `${base.origin}${base.prefix}${path}`,
      body: body === null ? null : JSON.stringify(body),
      maxBytes: maxAnswerBytes,
    });
    return { ...reply, body: masked(reply.body, channelKeyForms(channel)) };
  } catch (error) {
    core.logger.warn({ channelId, error: String(error) }, 'the provider of a task did not answer');
    return noAnswerOf(error);
  }
};
