import { sora as facts } from '../../../../domain/channel/providers/sora.ts';
import { numberAt, objectAt, textAt } from '../../../protocol/json.ts';
import { bearer } from '../outgoing.ts';
import type {
  VideoAdapter,
  VideoCall,
  VideoContext,
  VideoOrder,
  VideoStatus,
} from './video-adapter.ts';

/*
 * OpenAI's Videos API: POST /v1/videos, GET and DELETE /v1/videos/{id}, GET /v1/videos/{id}/content,
 * POST /v1/videos/{id}/remix.
 */

const path = '/v1/videos';

const headersOf = ({ channel }: VideoContext): Readonly<Record<string, string>> => {
  const { organization } = channel.settings;
  return organization === ''
    ? bearer(channel)
    : { ...bearer(channel), 'openai-organization': organization };
};

const pathOf = (upstreamId: string): string => `${path}/${encodeURIComponent(upstreamId)}`;

/** A picture that is given as a file needs a form; one that is given as an address needs JSON. */
const bodyOf = ({ prompt, model, seconds, size, picture }: VideoOrder): FormData | object => {
  const fields = { model, prompt, seconds: String(seconds), size };
  if (picture?.kind === 'url') return { ...fields, input_reference: { image_url: picture.url } };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (picture !== null) {
    const { bytes, contentType, fileName } = picture;
    const file = new Blob([new Uint8Array(bytes)], { type: contentType });
    form.append('input_reference', file, fileName);
  }
  return form;
};

const states: Readonly<Record<string, VideoStatus['state']>> = {
  queued: 'queued',
  in_progress: 'running',
  completed: 'done',
  failed: 'failed',
};

const get = (own: string, context: VideoContext): VideoCall => ({
  method: 'GET',
  path: own,
  headers: headersOf(context),
  body: null,
});

export const openAiVideos: VideoAdapter = {
  baseUrl: facts.baseUrl,
  defaults: { seconds: 4, size: '720x1280' },
  problem: () => null,
  create: (order, context) => ({
    method: 'POST',
    path,
    headers: headersOf(context),
    body: bodyOf(order),
  }),
  accepted: (answer) => textAt(answer, 'id') || null,
  poll: (upstreamId, context) => get(pathOf(upstreamId), context),
  status: (answer) => {
    const state = states[textAt(answer, 'status')];
    if (state === undefined) return null;
    const error = objectAt(answer, 'error');
    const code = textAt(error, 'code') || 'video_generation_failed';
    const message = textAt(error, 'message') || 'The provider gave no reason';
    return {
      state,
      percent: numberAt(answer, 'progress'),
      finishedAt: numberAt(answer, 'completed_at') ?? 0,
      error: state === 'failed' ? { code, message } : null,
      url: '',
      expiresAt: numberAt(answer, 'expires_at') ?? 0,
    };
  },
  content: (upstreamId, variant, context) => {
    const query = variant === 'video' ? '' : `?variant=${variant}`;
    return get(`${pathOf(upstreamId)}/content${query}`, context);
  },
  remix: (upstreamId, prompt, context) => ({
    method: 'POST',
    path: `${pathOf(upstreamId)}/remix`,
    headers: headersOf(context),
    body: { prompt },
  }),
  remove: (upstreamId, context) => ({ ...get(pathOf(upstreamId), context), method: 'DELETE' }),
};
