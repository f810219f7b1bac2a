import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectAt, parseObject, textAt } from '../../protocol/json.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { redact, unusableReply, upstreamFailure } from '../shared/failure.ts';
import { bearer } from '../shared/outgoing.ts';
import type { TranslationContext } from '../translate.ts';

const pollMs = 3_000;
/** Ten minutes of waiting, as long as the slowest models need. */
const maxPolls = 200;

const isRunning = ({ status }: JsonObject): boolean =>
  status === 'starting' || status === 'processing';

/** The key goes to the provider's own hosts and to no other host that an answer may name. */
export const keyFor = (
  url: string,
  { channel }: TranslationContext,
): Readonly<Record<string, string>> => {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const { baseUrl } = channel.settings;
  const isOwn = /(^|\.)replicate\.com$/.test(host) || (baseUrl !== '' && url.startsWith(baseUrl));
  return isOwn ? bearer(channel) : {};
};

const failed = (prediction: JsonObject): ApiError => {
  const reported = textAt(prediction, 'error');
  return unusableReply(reported === '' ? 'The prediction failed' : redact(reported));
};

/** A prediction with the address of its progress; null: the answer is no prediction. */
const readPrediction = (answer: HttpReply): Readonly<{ own: JsonObject; url: string }> | null => {
  const own = parseObject(answer.body.toString('utf8'));
  if (own === null) return null;
  const url = textAt(objectAt(own, 'urls'), 'get');
  return url === '' && isRunning(own) ? null : { own, url };
};

/** The prediction when it has ended, polled until then. */
export const finished = async (
  reply: HttpReply,
  context: TranslationContext,
): Promise<JsonObject | ApiError> => {
  const { io } = context;
  let answer = reply;
  for (let polls = 0; polls <= maxPolls; polls += 1) {
    if (answer.status < 200 || answer.status > 299) return upstreamFailure(answer);
    const prediction = readPrediction(answer);
    if (prediction === null) return unusableReply();
    const { own, url } = prediction;
    if (!isRunning(own)) return own.status === 'succeeded' ? own : failed(own);
    await io.pause(pollMs);
    const headers = { accept: 'application/json', ...keyFor(url, context) };
    answer = await io.fetch({ method: 'GET', url, headers, body: null });
  }
  return {
    status: 504,
    message: 'The prediction took too long',
    type: 'upstream_error',
    code: 'timeout',
  };
};
