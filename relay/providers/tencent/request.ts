import { tencent as facts } from '../../../domain/channel/providers/tencent.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { defined } from '../../protocol/json.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import { unknownMembers } from '../shared/chat-request.ts';
import { embeddingTexts } from '../shared/embeddings.ts';
import { messagesOf, stopsOf } from '../shared/messages.ts';
import { baseOf, keyParts, withOverrides } from '../shared/outgoing.ts';
import type { TranslationContext } from '../translate.ts';
import { tencentMessages, toolMembers } from './messages.ts';
import { tc3Authorization } from './signature.ts';

const base = facts.baseUrl;
const version = '2023-09-01';

/** Upstream has no limit on the answer's length. */
const chatBody = ({ call }: TranslationContext): JsonObject => {
  const { body, isStream, upstreamModel } = call;
  const stops = stopsOf(body);
  return defined({
    Model: upstreamModel,
    Messages: tencentMessages(messagesOf(body)),
    Stream: isStream,
    TopP: body.top_p,
    Temperature: body.temperature,
    Seed: body.seed,
    Stop: stops.length === 0 ? undefined : stops,
    ...toolMembers(body),
    ...unknownMembers(body),
  });
};

const embeddingBody = ({ call }: TranslationContext): JsonObject => {
  const texts = embeddingTexts(call.body);
  return texts.length === 1 ? { Input: texts[0] } : { InputList: texts };
};

/**
 * Signed last, over the bytes and the host that are called.
 * @throws a refusal for keys that are not three parts.
 */
export const tencentRequest = (context: TranslationContext): HttpRequest => {
  const { call, channel, io } = context;
  const [, secretId = '', secretKey = ''] = keyParts(channel, 3);
  const isEmbedding = call.operation === 'embeddings';
  const action = isEmbedding ? 'GetEmbedding' : 'ChatCompletions';
  const content = isEmbedding ? embeddingBody(context) : chatBody(context);
  const body = JSON.stringify(withOverrides(content, context));
  const url = `${baseOf(channel, base)}/`;
  const now = io.now();
  const signed = { host: new URL(url).host, action, body, now };
  return {
    method: 'POST',
    url,
    headers: {
      authorization: tc3Authorization(signed, { secretId, secretKey }),
      'content-type': 'application/json',
      accept: call.isStream ? 'text/event-stream' : 'application/json',
      'x-tc-action': action,
      'x-tc-version': version,
      'x-tc-timestamp': String(Math.floor(now.getTime() / 1_000)),
    },
    body,
  };
};
