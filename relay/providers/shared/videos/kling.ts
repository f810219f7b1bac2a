import { kling as facts } from '../../../../domain/channel/providers/kling.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../../../protocol/json.ts';
import { hmacSha256 } from '../hmac.ts';
import { bearer } from '../outgoing.ts';
import {
  aspectOf,
  pictureText,
  sidesOf,
  type VideoAdapter,
  type VideoContext,
  type VideoOrder,
  type VideoStatus,
  videoProblem,
} from './video-adapter.ts';

/*
 * Kling's API: POST /v1/videos/text2video or /v1/videos/image2video, GET the same with the id of the
 * task. The key is an access key and a secret, which sign a token (JWT, HS256) of half an hour.
 */

const tokenSeconds = 1_800;
/** Clocks differ by a few seconds. */
const earlySeconds = 5;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A key of one part is sent as it is. */
const authorization = ({ channel, now }: VideoContext): Readonly<{ authorization: string }> => {
  const [access = '', secret = ''] = channel.key.split('|').map((part) => part.trim());
  if (secret === '') return bearer(channel);
  const head = encoded({ alg: 'HS256', typ: 'JWT' });
  const claims = encoded({ iss: access, exp: now + tokenSeconds, nbf: now - earlySeconds });
  const signature = hmacSha256(secret, `${head}.${claims}`).toString('base64url');
  return { authorization: `Bearer ${head}.${claims}.${signature}` };
};

const lengths = [5, 10];
/** The quality goes by the shorter side. */
const modes: ReadonlyMap<number, string> = new Map([
  [720, 'std'],
  [1080, 'pro'],
]);

const modeOf = (size: string): string | undefined => modes.get(Math.min(...sidesOf(size)));

const kindOf = ({ picture }: Pick<VideoOrder, 'picture'>): string =>
  picture === null ? 'text2video' : 'image2video';

/** Pictures as data are given there without their type. */
const plainPicture = (picture: NonNullable<VideoOrder['picture']>): string =>
  pictureText(picture).replace(/^data:[^,]*,/, '');

const states: Readonly<Record<string, VideoStatus['state']>> = {
  submitted: 'queued',
  processing: 'running',
  succeed: 'done',
  failed: 'failed',
};

export const klingVideos: VideoAdapter = {
  baseUrl: facts.baseUrl,
  defaults: { seconds: 5, size: '1280x720' },
  problem: ({ seconds, size }) => {
    if (!lengths.includes(seconds)) {
      return videoProblem('seconds', `This model makes videos of ${lengths.join(' or ')} seconds`);
    }
    if (aspectOf(size) !== null && modeOf(size) !== undefined) return null;
    return videoProblem(
      'size',
      'This model makes 16:9, 9:16 and 1:1 with a short side of 720 or 1080',
    );
  },
  create: (order, context) => {
    const { prompt, model, seconds, size, picture } = order;
    // The ratio of a video that begins with a picture is that of the picture.
    const frame =
      picture === null ? { aspect_ratio: aspectOf(size) } : { image: plainPicture(picture) };
    return {
      method: 'POST',
      path: `/v1/videos/${kindOf(order)}`,
      headers: authorization(context),
      body: { model_name: model, prompt, ...frame, mode: modeOf(size), duration: String(seconds) },
    };
  },
  accepted: (answer, order) => {
    const id = textAt(objectAt(answer, 'data'), 'task_id');
    return numberAt(answer, 'code') === 0 && id !== '' ? `${kindOf(order)}/${id}` : null;
  },
  poll: (upstreamId, context) => ({
    method: 'GET',
    path: `/v1/videos/${upstreamId.split('/').map(encodeURIComponent).join('/')}`,
    headers: authorization(context),
    body: null,
  }),
  status: (answer) => {
    const data = objectAt(answer, 'data');
    const state = states[textAt(data, 'task_status')];
    if (state === undefined) return null;
    const [video = {}] = objectsAt(objectAt(data, 'task_result'), 'videos');
    const message = textAt(data, 'task_status_msg') || 'The provider gave no reason';
    const hasEnded = state === 'done' || state === 'failed';
    return {
      state,
      percent: null,
      finishedAt: hasEnded ? (numberAt(data, 'updated_at') ?? 0) / 1_000 : 0,
      error: state === 'failed' ? { code: 'video_generation_failed', message } : null,
      url: textAt(video, 'url'),
      expiresAt: 0,
    };
  },
};
