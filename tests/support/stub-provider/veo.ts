import type { ServerResponse } from 'node:http';
import {
  type Body,
  film,
  type HostRequest,
  type HostTask,
  json,
  parsed,
  stepOf,
  type VideoHost,
} from './video-hosts.ts';

/*
 * Veo in the Gemini API, with its rules. `will fail` in a prompt fails the operation, `held back`
 * ends it without a film.
 */

/** What is wrong with the parameters; null: nothing. */
export const wrongParameters = (model: string, parameters: Body): string | null => {
  const { aspectRatio, durationSeconds, resolution, ...others } = parameters;
  const [more] = Object.keys(others);
  if (more !== undefined) return more;
  if (!/^(16:9|9:16)$/.test(String(aspectRatio))) return 'aspectRatio';
  const isOld = model.startsWith('veo-2');
  const lengths = isOld ? [5, 6, 8] : [4, 6, 8];
  if (!lengths.includes(durationSeconds as number)) return 'durationSeconds';
  if (isOld) return resolution === undefined ? null : 'resolution';
  if (!/^(720p|1080p|4k)$/.test(String(resolution))) return 'resolution';
  return resolution !== '720p' && durationSeconds !== 8 ? 'durationSeconds' : null;
};

const wrongImage = (image: Body | undefined): boolean =>
  image !== undefined &&
  (!/^[\w+/]+=*$/.test(String(image.bytesBase64Encoded)) ||
    !/^image\//.test(String(image.mimeType)) ||
    Object.keys(image).length !== 2);

/** What is wrong with an order on either of Google's hosts, each with its own parameters. */
export const wrongOrder = (
  model: string,
  body: Body,
  wrongIn: typeof wrongParameters,
): string | null => {
  const { instances, parameters, ...others } = body;
  const [more] = Object.keys(others);
  if (more !== undefined) return more;
  if (!Array.isArray(instances) || instances.length !== 1) return 'instances';
  const { prompt, image } = instances[0] as Body;
  if (typeof prompt !== 'string' || prompt === '') return 'prompt';
  if (wrongImage(image as Body | undefined)) return 'image';
  return wrongIn(model, (parameters ?? {}) as Body);
};

export const createStubVeo = (key: string): VideoHost => {
  const tasks: HostTask[] = [];
  const problem = (res: ServerResponse, code: number, message: string) =>
    json(res, code, {
      error: { code, message, status: code === 429 ? 'RESOURCE_EXHAUSTED' : 'X' },
    });

  const responseOf = ({ id, body, filmUrl }: HostTask, origin: string): object => {
    const reason = `Held back by ${origin} for ${key}`;
    if (JSON.stringify(body).includes('held back')) {
      return { raiMediaFilteredCount: 1, raiMediaFilteredReasons: [reason] };
    }
    const uri = filmUrl ?? `${origin}/v1beta/files/${id}:download?alt=media`;
    return { generatedSamples: [{ video: { uri } }] };
  };
  const shown = (task: HostTask, origin: string): object => {
    const step = stepOf(task, ['running', 'running', 'done', 'failed']);
    const name = task.path;
    if (step === 'running') return { name, metadata: {} };
    const error = { code: 13, message: `Video generation failed at ${origin}` };
    if (step === 'failed') return { name, done: true, error };
    return { name, done: true, response: { generateVideoResponse: responseOf(task, origin) } };
  };
  const take = (res: ServerResponse, model: string, request: HostRequest) => {
    const body = parsed(request);
    const bad = wrongOrder(model, body, wrongParameters);
    if (bad !== null) return problem(res, 400, `invalid ${bad}`);
    if (JSON.stringify(body).includes('busy')) return problem(res, 429, 'quota exceeded');
    const id = `op${tasks.length}`;
    const task = { id, path: `models/${model}/operations/${id}`, body, polls: 1 };
    tasks.push(task);
    return json(res, 200, { name: task.path });
  };

  /** Its files redirect to where they are; `to` represents a provider that was broken into. */
  const fileAt = ({ path, query, origin }: HostRequest): string | null => {
    if (path === '/redirect') return new URLSearchParams(query).get('to');
    const isFile = /^\/v1beta\/files\/\w+:download$/.test(path) && query === '?alt=media';
    return isFile ? `${origin}/download/film.mp4` : null;
  };
  const operation = (res: ServerResponse, { method, path, origin }: HostRequest) => {
    const task = tasks.find((one) => path === `/v1beta/${one.path}`);
    if (method !== 'GET' || task === undefined) return problem(res, 404, 'not found');
    task.polls += 1;
    return json(res, 200, shown(task, origin));
  };

  return {
    tasks,
    serve: (res, request) => {
      const { method, path, headers } = request;
      if (headers['x-goog-api-key'] !== key) return problem(res, 403, 'API key not valid');
      if (path === '/download/film.mp4') return film(res);
      const location = fileAt(request);
      if (location !== null) {
        res.writeHead(302, { location }).end();
        return;
      }
      const [, model] = /^\/v1beta\/models\/([\w.-]+):predictLongRunning$/.exec(path) ?? [];
      if (method === 'POST' && model !== undefined) return take(res, model, request);
      operation(res, request);
    },
  };
};
