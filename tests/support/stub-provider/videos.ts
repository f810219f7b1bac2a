import type { ServerResponse } from 'node:http';

export type StubVideo = {
  id: string;
  model: string;
  prompt: string;
  seconds: string;
  size: string;
  remixedFrom: string | null;
  /** Bytes of the picture that it begins with; 0: none. */
  pictureBytes: number;
  polls: number;
  createdAt: number;
};

type VideoRequest = Readonly<{
  method: string;
  /** With query. */
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}>;

export type StubVideos = Readonly<{
  /** Videos that were accepted and not deleted, oldest first. */
  videos: StubVideo[];
  serve: (res: ServerResponse, request: VideoRequest) => Promise<void>;
}>;

/** What a finished video comes to: long enough to arrive in pieces. */
export const filmOf = ({ id }: Pick<StubVideo, 'id'>): Buffer =>
  Buffer.from(`film of ${id} `.repeat(20_000));

const small = ['720x1280', '1280x720'];
const sizes: Readonly<Record<string, readonly string[]>> = {
  'sora-2': small,
  'sora-2-pro': [...small, '1024x1792', '1792x1024'],
};
const members = new Set(['model', 'prompt', 'seconds', 'size', 'input_reference']);
const pictures = new Set(['image/png', 'image/jpeg', 'image/webp']);

class Refusal extends Error {
  readonly status: number;
  readonly param: string | null;
  constructor(status: number, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.param = param;
  }
}

type Fields = Readonly<{ values: Readonly<Record<string, unknown>>; pictureBytes: number }>;

const pictureBytesOf = async (value: unknown): Promise<number> => {
  if (value instanceof File) {
    if (!pictures.has(value.type)) throw new Refusal(400, `Unsupported mimetype ('${value.type}')`);
    return value.size;
  }
  const { image_url = '' } = (value ?? {}) as { image_url?: string };
  const [, data] = /^data:image\/\w+;base64,(.+)$/.exec(image_url) ?? [];
  if (data === undefined) throw new Refusal(400, 'No picture', 'input_reference');
  return Buffer.from(data, 'base64').length;
};

const fieldsOf = async ({ headers, body }: VideoRequest): Promise<Fields> => {
  const type = String(headers['content-type'] ?? '');
  const values: Record<string, unknown> = type.startsWith('multipart/form-data')
    ? Object.fromEntries(
        await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData(),
      )
    : (JSON.parse(body.toString('utf8')) as Record<string, unknown>);
  const unknown = Object.keys(values).find((name) => !members.has(name));
  if (unknown !== undefined) throw new Refusal(400, `Unknown parameter: '${unknown}'.`, unknown);
  const picture = values.input_reference;
  return { values, pictureBytes: picture === undefined ? 0 : await pictureBytesOf(picture) };
};

const oneOf = (value: unknown, allowed: readonly string[], param: string): string => {
  if (typeof value === 'string' && allowed.includes(value)) return value;
  throw new Refusal(
    400,
    `Invalid value: '${String(value)}'. Supported values are: ${allowed}`,
    param,
  );
};

/** `will fail`, `goes on`: what its prompt says becomes of a video; else it is done at the second question. */
const statusOf = ({ prompt, polls }: StubVideo): string => {
  if (polls < 1) return 'queued';
  if (prompt.includes('goes on') || polls < 2) return 'in_progress';
  return prompt.includes('will fail') ? 'failed' : 'completed';
};

const shown = (video: StubVideo): object => {
  const status = statusOf(video);
  const isDone = status === 'completed';
  const failed = { code: 'moderation_blocked', message: 'the lens of sk-proj-secret broke' };
  return {
    id: video.id,
    object: 'video',
    model: video.model,
    status,
    progress: isDone ? 100 : video.polls * 30,
    created_at: video.createdAt,
    completed_at: isDone ? video.createdAt + 61 : null,
    expires_at: isDone ? video.createdAt + 3_600 : null,
    size: video.size,
    seconds: video.seconds,
    prompt: video.prompt,
    remixed_from_video_id: video.remixedFrom,
    error: status === 'failed' ? failed : null,
  };
};

const json = (res: ServerResponse, status: number, value: unknown): void => {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};

