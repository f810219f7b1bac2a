import { gemini as facts } from '../../../../domain/channel/providers/gemini.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { objectAt, objectsAt, textAt } from '../../../protocol/json.ts';
import {
  aspectOf,
  pictureBytes,
  sidesOf,
  type VideoAdapter,
  type VideoContext,
  type VideoOrder,
  type VideoPicture,
  type VideoStatus,
  videoProblem,
} from './video-adapter.ts';

/*
 * Veo in the Gemini API: POST /v1beta/models/{model}:predictLongRunning answers with an operation,
 * which is polled by its name. The video is stored at the provider's own host and needs the key.
 */

const version = '/v1beta';
/** Models differ: what one of them does not make, the provider refuses. */
const lengths: readonly number[] = [4, 5, 6, 8];
const longest = 8;
const resolutions: ReadonlyMap<number, string> = new Map([
  [720, '720p'],
  [1080, '1080p'],
  [2160, '4k'],
]);
const operation = /^(?:models\/[\w.-]+\/)?operations\/[\w.-]+$/;

const keyOf = ({ channel }: VideoContext) => ({ 'x-goog-api-key': channel.key });

const resolutionOf = (size: string): string | undefined =>
  resolutions.get(Math.min(...sidesOf(size)));

/** Models of the second generation make 720p without sound, and have no member for either. */
export const isSecond = (model: string): boolean => model.startsWith('veo-2');

const imageOf = (picture: VideoPicture): object => {
  const { contentType, base64 } = pictureBytes(picture) ?? { contentType: '', base64: '' };
  return { bytesBase64Encoded: base64, mimeType: contentType };
};

export const veoFailed = (code: string, message: string): VideoStatus => ({
  state: 'failed',
  percent: null,
  finishedAt: 0,
  error: { code, message },
  url: '',
  expiresAt: 0,
});

export const veoReason = (response: JsonObject): string => {
  const { raiMediaFilteredReasons: reasons } = response;
  const [reason] = Array.isArray(reasons) ? reasons : [];
  return typeof reason === 'string' ? reason : 'The operation ended without a video';
};

const ended = (answer: JsonObject): VideoStatus => {
  const error = objectAt(answer, 'error');
  const message = textAt(error, 'message');
  if (message !== '') {
    return veoFailed(textAt(error, 'status') || 'video_generation_failed', message);
  }
  const response = objectAt(objectAt(answer, 'response'), 'generateVideoResponse');
  const [sample = {}] = objectsAt(response, 'generatedSamples');
  const url = textAt(objectAt(sample, 'video'), 'uri');
  // Nothing is billed for a film that was held back.
  if (url === '') return veoFailed('moderation_blocked', veoReason(response));
  return { state: 'done', percent: null, finishedAt: 0, error: null, url, expiresAt: 0 };
};

/** The default of the provider. */
export const veoDefaults: VideoAdapter['defaults'] = { seconds: longest, size: '1280x720' };

/** What no model makes. */
export const veoProblem: VideoAdapter['problem'] = ({ seconds, size, picture }) => {
  if (!lengths.includes(seconds)) {
    return videoProblem('seconds', `This model makes videos of ${lengths.join(', ')} seconds`);
  }
  const resolution = resolutionOf(size);
  const aspect = aspectOf(size);
  if (resolution === undefined || aspect === null || aspect === '1:1') {
    const sides = [...resolutions.keys()].join(', ');
    return videoProblem('size', `This model makes 16:9 and 9:16 with a short side of ${sides}`);
  }
  if (resolution !== '720p' && seconds !== longest) {
    return videoProblem('seconds', `In ${resolution} this model makes ${longest} seconds`);
  }
  if (picture === null || pictureBytes(picture) !== null) return null;
  return videoProblem('input_reference', 'This model takes the picture itself, not its address');
};

/** An order as either of Google's hosts takes it. */
export const veoBody = (
  { prompt, model, seconds, size, picture }: VideoOrder,
  more: JsonObject = {},
): object => {
  const image = picture === null ? {} : { image: imageOf(picture) };
  const resolution = isSecond(model) ? {} : { resolution: resolutionOf(size) };
  return {
    instances: [{ prompt, ...image }],
    parameters: { aspectRatio: aspectOf(size), durationSeconds: seconds, ...resolution, ...more },
  };
};

export const veoRunning: VideoStatus = {
  state: 'running',
  percent: null,
  finishedAt: 0,
  error: null,
  url: '',
  expiresAt: 0,
};

export const veoVideos: VideoAdapter = {
  baseUrl: facts.baseUrl,
  defaults: veoDefaults,
  problem: veoProblem,
  create: (order, context) => ({
    method: 'POST',
    path: `${version}/models/${encodeURIComponent(order.model)}:predictLongRunning`,
    headers: keyOf(context),
    body: veoBody(order),
  }),
  accepted: (answer) => {
    const name = textAt(answer, 'name');
    return operation.test(name) ? name : null;
  },
  poll: (upstreamId, context) => ({
    method: 'GET',
    path: `${version}/${upstreamId}`,
    headers: keyOf(context),
    body: null,
  }),
  status: (answer) => {
    if (!operation.test(textAt(answer, 'name'))) return null;
    if (answer.done === true) return ended(answer);
    return veoRunning;
  },
  fileHeaders: keyOf,
};
