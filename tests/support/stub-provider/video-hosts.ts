import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/*
 * Kling's and Volcengine's APIs of videos, with the rules of their own. A video is queued, under way
 * and done, one step with each question; `will fail` in its prompt fails it.
 */

export type HostTask = {
  id: string;
  path: string;
  body: Body;
  polls: number;
  /** The address of the film, in place of its own. */
  filmUrl?: string;
};
export type Body = Readonly<Record<string, unknown>>;
export type HostRequest = Readonly<{
  method: string;
  path: string;
  authorization: string;
  body: Buffer;
  /** Address of this server. */
  origin: string;
  headers: IncomingHttpHeaders;
  /** With its question mark. */
  query: string;
}>;
export type VideoHost = Readonly<{
  tasks: HostTask[];
  serve: (res: ServerResponse, request: HostRequest) => void;
}>;

export const hostFilm = Buffer.from('a film of another host');

export const json = (res: ServerResponse, status: number, value: unknown): void => {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};
export const film = (res: ServerResponse): void => {
  res.writeHead(200, { 'content-type': 'video/mp4' }).end(hostFilm);
};
export const parsed = ({ body }: HostRequest): Body =>
  body.length === 0 ? {} : (JSON.parse(body.toString('utf8')) as Body);

export const stepOf = ({ polls, body }: HostTask, names: readonly string[]): string => {
  const [queued = '', running = '', done = '', failed = ''] = names;
  if (polls < 2) return queued;
  if (polls < 3) return running;
  return JSON.stringify(body).includes('will fail') ? failed : done;
};

const decoded = (part: string): Body =>
  JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Body;

type Refusal = Readonly<{ status: number; code: number; message: string }>;
type KlingKey = readonly [access: string, secret: string];

/** null: the token is good. */
const wrongToken = (token: string, [access, secret]: KlingKey, now: number): string | null => {
  const [head = '', claims = '', signature = ''] = token.replace('Bearer ', '').split('.');
  const own = createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url');
  if (own !== signature) return 'signature is invalid';
  const { iss, exp, nbf } = decoded(claims);
  if (decoded(head).alg !== 'HS256' || iss !== access) return 'access key is invalid';
  return Number(nbf) <= now && now < Number(exp) ? null : 'token is not valid now';
};

const ofKling: Readonly<Record<string, RegExp>> = {
  model_name: /^kling-|^any-/,
  prompt: /./,
  duration: /^(5|10)$/,
  mode: /^(std|pro)$/,
};
const ofText: Readonly<Record<string, RegExp>> = { aspect_ratio: /^(16:9|9:16|1:1)$/ };
const ofPicture: Readonly<Record<string, RegExp>> = { image: /^https?:|^[\w+/]+=*$/ };

/** The first member of an order of Kling that is wrong; null: none. */
const wrongKling = (kind: string, body: Body): string | null => {
  const rules = { ...ofKling, ...(kind === 'text2video' ? ofText : ofPicture) };
  const unknown = Object.keys(body).find((name) => rules[name] === undefined);
  const fits = (name: string) => typeof body[name] === 'string' && rules[name]?.test(body[name]);
  return unknown ?? Object.keys(rules).find((name) => !fits(name)) ?? null;
};

