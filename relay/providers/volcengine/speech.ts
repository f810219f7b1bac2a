import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, numberAt, objectAt, textAt } from '../../protocol/json.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import { redact } from '../shared/failure.ts';
import { baseOf, jsonRequest, keyParts } from '../shared/outgoing.ts';
import { formatIn, type SpeechApi, voiceIn } from '../shared/speech.ts';
import type { TranslationContext } from '../translate.ts';

const speechHost = 'https://openspeech.bytedance.com';
const defaultCluster = 'volcano_tts';
/** A placeholder to be filled in: only the header is read. */
const anyToken = 'access_token';
const anyUser = 'user';
const fine = 3000;

const formats: ReadonlyMap<string, string> = new Map([
  ['mp3', 'mp3'],
  ['wav', 'wav'],
  ['pcm', 'pcm'],
  ['opus', 'ogg_opus'],
]);

const statuses: ReadonlyMap<number, number> = new Map([
  [3001, 400],
  [3003, 429],
  [3005, 503],
  [3006, 400],
  [3010, 400],
  [3011, 400],
  [3030, 504],
  [3031, 502],
  [3032, 504],
  [3040, 502],
  [3050, 400],
]);

/** Speech has a separate host; an operator's own address is used for both. */
const hostOf = (channel: UpstreamChannel): string => {
  const base = baseOf(channel, speechHost);
  return new URL(base).hostname.endsWith('.volces.com') ? speechHost : base;
};

/** A model of that name is the cluster that makes the voice: cloned ones have another. */
const clusterOf = (model: string): string =>
  model.startsWith('volcano_') ? model : defaultCluster;

const request = (context: TranslationContext): HttpRequest => {
  const { call, channel, io } = context;
  const { body } = call;
  const [appid = '', token = ''] = keyParts(channel, 2);
  const audio = { voice_type: voiceIn(body) || undefined, speed_ratio: body.speed };
  return jsonRequest(context, {
    url: `${hostOf(channel)}/api/v1/tts`,
    headers: { authorization: `Bearer;${token}` },
    body: {
      app: { appid, token: anyToken, cluster: clusterOf(call.upstreamModel) },
      user: { uid: textAt(body, 'user') || anyUser },
      audio: {
        ...defined(audio),
        ...objectAt(body, 'audio'),
        encoding: formatIn(body, formats),
      },
      request: {
        ...objectAt(body, 'request'),
        reqid: io.newId(),
        text: body.input,
        operation: 'query',
      },
    },
  });
};

/** Errors may have HTTP status 200 as well; `code` identifies them. */
const refusal = (answer: JsonObject): ApiError | null => {
  const code = numberAt(answer, 'code');
  if (code === null || code === fine || textAt(answer, 'reqid') === '') return null;
  return {
    status: statuses.get(code) ?? 502,
    message: redact(textAt(answer, 'message') || `error ${code}`),
    type: 'upstream_error',
    code,
  };
};

const sound = (answer: JsonObject): Buffer => Buffer.from(textAt(answer, 'data'), 'base64');

/** Speech by VolcEngine's own API; the key is `appid|token`. */
export const volcEngineSpeech: SpeechApi = { request, refusal, sound };
