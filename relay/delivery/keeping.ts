import { inputItems, isKeptByRequest } from '../kept-responses/asked-to-keep.ts';
import { type KeptResponses, maxKeptBytes } from '../kept-responses/kept-responses.ts';
import type { JsonObject, OpenAiCall } from '../protocol/canonical.ts';
import { parseObject } from '../protocol/json.ts';
import { type EncoderFacts, factsOf } from './encoder.ts';
import type { ReplyHost } from './reply.ts';

/** A kept response is read later, when nothing else identifies the channel that made it. */
const withoutKeys = (host: ReplyHost, response: JsonObject): JsonObject => {
  const bytes = Buffer.from(JSON.stringify(response));
  const masked = host.masked(bytes);
  return masked === bytes ? response : (parseObject(masked.toString('utf8')) ?? {});
};

const keeper = (kept: KeptResponses, host: ReplyHost) => {
  const { call, caller } = host.admitted;
  const { userId } = caller.account;
  return (response: JsonObject): void => {
    const shown = withoutKeys(host, response);
    kept.keep(shown, { userId, input: inputItems(call.body) });
  };
};

/**
 * What writes an answer, and keeps it where it is a response that its caller may name later. Words
 * that callers may not read are not kept for them.
 */
export const keepingFacts = (
  host: ReplyHost,
  call: Pick<OpenAiCall, 'response'>,
  kept: KeptResponses,
): EncoderFacts => {
  const { admitted, filter } = host;
  const facts = factsOf(admitted, call);
  const mayKeep =
    call.response !== undefined &&
    kept.keeps() &&
    filter.completion === null &&
    admitted.call.body.length <= maxKeptBytes &&
    isKeptByRequest(admitted.call);
  return mayKeep ? { ...facts, keep: keeper(kept, host) } : facts;
};
