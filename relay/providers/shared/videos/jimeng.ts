import { jimeng as facts } from '../../../../domain/channel/providers/jimeng.ts';
import { isApiError } from '../../../protocol/api-error.ts';
import { numberAt, objectAt, textAt } from '../../../protocol/json.ts';
import { baseAddress } from '../base-address.ts';
import { signVolcengine } from '../volcengine-signature.ts';
import {
  aspectOf,
  pictureBytes,
  sidesOf,
  type VideoAdapter,
  type VideoCall,
  type VideoContext,
  type VideoPicture,
  type VideoStatus,
  videoProblem,
} from './video-adapter.ts';

/*
 * Jimeng in Volcengine's OpenAPI: POST /?Action=CVSync2AsyncSubmitTask, POST
 * /?Action=CVSync2AsyncGetResult. A model is a `req_key`, and how sharp its videos are goes by it:
 * the size names the ratio alone.
 */

const framesPerSecond = 24;
const lengths: readonly number[] = [5, 10];
const sides: ReadonlySet<number> = new Set([720, 1080]);
const accepted = 10_000;

/** Refusals of the requested or generated content; every other code may be temporary. */
const finalCodes: ReadonlySet<number> = new Set([
  ...[50_411, 50_412, 50_413, 50_511, 50_512, 50_518, 50_519, 50_520, 50_521, 50_522],
]);

const signedCall = (action: string, body: object, { channel, now }: VideoContext): VideoCall => {
  const path = `/?Action=${action}&Version=2022-08-31`;
  const base = baseAddress(channel, facts.baseUrl);
  const [access = '', secret = ''] = channel.key.split('|').map((part) => part.trim());
  // A channel without a usable address is not called at all.
  const address = isApiError(base) ? facts.baseUrl : `${base.origin}${base.prefix}`;
  const url = new URL(`${address}${path}`);
  const headers = signVolcengine({ url, body: JSON.stringify(body), now, access, secret });
  return { method: 'POST', path, headers, body };
};

/** `jimeng_v30` and its variants stand for the key that makes videos of a text, or of a picture. */
const requestKey = (model: string, picture: VideoPicture | null): string => {
  if (model === 'jimeng_v30_pro') return 'jimeng_ti2v_v30_pro';
  if (!model.startsWith('jimeng_v30')) return model;
  const rest = model.slice('jimeng_v30'.length);
  // Keys for pictures write 1080 for 1080p.
  return picture === null
    ? `jimeng_t2v_v30${rest}`
    : `jimeng_i2v_first_v30${rest.replace(/p$/, '')}`;
};

const pictureMember = (picture: VideoPicture): object => {
  const bytes = pictureBytes(picture);
  if (bytes !== null) return { binary_data_base64: [bytes.base64] };
  return { image_urls: picture.kind === 'url' ? [picture.url] : [] };
};

const states: Readonly<Record<string, VideoStatus['state']>> = {
  in_queue: 'queued',
  generating: 'running',
  done: 'done',
  not_found: 'failed',
  expired: 'failed',
};

const failed = (code: string, message: string): VideoStatus => ({
  state: 'failed',
  percent: null,
  finishedAt: 0,
  error: { code, message },
  url: '',
  expiresAt: 0,
});

export const jimengVideos: VideoAdapter = {
  baseUrl: facts.baseUrl,
  defaults: { seconds: 5, size: '1280x720' },
  problem: ({ seconds, size }) => {
    if (!lengths.includes(seconds)) {
      return videoProblem('seconds', `This model makes videos of ${lengths.join(' or ')} seconds`);
    }
    if (aspectOf(size) !== null && sides.has(Math.min(...sidesOf(size)))) return null;
    return videoProblem(
      'size',
      'This model makes 16:9, 9:16 and 1:1 with a short side of 720 or 1080',
    );
  },
  create: ({ prompt, model, seconds, size, picture }, context) => {
    // The ratio of a video that begins with a picture is that of the picture.
    const frame = picture === null ? { aspect_ratio: aspectOf(size) } : pictureMember(picture);
    const frames = framesPerSecond * seconds + 1;
    const body = { req_key: requestKey(model, picture), prompt, seed: -1, frames, ...frame };
    return signedCall('CVSync2AsyncSubmitTask', body, context);
  },
  // Both identify it.
  accepted: (answer, { model, picture }) => {
    const id = textAt(objectAt(answer, 'data'), 'task_id');
    const isTaken = numberAt(answer, 'code') === accepted && id !== '';
    return isTaken ? `${requestKey(model, picture)}/${id}` : null;
  },
  poll: (upstreamId, context) => {
    const [req_key = '', task_id = ''] = upstreamId.split('/');
    return signedCall('CVSync2AsyncGetResult', { req_key, task_id }, context);
  },
  readsRefusals: true,
  status: (answer) => {
    const code = numberAt(answer, 'code') ?? 0;
    const message = textAt(answer, 'message') || 'The provider gave no reason';
    if (finalCodes.has(code)) return failed(String(code), message);
    const data = objectAt(answer, 'data');
    const status = textAt(data, 'status');
    const state = code === accepted ? states[status] : undefined;
    if (state === undefined) return null;
    if (state === 'failed') return failed(status, `The task is ${status}`);
    const url = textAt(data, 'video_url');
    return { state, percent: null, finishedAt: 0, error: null, url, expiresAt: 0 };
  },
};
