import type { ApiError } from '../../ingress/api-error.ts';
import { discreet, unusableReply, upstreamFailure } from '../shared/failure.ts';
import { objectAt, parseObject, textAt } from '../shared/json.ts';
import { bearer } from '../shared/outgoing.ts';
import type { HttpReply, JsonObject, TranslationContext } from '../translate.ts';

const pollMs = 3_000;
/** Ten minutes of waiting, as long as the slowest models need. */
const mostPolls = 200;

const isRunning = ({ status }: JsonObject): boolean =>
  status === 'starting' || status === 'processing';

/** The key goes to the provider's own hosts and to nobody else that an answer may name. */
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
  const said = textAt(prediction, 'error');
  return unusableReply(said === '' ? 'The prediction failed' : discreet(said));
};

/** The prediction when it has come to its end, asked for again and again until then. */
export const finished = async (
  reply: HttpReply,
  context: TranslationContext,
): Promise<JsonObject | ApiError> => {
  const { io } = context;
  let answer = reply;
  for (let polls = 0; polls <= mostPolls; polls += 1) {
    if (answer.status < 200 || answer.status > 299) return upstreamFailure(answer);
    const prediction = parseObject(answer.body.toString('utf8'));
    if (prediction === null) return unusableReply();
    if (!isRunning(prediction)) {
      return prediction.status === 'succeeded' ? prediction : failed(prediction);
    }
    const url = textAt(objectAt(prediction, 'urls'), 'get');
    if (url === '') return unusableReply();
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
