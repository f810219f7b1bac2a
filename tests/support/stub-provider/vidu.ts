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

/* Vidu's API, with the rules of its own. `will fail` in a prompt fails the task. */

const ofAll: Readonly<Record<string, RegExp>> = {
  model: /^"(viduq1|viduq2|viduq3-pro|any-video)"$/,
  prompt: /./,
  duration: /^([1-9]|1[0-6])$/,
  resolution: /^"(360p|540p|720p|1080p)"$/,
};
const ofText: Readonly<Record<string, RegExp>> = { aspect_ratio: /^"(16:9|9:16|1:1)"$/ };
const ofPicture: Readonly<Record<string, RegExp>> = {
  images: /^\["(https?:[^"]+|data:image\/\w+;base64,[\w+/]+=*)"\]$/,
};

/** The first member that is wrong; null: none. */
const wrongOrder = (kind: string, body: Body): string | null => {
  const rules = { ...ofAll, ...(kind === 'text2video' ? ofText : ofPicture) };
  const unknown = Object.keys(body).find((name) => rules[name] === undefined);
  const isWrong = (name: string) => rules[name]?.test(JSON.stringify(body[name]) ?? '') !== true;
  if (body.model === 'viduq1' && body.duration !== 5) return 'duration';
  return unknown ?? Object.keys(rules).find(isWrong) ?? null;
};

export const createStubVidu = (key: string): VideoHost => {
  const tasks: HostTask[] = [];
  const problem = (res: ServerResponse, status: number, reason: string) =>
    json(res, status, { code: status, reason, message: reason, metadata: {} });
  const shown = (task: HostTask, origin: string): object => {
    const state = stepOf(task, ['queueing', 'processing', 'success', 'failed']);
    const url = task.filmUrl ?? `${origin}/film.mp4`;
    return {
      state,
      err_code: state === 'failed' ? 'AuditSubmitIllegal' : '',
      credits: 4,
      payload: '',
      creations: state === 'success' ? [{ id: 'c', url, cover_url: `${origin}/cover` }] : [],
    };
  };
  const take = (res: ServerResponse, kind: string, request: HostRequest) => {
    const body = parsed(request);
    const bad = wrongOrder(kind, body);
    if (bad !== null) return problem(res, 400, `invalid ${bad}`);
    if (JSON.stringify(body).includes('busy')) return problem(res, 429, 'QuotaExceeded');
    const task = { id: `${900 + tasks.length}`, path: kind, body, polls: 1 };
    tasks.push(task);
    return json(res, 200, { task_id: task.id, state: 'created', ...body, credits: 4 });
  };

  return {
    tasks,
    serve: (res, request) => {
      const { method, path, origin } = request;
      if (path === '/film.mp4') return film(res);
      if (request.authorization !== `Token ${key}`) return problem(res, 401, 'Unauthorized');
      const [, kind] = /^\/ent\/v2\/(text2video|img2video)$/.exec(path) ?? [];
      if (method === 'POST' && kind !== undefined) return take(res, kind, request);
      const task = tasks.find(({ id }) => path === `/ent/v2/tasks/${id}/creations`);
      if (method !== 'GET' || task === undefined) return problem(res, 404, 'TaskNotFound');
      task.polls += 1;
      json(res, 200, shown(task, origin));
    },
  };
};