const sendFilm = (res: ServerResponse, film: Buffer, { headers, url }: VideoRequest): void => {
  const isPicture = url.includes('variant=');
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(String(headers.range ?? '')) ?? [];
  const type = isPicture ? 'image/webp' : 'video/mp4';
  if (first === undefined) {
    res.writeHead(200, { 'content-type': type, 'content-length': film.length }).end(film);
    return;
  }
  const part = film.subarray(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${last}/${film.length}`;
  const head = { 'content-type': type, 'content-length': part.length, 'content-range': range };
  res.writeHead(206, head).end(part);
};

/** OpenAI's Videos API with the rules of its own: keys, members, values, states. */
export const createStubVideos = (
  isKey: (key: string) => boolean,
  now: () => number = () => Math.floor(Date.now() / 1_000),
): StubVideos => {
  const videos: StubVideo[] = [];

  const add = (video: Omit<StubVideo, 'id' | 'polls' | 'createdAt'>): StubVideo => {
    const id = `video_up${videos.length + 1}`;
    const added = { ...video, id, polls: 0, createdAt: now() };
    videos.push(added);
    return added;
  };
  const find = (id: string): StubVideo => {
    const video = videos.find((one) => one.id === id);
    if (video === undefined) throw new Refusal(404, `Video with id '${id}' not found.`);
    return video;
  };
  const finished = (id: string): StubVideo => {
    const video = find(id);
    if (statusOf(video) !== 'completed') throw new Refusal(400, 'Video is not ready yet.');
    return video;
  };

  const create = async (request: VideoRequest): Promise<object> => {
    const { values, pictureBytes } = await fieldsOf(request);
    const { prompt } = values;
    if (typeof prompt !== 'string' || prompt === '') throw new Refusal(400, 'No prompt', 'prompt');
    if (prompt.includes('busy')) throw new Refusal(429, 'Rate limit reached');
    const model = oneOf(values.model ?? 'sora-2', Object.keys(sizes), 'model');
    const seconds = oneOf(values.seconds ?? '4', ['4', '8', '12'], 'seconds');
    const size = oneOf(values.size ?? '720x1280', sizes[model] ?? [], 'size');
    return shown(add({ model, prompt, seconds, size, pictureBytes, remixedFrom: null }));
  };
  const remix = async (id: string, request: VideoRequest): Promise<object> => {
    const origin = finished(id);
    const { values } = await fieldsOf(request);
    if (Object.keys(values).join() !== 'prompt') throw new Refusal(400, 'Only a prompt');
    return shown(add({ ...origin, prompt: String(values.prompt), remixedFrom: id }));
  };
  const remove = (id: string): object => {
    const video = find(id);
    if (!/completed|failed/.test(statusOf(video))) throw new Refusal(400, 'Not finished');
    videos.splice(videos.indexOf(video), 1);
    return { id, object: 'video.deleted', deleted: true };
  };

  const named = async (id: string, part: string | undefined, request: VideoRequest) => {
    if (request.method === 'DELETE') return remove(id);
    if (part === 'remix') return remix(id, request);
    const video = find(id);
    video.polls += 1;
    return shown(video);
  };

  const answer = async (res: ServerResponse, request: VideoRequest): Promise<void> => {
    const { method, url, headers } = request;
    const [, key = ''] = /^Bearer (.+)$/.exec(String(headers.authorization ?? '')) ?? [];
    if (!isKey(key)) throw new Refusal(401, `Incorrect API key provided: ${key}`);
    const [path = ''] = url.split('?');
    const [, id, part] = /^\/v1\/videos(?:\/([^/]+)(?:\/(content|remix))?)?$/.exec(path) ?? [];
    if (method === 'POST' && id === undefined) return json(res, 200, await create(request));
    if (id === undefined) throw new Refusal(404, 'Unknown path');
    if (part === 'content') return sendFilm(res, filmOf(finished(id)), request);
    json(res, 200, await named(id, part, request));
  };

  return {
    videos,
    serve: (res, request) =>
      answer(res, request).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        const { status, message, param } = error;
        const type = 'invalid_request_error';
        json(res, status, { error: { message, type, param, code: null } });
      }),
  };
};
