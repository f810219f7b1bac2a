import type { ApiError } from '../../protocol/api-error.ts';
import type { TextCall } from '../../protocol/calls.ts';
import { isObject, parseObject, textAt } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpRequest, ProviderIo } from '../../upstream/types.ts';
import { withMembers, withoutMembers } from '../shared/byte-overrides.ts';
import {
  nativeBetaFlags,
  nativeClaudeBody,
  nativeClaudeModel,
} from '../shared/claude/native-body.ts';
import { reportedClaude } from '../shared/claude/usage.ts';
import { messagesWire } from '../shared/claude/wire.ts';
import { redact, upstreamFailure } from '../shared/failure.ts';
import { createMediaLoader, type MediaLoader } from '../shared/media.ts';
import type { EnvelopeContext, EnvelopedAdapter } from '../types.ts';
import { createFrameReader, type Frame } from './frames.ts';
import { isClaude, modelId } from './models.ts';
import { invocationOf } from './request.ts';

const bodyOf = (call: TextCall, { channel, options, upstreamModel }: EnvelopeContext): Buffer => {
  const own = nativeClaudeBody(call, upstreamModel, { channel, options });
  const flags = nativeBetaFlags(call, options);
  const set = new Map([['anthropic_version', '"bedrock-2023-05-31"']]);
  if (flags.length > 0) set.set('anthropic_beta', JSON.stringify(flags));
  // The address contains the name, and whether the answer is streamed.
  return withMembers(withoutMembers(own, ['model', 'stream', 'service_tier']), set);
};

const urlSource = /"type"\s*:\s*"url"/;

/** This host fetches nothing: files by address go up as bytes. @throws refusals */
const withFiles = async (value: unknown, load: MediaLoader): Promise<unknown> => {
  if (Array.isArray(value)) return Promise.all(value.map((own) => withFiles(own, load)));
  if (!isObject(value)) return value;
  if (value.type === 'url' && typeof value.url === 'string') {
    const { mimeType, data } = await load(value.url);
    return { type: 'base64', media_type: mimeType, data };
  }
  const members = Object.entries(value).map(
    async ([name, own]) => [name, await withFiles(own, load)] as const,
  );
  return Object.fromEntries(await Promise.all(members));
};

const inlined = async (body: Buffer, io: ProviderIo): Promise<string> => {
  const text = body.toString('utf8');
  if (!urlSource.test(text)) return text;
  const parsed = parseObject(text) ?? {};
  const messages = await withFiles(parsed.messages, createMediaLoader(io));
  return JSON.stringify({ ...parsed, messages });
};

const request = async (call: TextCall, context: EnvelopeContext): Promise<HttpRequest> =>
  invocationOf(context, {
    model: nativeClaudeModel(context.upstreamModel, context.options),
    isStream: call.isStream,
    body: () => inlined(bodyOf(call, context), context.io),
  });

const eventOf = ({ headers, payload }: Frame): string => {
  const outer = parseObject(payload.toString('utf8')) ?? {};
  if (headers[':message-type'] !== 'event') {
    const type = headers[':exception-type'] ?? headers[':error-code'] ?? 'upstream_error';
    const message = redact(textAt(outer, 'message') || headers[':error-message'] || type);
    return `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message } })}\n\n`;
  }
  const json = Buffer.from(textAt(outer, 'bytes'), 'base64').toString('utf8');
  const type = textAt(parseObject(json) ?? {}, 'type');
  return `event: ${type}\ndata: ${json}\n\n`;
};

/** Converts binary frames of the host to events of the Messages protocol. */
const unwrap = (): ((bytes: Buffer) => Buffer | null) => {
  const frames = createFrameReader();
  return (bytes) => {
    const whole = frames.push(bytes);
    return whole === null ? null : Buffer.from(whole.map(eventOf).join(''));
  };
};

const claudeOnBedrock: EnvelopedAdapter = {
  request: (call, context) => orRefusal(() => request(call, context)),
  usage: (reported) => (isObject(reported) ? reportedClaude(reported) : null),
  failure: (status, body): ApiError => upstreamFailure({ status, headers: {}, body }),
  wire: messagesWire,
  unwrap,
};

/** Callers of the Messages API on this host's Claude: their messages are sent unchanged. */
export const bedrockEnvelope = (
  protocol: string,
  upstreamModel: string,
): EnvelopedAdapter | null =>
  protocol === 'claude' && isClaude(modelId(upstreamModel, '')) ? claudeOnBedrock : null;
