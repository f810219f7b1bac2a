import { anthropic as facts } from '../../../domain/channel/providers/anthropic.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import { claudeReply } from '../shared/claude/reply.ts';
import { claudeBody, claudeHeaders } from '../shared/claude/request.ts';
import { claudeSse } from '../shared/claude/stream.ts';
import { upstreamFailure } from '../shared/failure.ts';
import { baseOf, jsonRequest } from '../shared/outgoing.ts';
import { runSse } from '../shared/run-stream.ts';
import type { TranslatingAdapter, TranslationContext } from '../translate.ts';

const version = '2023-06-01';

const request = async (context: TranslationContext): Promise<HttpRequest> => {
  const { channel } = context;
  return jsonRequest(context, {
    url: `${baseOf(channel, facts.baseUrl)}/v1/messages`,
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