export const createStubKling = (
  key: KlingKey,
  now = () => Math.floor(Date.now() / 1_000),
): VideoHost => {
  const tasks: HostTask[] = [];
  const shown = (task: HostTask, origin: string): object => {
    const task_status = stepOf(task, ['submitted', 'processing', 'succeed', 'failed']);
    const videos = [
      { id: 'v', url: task.filmUrl ?? `${origin}/film.mp4`, duration: task.body.duration },
    ];
    return {
      task_id: task.id,
      task_status,
      ...(task_status === 'failed' ? { task_status_msg: 'risk control' } : {}),
      ...(task_status === 'succeed' ? { task_result: { videos } } : {}),
      created_at: 1_722_769_557_708,
      updated_at: 1_722_769_560_708,
    };
  };
  const answer = (res: ServerResponse, data: object) =>
    json(res, 200, { code: 0, message: 'SUCCEED', request_id: 'r', data });

  const refusalOf = (kind: string, body: Body): Refusal | null => {
    const bad = wrongKling(kind, body);
    const prompt = String(body.prompt);
    if (bad !== null) return { status: 400, code: 1201, message: `invalid ${bad}` };
    if (prompt.includes('busy')) return { status: 429, code: 1303, message: 'busy' };
    return prompt.includes('odd') ? { status: 200, code: 5000, message: 'odd' } : null;
  };
  const take = (res: ServerResponse, kind: string, request: HostRequest) => {
    const body = parsed(request);
    const refusal = refusalOf(kind, body);
    if (refusal !== null) return json(res, refusal.status, refusal);
    const task = { id: `${8_000 + tasks.length}`, path: kind, body, polls: 1 };
    tasks.push(task);
    return answer(res, shown(task, request.origin));
  };

  return {
    tasks,
    serve: (res, request) => {
      const { method, path, origin } = request;
      if (path === '/film.mp4') return film(res);
      const wrong = wrongToken(request.authorization, key, now());
      if (wrong !== null) return json(res, 401, { code: 1000, message: wrong });
      const [, kind = '', id] = /^\/v1\/videos\/(\w+2video)(?:\/(.+))?$/.exec(path) ?? [];
      if (method === 'POST') return take(res, kind, request);
      const task = tasks.find((one) => one.id === id && one.path === kind);
      if (task === undefined) return json(res, 404, { code: 1203, message: 'no such task' });
      task.polls += 1;
      answer(res, shown(task, origin));
    },
  };
};

/** What is wrong with an order of Volcengine; null: nothing. */
const wrongArk = (body: Body): string | null => {
  const { model, content, resolution, ratio, duration, ...others } = body;
  const [more] = Object.keys(others);
  if (more !== undefined) return `unknown ${more}`;
  if (typeof model !== 'string' || !Array.isArray(content)) return 'model or content';
  const texts = content.filter(({ type }: { type: string }) => type === 'text');
  if (texts.length !== 1 || /--dur/.test(String(texts[0].text))) return 'text';
  if (!/^(480|720|1080)p$/.test(String(resolution))) return 'resolution';
  if (!/^(16:9|9:16|1:1)$/.test(String(ratio))) return 'ratio';
  return Number.isInteger(duration) ? null : 'duration';
};

export const createStubArk = (key: string): VideoHost => {
  const base = '/api/v3/contents/generations/tasks';
  const tasks: HostTask[] = [];
  const shown = (task: HostTask, origin: string): object => {
    const status = stepOf(task, ['queued', 'running', 'succeeded', 'failed']);
    const error = { code: 'OutputVideoSensitive', message: `refused at ${origin} with ${key}` };
    return {
      id: task.id,
      model: task.body.model,
      status,
      error: status === 'failed' ? error : null,
      ...(status === 'succeeded' ? { content: { video_url: `${origin}/film.mp4` } } : {}),
      usage: { completion_tokens: 9_999_999, total_tokens: 9_999_999 },
      created_at: 1_718_049_470,
      updated_at: 1_718_049_530,
    };
  };
  const problem = (res: ServerResponse, status: number, message: string) =>
    json(res, status, { error: { code: 'InvalidParameter', message, type: 'BadRequest' } });
  const take = (res: ServerResponse, request: HostRequest) => {
    const body = parsed(request);
    const bad = wrongArk(body);
    if (bad !== null) return problem(res, 400, `invalid ${bad}`);
    const task = { id: `cgt-${tasks.length}`, path: base, body, polls: 1 };
    tasks.push(task);
    return json(res, 200, { id: task.id });
  };

  return {
    tasks,
    serve: (res, request) => {
      const { method, path, origin } = request;
      if (path === '/film.mp4') return film(res);
      if (request.authorization !== `Bearer ${key}`) return problem(res, 401, `key ${key}`);
      if (method === 'POST') return take(res, request);
      const task = tasks.find(({ id }) => path === `${base}/${id}`);
      if (task === undefined) return problem(res, 404, 'no such task');
      task.polls += 1;
      if (method === 'DELETE') tasks.splice(tasks.indexOf(task), 1);
      json(res, 200, method === 'DELETE' ? {} : shown(task, origin));
    },
  };
};
