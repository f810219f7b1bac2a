import { doubaoVideo as facts } from '../../../../domain/channel/providers/doubao-video.ts';
import { numberAt, objectAt, textAt } from '../../../protocol/json.ts';
import { bearer } from '../outgoing.ts';
import {
  aspectOf,
  pictureText,
  sidesOf,
  type VideoAdapter,
  type VideoCall,
  type VideoContext,
  type VideoStatus,
  videoProblem,
} from './video-adapter.ts';

/* Volcengine Ark: POST, GET and DELETE /api/v3/contents/generations/tasks. */

const path = '/api/v3/contents/generations/tasks';
const resolutions: ReadonlySet<number> = new Set([480, 720, 1080]);
const [fewest, most] = [2, 15];

const shortSide = (size: string): number => Math.min(...sidesOf(size));

/**
 * The prompt may contain length and size as commands, which the provider would follow; what is
 * charged is what the members state.
 */
const commands = /--\s*(?:rs|resolution|rt|ratio|dur|duration|frames|fps|framespersecond)\b/i;

const states: Readonly<Record<string, VideoStatus['state']>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'failed',
};

const ofTask = (method: 'GET' | 'DELETE', id: string, context: VideoContext): VideoCall => ({
  method,
  path: `${path}/${encodeURIComponent(id)}`,
  headers: bearer(context.channel),
  body: null,
});

export const doubaoVideos: VideoAdapter = {
  baseUrl: facts.baseUrl,
  defaults: { seconds: 5, size: '1280x720' },
  problem: ({ prompt, seconds, size }) => {
    if (seconds < fewest || seconds > most) {
      return videoProblem('seconds', `This model makes videos of ${fewest} to ${most} seconds`);
    }
    if (commands.test(prompt)) {
      return videoProblem(
        'prompt',
        'Length and size are set by seconds and size, not in the prompt',
      );
    }
    if (aspectOf(size) !== null && resolutions.has(shortSide(size))) return null;
    const sides = [...resolutions].join(', ');
    return videoProblem(
      'size',
      `This model makes 16:9, 9:16 and 1:1 with a short side of ${sides}`,
    );
  },
  create: ({ prompt, model, seconds, size, picture }, { channel }) => {
    const text = { type: 'text', text: prompt };
    const url = picture === null ? null : pictureText(picture);
    const content = url === null ? [text] : [text, { type: 'image_url', image_url: { url } }];
    const frame = { resolution: `${shortSide(size)}p`, ratio: aspectOf(size), duration: seconds };
    return { method: 'POST', path, headers: bearer(channel), body: { model, content, ...frame } };
  },
  accepted: (answer) => textAt(answer, 'id') || null,
  poll: (upstreamId, context) => ofTask('GET', upstreamId, context),
  status: (answer) => {
    const name = textAt(answer, 'status');
    const state = states[name];
    if (state === undefined) return null;
    const error = objectAt(answer, 'error');
    const code = textAt(error, 'code') || name;
    const message = textAt(error, 'message') || `The task is ${name}`;
    const hasEnded = state === 'done' || state === 'failed';
    return {
      state,
      percent: null,
      finishedAt: hasEnded ? (numberAt(answer, 'updated_at') ?? 0) : 0,
      error: state === 'failed' ? { code, message } : null,
      url: textAt(objectAt(answer, 'content'), 'video_url'),
      expiresAt: 0,
    };
  },
  remove: (upstreamId, context) => ofTask('DELETE', upstreamId, context),
};
