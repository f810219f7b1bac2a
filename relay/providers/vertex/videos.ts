import { isRegion } from '../../../domain/channel/settings.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectAt, objectsAt, textAt } from '../../protocol/json.ts';
import { configurationError, refuse } from '../../protocol/refusal.ts';
import {
  isSecond,
  veoBody,
  veoDefaults,
  veoFailed,
  veoProblem,
  veoReason,
  veoRunning,
} from '../shared/videos/veo.ts';
import type {
  VideoAdapter,
  VideoCall,
  VideoContext,
  VideoStatus,
} from '../shared/videos/video-adapter.ts';
import { regionOf } from './place.ts';
import { vertexProject } from './project.ts';

/*
 * Veo on Vertex AI: `predictLongRunning` of a model answers with an operation, which is polled by
 * `fetchPredictOperation` of the model. No bucket is named, so that the operation contains the
 * video itself.
 */

const film = 'bytesBase64Encoded';
const operation =
  /^(projects\/[\w.:-]+\/locations\/([a-z0-9-]+)\/publishers\/google\/models\/[\w.-]+)\/operations\/[\w-]+$/;

/** Polls an operation in the region where it runs, whatever region the channel names by now. */
const fetchOperation = async (upstreamId: string, context: VideoContext): Promise<VideoCall> => {
  const [, model = '', region = ''] = operation.exec(upstreamId) ?? [];
  if (!isRegion(region)) return refuse(configurationError('The operation names no region'));
  const { baseUrl, headers } = await vertexProject(context, region);
  return {
    method: 'POST',
    baseUrl,
    path: `/v1/${model}:fetchPredictOperation`,
    headers,
    body: { operationName: upstreamId },
  };
};

const ended = (answer: JsonObject): VideoStatus => {
  const message = textAt(objectAt(answer, 'error'), 'message');
  if (message !== '') return veoFailed('video_generation_failed', message);
  const response = objectAt(answer, 'response');
  const [video = {}] = objectsAt(response, 'videos');
  // Nothing is billed for a film that was held back.
  if (textAt(video, film) === '') return veoFailed('moderation_blocked', veoReason(response));
  return { ...veoRunning, state: 'done' };
};

export const vertexVideos: VideoAdapter = {
  baseUrl: '',
  defaults: veoDefaults,
  problem: veoProblem,
  create: async (order, context) => {
    const region = regionOf(context.channel, context.requestedModel);
    const { baseUrl, parent, headers } = await vertexProject(context, region);
    const model = `publishers/google/models/${encodeURIComponent(order.model)}`;
    // One film is paid for, and its price is that of one with sound.
    const sound = isSecond(order.model) ? {} : { generateAudio: true };
    return {
      method: 'POST',
      baseUrl,
      path: `/v1/${parent}/${model}:predictLongRunning`,
      headers,
      body: veoBody(order, { sampleCount: 1, ...sound }),
    };
  },
  accepted: (answer) => {
    const name = textAt(answer, 'name');
    const [, , region = ''] = operation.exec(name) ?? [];
    return isRegion(region) ? name : null;
  },
  poll: fetchOperation,
  status: (answer) => {
    if (!operation.test(textAt(answer, 'name'))) return null;
    return answer.done === true ? ended(answer) : veoRunning;
  },
  content: (upstreamId, _variant, context) => fetchOperation(upstreamId, context),
  inlineVideo: film,
};
