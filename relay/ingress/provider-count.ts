import type { Route } from '../admission/access.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import type { TextCall } from '../protocol/calls.ts';
import { parseObject } from '../protocol/json.ts';
import { largeBytes } from '../protocol/large-body.ts';
import { providerOf } from '../providers/registry.ts';
import type { PromptCounter } from '../providers/types.ts';
import { chooseChannel } from '../routing/choose.ts';
import type { UpstreamRequest } from '../upstream/types.ts';

const timeoutMs = 10_000;
const maxAnswerBytes = 65_536;

const headersOf = ({ headers }: UpstreamRequest): Readonly<Record<string, string>> => {
  const own: Record<string, string> = {};
  for (let at = 0; at + 1 < headers.length; at += 2) own[headers[at] ?? ''] = headers[at + 1] ?? '';
  return own;
};

const asked = async (
  { providerIo }: Pick<RelayCore, 'providerIo'>,
  { tokens }: PromptCounter,
  request: UpstreamRequest,
): Promise<number | null> => {
  const { status, body } = await providerIo(request.proxy).fetch({
    method: 'POST',
    url: request.origin + request.path,
    headers: headersOf(request),
    body: request.body,
    maxBytes: maxAnswerBytes,
    timeoutMs,
  });
  const answer = status === 200 ? parseObject(body.toString('utf8')) : null;
  const found = answer === null ? null : tokens(answer);
  return found !== null && Number.isSafeInteger(found) && found >= 0 ? found : null;
};

/**
 * The count of the provider that the call would go to, which charges nothing for it. null: it has
 * none for callers of this protocol, or does not give it. Long prompts are not sent up to be counted.
 */
export const providerCount = async (
  core: Pick<RelayCore, 'providerIo' | 'options' | 'logger' | 'coolDowns'>,
  call: TextCall,
  route: Route | ApiError,
): Promise<number | null> => {
  if (isApiError(route) || call.body.length >= largeBytes) return null;
  const channel = route.pinned ?? chooseChannel(core.coolDowns.available(route.tiers), []);
  if (channel === null) return null;
  const counter = providerOf(channel.type)?.counters?.[call.protocol];
  if (counter === undefined) return null;
  const request = counter.request(call, channel, core.options.current());
  if (isApiError(request)) return null;
  try {
    const tokens = await asked(core, counter, request);
    if (tokens !== null) return tokens;
  } catch (error) {
    core.logger.warn({ channelId: channel.channelId, err: error }, 'a provider did not count');
  }
  return null;
};
