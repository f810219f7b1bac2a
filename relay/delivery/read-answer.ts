import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { Usage } from '../../domain/pricing/types.ts';
import type { FamilySettings } from '../feeds/family-settings.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { sharedText } from '../offload/shared-bytes.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import type { JsonObject, OpenAiCall } from '../protocol/canonical.ts';
import { parseObject } from '../protocol/json.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { resolveTransport } from '../providers/transport.ts';
import { countTokens } from '../settlement/count-tokens.ts';
import { producedText } from '../settlement/stream-text.ts';
import type { HttpReply, ProviderIo } from '../upstream/types.ts';
import type { EncoderFacts } from './encoder.ts';
import { encoderFor, withUsage } from './encoder.ts';

/** An answer in one piece, read and written in the caller's protocol. */
export type ReadAnswer = Readonly<{
  usage: ReportedUsage | null;
  /** In OpenAI's shape while its usage is still to be counted, else in the caller's protocol. */
  bytes: Buffer;
  isEncoded: boolean;
  /** Tokens that were produced; null where the provider reported them. */
  producedTokens: number | null;
}>;

/** Reading and writing long answers on another thread; calls outside go by a port (`remote-io.ts`). */
export type AnswerJobs = {
  'read-answer': {
    input: Readonly<{
      channel: UpstreamChannel;
      families: FamilySettings;
      call: OpenAiCall;
      reply: HttpReply;
      facts: EncoderFacts;
      startedAtMs: number;
    }>;
    output: ReadAnswer | ApiError;
  };
  'encode-answer': {
    input: Readonly<{ bytes: Buffer; usage: Usage; facts: EncoderFacts }>;
    output: Buffer;
  };
};

type Reading = AnswerJobs['read-answer']['input'];
type Encoding = AnswerJobs['encode-answer']['input'];

const unreadable = relayError('bad_response_body', 'The upstream answer cannot be read');

const producedTokens = async (
  body: JsonObject,
  { call }: Reading,
  isReported: boolean,
): Promise<number | null> =>
  isReported ? null : countTokens(producedText(body), call.upstreamModel);

/**
 * Reads a long answer as its adapter does and writes it for the caller on another thread, so that
 * only bytes are returned.
 */
export const readAnswer = async (
  reading: Reading,
  io: ProviderIo,
): Promise<ReadAnswer | ApiError> => {
  const { channel, call, reply, families, facts } = reading;
  const transport = resolveTransport(channel, facts.call);
  if (transport === null || transport.kind !== 'translated') return unreadable;
  const answer = await transport.adapter.reply(reply, { call, channel, settings: families, io });
  if (!('contentType' in answer) || isApiError(answer)) return answer;
  const { body, usage } = answer;
  if (Buffer.isBuffer(body)) return unreadable;
  const isEncoded = usage !== null;
  const encoded = isEncoded ? encoderFor(facts).whole(body) : body;
  return {
    usage,
    bytes: sharedText(JSON.stringify(encoded)),
    isEncoded,
    producedTokens: await producedTokens(body, reading, isEncoded),
  };
};

/** The same answer once its usage was counted. */
export const encodeAnswer = async ({ bytes, usage, facts }: Encoding): Promise<Buffer> => {
  const body = parseObject(bytes.toString('utf8')) ?? {};
  const encoded = encoderFor(facts).whole(withUsage(body, { usage }));
  return sharedText(JSON.stringify(encoded));
};
