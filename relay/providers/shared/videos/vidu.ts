import { vidu as facts } from '../../../../domain/channel/providers/vidu.ts';
import { objectsAt, textAt } from '../../../protocol/json.ts';
import {
  aspectOf,
  pictureText,
  sidesOf,
  type VideoAdapter,
  type VideoContext,
  type VideoStatus,
  videoProblem,
} from './video-adapter.ts';

/* Vidu: POST /ent/v2/text2video or /ent/v2/img2video, GET /ent/v2/tasks/{id}/creations. */

const path = '/ent/v2';
/** Models differ: what one of them does not make, the provider refuses. */
const maxSeconds = 16;
const resolutions: ReadonlySet<number> = new Set([360, 540, 720, 1080]);

const headersOf = ({ channel }: VideoContext) => ({ authorization: `Token ${channel.key}` });

const shortSide = (size: string): number => Math.min(...sidesOf(size));

const states: Readonly<Record<string, VideoStatus['state']>> = {
  created: 'queued',
  queueing: 'queued',
  processing: 'running',
  success: 'done',
  failed: 'failed',
};

export const viduVideos: VideoAdapter = {
  baseUrl: facts.baseUrl,
  defaults: { seconds: 5, size: '1920x1080' },
  problem: ({ seconds, size }) => {
    if (seconds > maxSeconds) {
      return videoProblem('seconds', `This model makes videos of 1 to ${maxSeconds} seconds`);
    }
    if (aspectOf(size) !== null && resolutions.has(shortSide(size))) return null;
    const sides = [...resolutions].join(', ');
    return videoProblem(
      'size',
      `This model makes 16:9, 9:16 and 1:1 with a short side of ${sides}`,
    );
  },
  create: ({ prompt, model, seconds, size, picture }, context) => {
    // The ratio of a video that begins with a picture is that of the picture.
    const frame =
      picture === null ? { aspect_ratio: aspectOf(size) } : { images: [pictureText(picture)] };
    const body = { model, prompt, duration: seconds, resolution: `${shortSide(size)}p`, ...frame };
    const kind = picture === null ? 'text2video' : 'img2video';
    return { method: 'POST', path: `${path}/${kind}`, headers: headersOf(context), body };
  },
  accepted: (answer) =>
    textAt(answer, 'state') === 'failed' ? null : textAt(answer, 'task_id') || null,
  poll: (upstreamId, context) => ({
    method: 'GET',
    path: `${path}/tasks/${encodeURIComponent(upstreamId)}/creations`,
    headers: headersOf(context),
    body: null,
  }),
  status: (answer) => {
    const state = states[textAt(answer, 'state')];
    if (state === undefined) return null;
    const [creation = {}] = objectsAt(answer, 'creations');
    const code = textAt(answer, 'err_code') || 'video_generation_failed';
    const error = state === 'failed' ? { code, message: `The provider reported: ${code}` } : null;
    const url = textAt(creation, 'url');
    return { state, percent: null, finishedAt: 0, error, url, expiresAt: 0 };
  },
};
