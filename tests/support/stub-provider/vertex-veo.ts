import type { ServerResponse } from 'node:http';
import { wrongOrder, wrongParameters } from './veo.ts';
import {
  type Body,
  type HostRequest,
  type HostTask,
  hostFilm,
  json,
  parsed,
  stepOf,
  type VideoHost,
} from './video-hosts.ts';

/*
 * Veo on Vertex AI, with its rules
 * (https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation).
 * `will fail` in a prompt fails the operation, `held back` ends it without a film, and `long` makes
 * a film that is longer than any answer which is read as a whole.
 */

export const longFilm = Buffer.alloc(20 * 1_048_576, 'a long film in an operation. ');

/**
 * What the Gemini API does not have; a Veo of the third generation requires the setting of sound.
 */
const wrongOnVertex = (model: string, parameters: Body): string | null => {
  const { sampleCount = 1, generateAudio, ...others } = parameters;
  if (!/^[1-4]$/.test(String(sampleCount))) return 'sampleCount';
  const sound = model.startsWith('veo-2') ? 'undefined' : 'boolean';
  return typeof generateAudio === sound ? wrongParameters(model, others) : 'generateAudio';
};

const typeOfAnswer = 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse';
const method =
  /^\/v1\/(projects\/([\w-]+)\/locations\/([\w-]+)\/publishers\/google\/models\/([\w.-]+)):(\w+)$/;

type Place = Readonly<{ token: string; project: string; region: string; secret: string }>;

export const createStubVertexVeo = ({ token, project, region, secret }: Place): VideoHost => {
  const tasks: HostTask[] = [];
  const problem = (res: ServerResponse, code: number, message: string) => {
    const status = code === 429 ? 'RESOURCE_EXHAUSTED' : 'INVALID_ARGUMENT';
    json(res, code, { error: { code, message, status } });
  };
  const responseOf = ({ body }: HostTask, origin: string): object => {
    const words = JSON.stringify(body);
    if (words.includes('held back')) {
      const reasons = [`Held back by ${origin} for ${secret}`];
      return {
        '@type': typeOfAnswer,
        raiMediaFilteredCount: 1,
        raiMediaFilteredReasons: reasons,
      };
    }
    const film = words.includes('long') ? longFilm : hostFilm;
    const videos = [{ bytesBase64Encoded: film.toString('base64'), mimeType: 'video/mp4' }];
    return { '@type': typeOfAnswer, raiMediaFilteredCount: 0, videos };
  };
  const shown = (task: HostTask, origin: string): object => {
    const name = task.path;
    const step = stepOf(task, ['running', 'running', 'done', 'failed']);
    if (step === 'running') return { name };
    const error = { code: 3, message: `Veo could not generate videos at ${origin} for ${secret}` };
    if (step === 'failed') return { name, done: true, error };
    return { name, done: true, response: responseOf(task, origin) };
  };
  const take = (res: ServerResponse, model: string, request: HostRequest) => {
    const body = parsed(request);
    const bad = wrongOrder(model.split('/').at(-1) ?? '', body, wrongOnVertex);
    if (bad !== null) return problem(res, 400, `invalid ${bad}`);
    if (JSON.stringify(body).includes('busy')) return problem(res, 429, `quota of ${secret}`);
    const id = `a1b07c8e-0000-4aba-bb34-${String(tasks.length).padStart(12, '0')}`;
    const task = { id, path: `${model}/operations/${id}`, body, polls: 1 };
    tasks.push(task);
    return json(res, 200, { name: task.path });
  };
  const operation = (res: ServerResponse, model: string, request: HostRequest) => {
    const { operationName, ...others } = parsed(request);
    if (Object.keys(others).length > 0) return problem(res, 400, 'unknown member');
    const task = tasks.find(({ path }) => path === operationName);
    if (task === undefined) return problem(res, 404, 'operation not found');
    if (!task.path.startsWith(`${model}/`)) return problem(res, 400, 'of another model');
    task.polls += 1;
    return json(res, 200, shown(task, request.origin));
  };

  return {
    tasks,
    serve: (res, request) => {
      if (request.authorization !== `Bearer ${token}`) return problem(res, 401, 'invalid token');
      const [, model, ofProject, ofRegion, , action] = method.exec(request.path) ?? [];
      if (model === undefined || request.method !== 'POST') return problem(res, 404, 'not found');
      if (ofProject !== project || ofRegion !== region) return problem(res, 403, 'not yours');
      const act = { predictLongRunning: take, fetchPredictOperation: operation }[action ?? ''];
      if (act === undefined) return problem(res, 404, 'no such method');
      act(res, model, request);
    },
  };
};
