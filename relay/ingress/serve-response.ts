import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import { refusedAnswer } from '../delivery/failures.ts';
import { channelKeyForms } from '../delivery/key-forms.ts';
import { masked } from '../delivery/key-mask.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { KeptResponse } from '../kept-responses/kept-responses.ts';
import { storeAway } from '../kept-responses/previous-input.ts';
import { inputItemList } from '../kept-responses/shown.ts';
import { sendBytes, sendJson } from '../protocol/answer-head.ts';
import { type ApiError, isApiError, sendError } from '../protocol/api-error.ts';
import type { TextCall } from '../protocol/calls.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { scanBody } from '../protocol/scan-body.ts';
import { providerOf } from '../providers/registry.ts';
import type { HttpReply, HttpRequest } from '../upstream/types.ts';
import type { ResponseRoute } from './routes.ts';

type Asked = Readonly<{ route: ResponseRoute; caller: Caller }>;

const notFound = (id: string): ApiError => ({
  ...relayError('not_found', `Response with id '${id.slice(0, 256)}' not found.`),
  type: 'invalid_request_error',
  param: 'id',
});
const queryOf = ({ req }: Incoming): URLSearchParams =>
  new URL(req.url ?? '/', 'http://localhost').searchParams;

const ownAnswer = async (
  core: RelayCore,
  incoming: Incoming,
  { route, own }: Readonly<{ route: ResponseRoute; own: NonNullable<KeptResponse['own']> }>,
): Promise<JsonObject> => {
  const { id, wanted } = route;
  if (wanted === 'input-items') return inputItemList(own.input, queryOf(incoming));
  if (wanted === 'response') return own.response;
  await core.keptResponses.remove(id);
  return { id, object: 'response', deleted: true };
};

const empty = Buffer.from('{}');

/** A call without a body, to be written in the form of its provider. */
const bare = (path: string): TextCall | null => {
  const scan = scanBody(empty);
  if (scan === null) return null;
  return {
    operation: 'responses',
    protocol: 'openai',
    path,
    clientPath: path,
    model: '',
    body: empty,
    scan,
    isStream: false,
    contentType: 'application/json',
    accept: 'application/json',
  };
};

const pairs = (list: readonly string[]): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < list.length; at += 2) headers[list[at] ?? ''] = list[at + 1] ?? '';
  return headers;
};

const requestTo = (
  core: RelayCore,
  channel: UpstreamChannel,
  { path, method }: Readonly<{ path: string; method: 'GET' | 'DELETE' }>,
): HttpRequest | ApiError | null => {
  const call = bare(path);
  const adapter = providerOf(channel.type)?.responses;
  if (call === null || adapter === undefined) return null;
  const asked = adapter.request(call, channel, core.options.current());
  if (isApiError(asked)) return asked;
  const url = asked.origin + asked.path;
  return { method, url, headers: pairs(asked.headers), body: null };
};

/** The provider's own answer; null: its channel is gone. */
const providerAnswer = async (
  core: RelayCore,
  incoming: Incoming,
  found: KeptResponse,
): Promise<HttpReply | ApiError | null> => {
  if (found.channelId === null) return null;
  const channel = core.channels.table().channel(found.channelId);
  if (channel?.enabled !== true) return null;
  const method = incoming.req.method === 'DELETE' ? 'DELETE' : 'GET';
  const request = requestTo(core, channel, { path: incoming.req.url ?? '', method });
  if (request === null || isApiError(request)) return request;
  const reply = await core.providerIo(channel.proxy).fetch(request);
  const forms = channelKeyForms(channel);
  if (reply.status >= 200 && reply.status <= 299) {
    return { ...reply, body: masked(reply.body, forms) };
  }
  const error = providerOf(channel.type)?.responses?.failure(reply.status, reply.body);
  return error === undefined ? null : refusedAnswer(channel, reply.status, error).error;
};

const answer = async (core: RelayCore, incoming: Incoming, asked: Asked): Promise<void> => {
  const { res, requestId } = incoming;
  const { route, caller } = asked;
  const found = await core.keptResponses.find(route.id);
  if (found === null || found.userId !== caller.account.userId) {
    sendError(res, notFound(route.id), requestId);
    return;
  }
  const { own } = found;
  if (own !== null) {
    const body = await ownAnswer(core, incoming, { route, own });
    sendJson(incoming, 200, body);
    return;
  }
  const reply = await providerAnswer(core, incoming, found);
  if (reply === null) sendError(res, notFound(route.id), requestId);
  else if (isApiError(reply)) sendError(res, reply, requestId);
  else sendBytes(incoming, reply.status, reply.body);
};

/** Shows or removes a response that was kept; nothing is charged. */
export const serveResponse = (core: RelayCore, incoming: Incoming, asked: Asked): void => {
  const { res, requestId } = incoming;
  answer(core, incoming, asked).catch((error: unknown) => {
    core.logger.warn({ requestId, err: error }, 'a kept response could not be reached');
    sendError(res, storeAway, requestId);
  });
};
