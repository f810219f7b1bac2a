import { claudeReply } from '../shared/claude/reply.ts';
import { claudeBody, claudeHeaders } from '../shared/claude/request.ts';
import { claudeSse } from '../shared/claude/stream.ts';
import { upstreamFailure } from '../shared/failure.ts';
import { baseOf, jsonRequest } from '../shared/outgoing.ts';
import { orRefusal } from '../shared/refusal.ts';
import { runSse } from '../shared/run-stream.ts';
import type { HttpRequest, TranslatingAdapter, TranslationContext } from '../translate.ts';

const version = '2023-06-01';

const request = async (context: TranslationContext): Promise<HttpRequest> => {
  const { channel } = context;
  return jsonRequest(context, {
    url: `${baseOf(channel, 'https://api.anthropic.com')}/v1/messages`,
    headers: {
      'x-api-key': channel.key,
      'anthropic-version': version,
      ...claudeHeaders(context),
    },
    body: await claudeBody(context),
  });
};

/** The Messages API; the older completion API is gone and its models with it. */
export const anthropic: TranslatingAdapter = {
  operations: ['chat'],
  request: (context) => orRefusal(() => request(context)),
  reply: async (reply, context) => claudeReply(reply, context),
  stream: (context) => runSse(claudeSse(context)),
  failure: upstreamFailure,
};
