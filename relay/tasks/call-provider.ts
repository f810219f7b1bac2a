import { channelKeyForms } from '../delivery/key-forms.ts';
import { masked } from '../delivery/key-mask.ts';
import { redactText } from '../delivery/redaction.ts';
import { overriddenHeaders } from '../execution/outgoing-headers.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import { orRefusal } from '../protocol/refusal.ts';
import { baseAddress } from '../providers/shared/base-address.ts';
import { upstreamFailure } from '../providers/shared/failure.ts';
import type { HttpReply } from '../upstream/types.ts';
import { isSuccess, type NoAnswer, noAnswer } from './provider-reply.ts';
import { beginAttempt, endAttempt, type TracedTask } from './task-trace.ts';

export type ProviderCall = Readonly<{
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** For a channel without an address; required when absent. */
  baseUrl?: string;
  /** With query, below the base of the channel. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** A form, bytes, or what is written as JSON. */
  body: FormData | Buffer | object | null;
  timeoutMs: number;
  /** Of a longer answer only about this much is read. */
  headBytes?: number;
  /** A separate span in the trace of a call; none when absent. */
  traced?: TracedTask | null;
}>;

const maxAnswerBytes = 16_777_216;

const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

const noAnswerOf = (error: unknown): NoAnswer => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return unreached.has(code) ? 'unreachable' : 'silent';
};

const isWritten = (body: ProviderCall['body']): body is FormData | Buffer | null =>
  body === null || body instanceof FormData || Buffer.isBuffer(body);

/** Headers as the operator of the channel configured them. */
export const withOverrides = (
  headers: ProviderCall['headers'],
  { headerOverrides }: UpstreamChannel,
): Readonly<Record<string, string>> => {
  if (headerOverrides.length === 0) return headers;
  const list = overriddenHeaders(Object.entries(headers).flat(), headerOverrides);
  const names = list.filter((_text, at) => at % 2 === 0);
  return Object.fromEntries(names.map((name, at) => [name.toLowerCase(), list[at * 2 + 1] ?? '']));
};

/** What a call needs before it is made, such as an access token; the reason where it cannot be had. */
export const prepared = async <T>(
  core: Pick<RelayCore, 'logger'>,
  channel: UpstreamChannel,
  make: () => T | Promise<T>,
): Promise<T | ApiError> => {
  try {
    const made = await orRefusal(make);
    return isApiError(made) ? { ...made, message: redactText(channel, made.message) } : made;
  } catch (error) {
    const { channelId } = channel;
    core.logger.warn({ channelId, error: String(error) }, 'a call of a task was not prepared');
    return noAnswer;
  }
};

/** A channel that asks for a pause gets it. */
export const noteFailure = (
  { coolDowns }: Pick<RelayCore, 'coolDowns'>,
  { channelId }: UpstreamChannel,
  reply: HttpReply,
): void => {
  coolDowns.note(channelId, { upstreamStatus: reply.status, error: upstreamFailure(reply) });
};

/** The reason, where there is no answer. */
export const callProvider = async (
  core: Pick<RelayCore, 'providerIo' | 'logger' | 'coolDowns'>,
  channel: UpstreamChannel,
  { path, body, baseUrl = '', headers, traced = null, ...asked }: ProviderCall,
): Promise<HttpReply | NoAnswer> => {
  const { channelId } = channel;
  const base = baseAddress(channel, baseUrl);
  if (isApiError(base)) {
    core.logger.warn({ channelId }, 'the channel of a task has no usable base address');
    return 'unreachable';
  }
  const trace = beginAttempt(traced, channel, base.origin);
  try {
    const reply = await core.providerIo(channel.proxy).fetch({
      ...asked,
      url: `${base.origin}${base.prefix}${path}`,
      headers: withOverrides({ ...headers, ...trace }, channel),
      body: isWritten(body) ? body : JSON.stringify(body),
      maxBytes: maxAnswerBytes,
    });
    endAttempt(traced, reply);
    if (!isSuccess(reply)) noteFailure(core, channel, reply);
    return { ...reply, body: masked(reply.body, channelKeyForms(channel)) };
  } catch (error) {
    core.logger.warn({ channelId, error: String(error) }, 'the provider of a task did not answer');
    const reason = noAnswerOf(error);
    endAttempt(traced, reason);
    return reason;
  }
};
