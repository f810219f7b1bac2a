import { type ApiError, gatewayError } from '../ingress/api-error.ts';
import { countTokens } from '../metering/count-tokens.ts';
import { producedText } from '../metering/stream-text.ts';
import type { Jobs, ReadAnswer } from '../offload/jobs.ts';
import { sharedText } from '../offload/shared-bytes.ts';
import { wayFor } from '../providers/registry.ts';
import { parseObject } from '../providers/shared/json.ts';
import { isApiError } from '../providers/shared/refusal.ts';
import type { JsonObject, ProviderIo } from '../providers/translate.ts';
import { voiceFor, withUsage } from './voice.ts';

type Reading = Jobs['read-answer']['input'];
type Telling = Jobs['tell-answer']['input'];

const unreadable = gatewayError(502, 'bad_response_body', 'The upstream answer cannot be read');

const producedTokens = async (
  body: JsonObject,
  { call }: Reading,
  isReported: boolean,
): Promise<number | null> =>
  isReported ? null : countTokens(producedText(body), call.upstreamModel);

/**
 * Reads a long answer as its adapter does and writes it for the caller: on another thread, so that
 * nothing but bytes comes back.
 */
export const readAnswer = async (
  reading: Reading,
  io: ProviderIo,
): Promise<ReadAnswer | ApiError> => {
  const { channel, call, reply, families, facts } = reading;
  const way = wayFor(channel, facts.call);
  if (way === null || way.kind !== 'translated') return unreadable;
  const answer = await way.adapter.reply(reply, { call, channel, settings: families, io });
  if (!('contentType' in answer) || isApiError(answer)) return answer;
  const { body, usage } = answer;
  if (Buffer.isBuffer(body)) return unreadable;
  const isTold = usage !== null;
  const told = isTold ? voiceFor(facts).whole(body) : body;
  return {
    usage,
    bytes: sharedText(JSON.stringify(told)),
    isTold,
    producedTokens: await producedTokens(body, reading, isTold),
    text: reading.wantsText ? producedText(body) : null,
  };
};

/** The same answer once its usage was counted. */
export const tellAnswer = async ({ bytes, usage, facts }: Telling): Promise<Buffer> => {
  const body = parseObject(bytes.toString('utf8')) ?? {};
  const told = voiceFor(facts).whole(withUsage(body, { usage }));
  return sharedText(JSON.stringify(told));
};
