import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { HeaderOverride } from '../../domain/channel/header-override.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { CallTrace } from '../../infra/ports/tracing.ts';
import type { Admitted } from '../admission/admitted.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { Protocol } from '../protocol/caller-protocol.ts';
import type { UpstreamRequest } from '../upstream/types.ts';

const maxValueLength = 1_024;
const sendable = /^[\t\x20-\x7e]+$/;

/**
 * What providers of a protocol take from a client besides the body, and what routes its sessions.
 */
const passedNames: Readonly<Record<Protocol, readonly string[]>> = {
  openai: [
    ...['user-agent', 'openai-beta', 'x-session-id', 'session_id', 'conversation_id'],
    ...['originator', 'x-client-request-id'],
  ],
  // Version and beta of Messages are set where its requests are made.
  claude: ['user-agent', 'x-session-id', 'x-claude-code-session-id', 'x-app'],
  gemini: ['user-agent', 'x-session-id', 'x-goog-api-client'],
  cohere: ['user-agent', 'x-session-id', 'x-client-name'],
  ollama: ['user-agent', 'x-session-id'],
};

const idempotencyKey = 'idempotency-key';

const textOf = (headers: IncomingHttpHeaders, name: string): string | null => {
  const value = headers[name];
  return typeof value === 'string' && value.length <= maxValueLength && sendable.test(value)
    ? value
    : null;
};

/** All callers share the key of a channel: equal keys of two of them are not the same request. */
const keyOf = (owner: UserId, key: string): string => hash('sha256', `${owner}:${key}`, 'hex');

/**
 * Names and values of the caller's own headers that are sent upstream where the provider uses his
 * protocol.
 */
const passedHeaders = ({ req, call, caller }: Admitted): readonly string[] => {
  const passed: string[] = [];
  for (const name of passedNames[call.protocol]) {
    const value = textOf(req.headers, name);
    if (value !== null) passed.push(name, value);
  }
  const key = textOf(req.headers, idempotencyKey);
  if (key !== null) passed.push(idempotencyKey, keyOf(caller.account.userId, key));
  return passed;
};

const isNamed = (headers: readonly string[], name: string): boolean =>
  headers.some((known, at) => at % 2 === 0 && known.toLowerCase() === name);

const without = (headers: readonly string[], names: ReadonlySet<string>): string[] =>
  headers.filter((_text, at) => !names.has((headers[at - (at % 2)] ?? '').toLowerCase()));

/** Headers as the operator of a channel configured them; names and values in turn. */
export const overriddenHeaders = (
  headers: readonly string[],
  overrides: readonly HeaderOverride[],
): readonly string[] => {
  if (overrides.length === 0) return headers;
  const kept = without(headers, new Set(overrides.map(({ name }) => name)));
  for (const { name, value } of overrides) if (value !== null) kept.push(name, value);
  return kept;
};

type Going = Readonly<{
  admitted: Admitted;
  channel: UpstreamChannel;
  /** The body is the caller's own: so may some of its headers be. */
  isPassed: boolean;
}>;

/** Begins the span of the attempt; the provider may continue its trace. */
const tracedHeaders = (
  { upstreamModel, origin }: UpstreamRequest,
  trace: CallTrace,
  { admitted: { call }, channel }: Going,
): readonly string[] => {
  const { channelId, type: channelType } = channel;
  const { operation, protocol } = call;
  const attempt = { operation, protocol, channelType, channelId, model: upstreamModel, origin };
  return ['traceparent', trace.dispatched(attempt)];
};

/** A request with the caller's headers that belong to it, and those of the channel on top. */
export const outgoingRequest = (request: UpstreamRequest, going: Going): UpstreamRequest => {
  const { admitted, channel, isPassed } = going;
  const own = isPassed ? passedHeaders(admitted) : [];
  const { trace } = admitted;
  const passed = trace === null ? own : [...tracedHeaders(request, trace, going), ...own];
  const { headerOverrides } = channel;
  if (passed.length === 0 && headerOverrides.length === 0) return request;
  const all = [...request.headers];
  for (let at = 0; at + 1 < passed.length; at += 2) {
    const [name = '', value = ''] = [passed[at], passed[at + 1]];
    if (!isNamed(request.headers, name)) all.push(name, value);
  }
  return { ...request, headers: overriddenHeaders(all, headerOverrides) };
};
