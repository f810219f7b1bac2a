import { createHash, createHmac } from 'node:crypto';
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
 * Jimeng in Volcengine's OpenAPI, with its signature and its rules. `will fail` in a prompt fails
 * the task, which the provider reports with a status of 400.
 */

type Key = readonly [access: string, secret: string];

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();
const digestOf = (bytes: string | Buffer): string =>
  createHash('sha256').update(bytes).digest('hex');

/** The expected signature, from the list of what it signed. */
const signatureOf = ({ method, path, query, headers, body }: HostRequest, secret: string) => {
  const said = /SignedHeaders=([\w;-]+), Signature=/.exec(String(headers.authorization))?.[1] ?? '';
  const names = said.split(';');
  const time = String(headers['x-date']);
  const parts = new URLSearchParams(query);
  parts.sort();
  const canonical = `${method}\n${path}\n${parts}\n${names
    .map((name) => `${name}:${String(headers[name]).trim()}\n`)
    .join('')}\n${said}\n${digestOf(body)}`;
  const scope = `${time.slice(0, 8)}/cn-north-1/cv/request`;
  const day = hmac(secret, time.slice(0, 8));
  const key = hmac(hmac(hmac(day, 'cn-north-1'), 'cv'), 'request');
  const text = `HMAC-SHA256\n${time}\n${scope}\n${digestOf(canonical)}`;
  return { names, scope, signature: hmac(key, text).toString('hex') };
};

const isSigned = (request: HostRequest, [access, secret]: Key): boolean => {
  const { headers, body } = request;
  const { names, scope, signature } = signatureOf(request, secret);
  const own = `HMAC-SHA256 Credential=${access}/${scope}, SignedHeaders=${names.join(';')}`;
  return (
    ['host', 'x-content-sha256', 'x-date'].every((name) => names.includes(name)) &&
    headers['x-content-sha256'] === digestOf(body) &&
    headers.authorization === `${own}, Signature=${signature}`
  );
};

const kinds: Readonly<Record<string, 'text' | 'picture' | 'both'>> = {
  jimeng_t2v_v30: 'text',
  jimeng_t2v_v30_1080p: 'text',
  jimeng_i2v_first_v30: 'picture',
  jimeng_i2v_first_v30_1080: 'picture',
  jimeng_ti2v_v30_pro: 'both',
};

const wrongOrder = (body: Body): string | null => {
  const { req_key, prompt, seed, frames, aspect_ratio, image_urls, binary_data_base64 } = body;
  const kind = kinds[String(req_key)];
  const hasPicture = image_urls !== undefined || binary_data_base64 !== undefined;
  if (kind === undefined || (kind === 'text' && hasPicture)) return 'req_key';
  if (kind === 'picture' && !hasPicture) return 'image_urls';
  if (typeof prompt !== 'string' || !Number.isInteger(seed)) return 'prompt';
  if (frames !== 121 && frames !== 241) return 'frames';
  return hasPicture || /^(16:9|9:16|1:1)$/.test(String(aspect_ratio)) ? null : 'aspect_ratio';
};

export const createStubJimeng = (key: Key): VideoHost => {
  const tasks: HostTask[] = [];
  const answer = (res: ServerResponse, code: number, more: Readonly<{ message: string }> & Body) =>
    json(res, code === 10_000 ? 200 : code === 50_429 ? 429 : 400, {
      code,
      request_id: 'r',
      ...more,
    });
  const refuse = (res: ServerResponse, code: number, message: string) =>
    answer(res, code, { message, data: null });

  const submit = (res: ServerResponse, request: HostRequest) => {
    const body = parsed(request);
    const bad = wrongOrder(body);
    if (bad !== null) return refuse(res, 50_200, `invalid ${bad}`);
    if (String(body.prompt).includes('busy gate')) return refuse(res, 50_429, 'QPS limit');
    const task = { id: `${7_000 + tasks.length}`, path: String(body.req_key), body, polls: 1 };
    tasks.push(task);
    return answer(res, 10_000, { message: 'Success', data: { task_id: task.id } });
  };
  const result = (res: ServerResponse, request: HostRequest) => {
    const { req_key, task_id } = parsed(request);
    const task = tasks.find(({ id, path }) => id === task_id && path === req_key);
    if (task === undefined) return refuse(res, 50_200, 'no such task');
    task.polls += 1;
    const status = stepOf(task, ['in_queue', 'generating', 'done', 'failed']);
    if (status === 'failed') return refuse(res, 50_511, `Post Img Risk Not Pass for ${key[1]}`);
    const video_url = status === 'done' ? (task.filmUrl ?? `${request.origin}/film.mp4`) : '';
    return answer(res, 10_000, { message: 'Success', data: { status, video_url } });
  };

  return {
    tasks,
    serve: (res, request) => {
      const { path, query, method } = request;
      if (path === '/film.mp4') return film(res);
      if (!isSigned(request, key)) return refuse(res, 100_010, 'SignatureDoesNotMatch');
      const parts = new URLSearchParams(query);
      const isKnown = method === 'POST' && path === '/' && parts.get('Version') === '2022-08-31';
      const action = isKnown ? parts.get('Action') : null;
      if (action === 'CVSync2AsyncSubmitTask') return submit(res, request);
      if (action === 'CVSync2AsyncGetResult') return result(res, request);
      return refuse(res, 100_008, 'InvalidActionOrVersion');
    },
  };
};
