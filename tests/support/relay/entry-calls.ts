import type { Entry } from '../../../relay/admission/entries.ts';

/** One request for each entry of the relay. */

export const model = 'gpt-4o-mini';
export const videoModel = 'sora-2';
export type Setting = Readonly<{ model: string; text: string; key: boolean; group: string }>;
export const usual: Setting = { model, text: 'a gate', key: true, group: '' };

export type Sent = Readonly<{
  method: string;
  path: string;
  body?: string;
  type?: string;
  /** Sent on a websocket once it is open. */
  frame?: object;
  isSocket?: boolean;
}>;

const post = (path: string, body: object): Sent => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
});
const get = (path: string): Sent => ({ method: 'GET', path });
const remove = (path: string): Sent => ({ method: 'DELETE', path });

const line = ({ model: name, text }: Setting): string =>
  JSON.stringify({
    custom_id: 'one',
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: name, max_tokens: 9, messages: [{ role: 'user', content: text }] },
  });

const upload = (setting: Setting): Sent => {
  const head = 'Content-Disposition: form-data; name=';
  const body = [
    ...['--b', `${head}"purpose"`, '', 'batch'],
    ...['--b', `${head}"file"; filename="r.jsonl"`, 'Content-Type: application/jsonl', ''],
    ...[line(setting), '--b--', ''],
  ].join('\r\n');
  return { method: 'POST', path: '/v1/files', body, type: 'multipart/form-data; boundary=b' };
};

const live = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
const chat = ({ model: name, text }: Setting) => ({
  model: name,
  messages: [{ role: 'user', content: text }],
});

/** One request of each entry: an entry without one does not compile. */
export const calls: Readonly<Record<Entry, (setting: Setting) => Sent>> = {
  text: (setting) => post('/v1/chat/completions', chat(setting)),
  playground: (setting) =>
    post('/pg/chat/completions', { ...chat(setting), group: setting.group || undefined }),
  'count-tokens': (setting) => post('/v1/messages/count_tokens', chat(setting)),
  models: () => get('/v1/models'),
  model: () => get(`/v1/models/${model}`),
  response: () => get('/v1/responses/resp_1'),
  conversation: () => post('/v1/conversations', {}),
  realtime: ({ model: name }) => ({
    ...get(`/v1/realtime?model=${name}`),
    isSocket: true,
  }),
  live: ({ model: name }) => ({
    ...get(live),
    isSocket: true,
    frame: { setup: { model: `models/${name}` } },
  }),
  'response-socket': () => ({ ...get('/v1/responses'), isSocket: true }),
  'image-task': ({ text }) => post('/mj/submit/imagine', { prompt: text }),
  drawing: () => get('/mj/task/1/fetch'),
  drawings: () => post('/mj/task/list-by-condition', { ids: ['1'] }),
  'drawing-seed': () => get('/mj/task/1/image-seed'),
  'drawing-image': () => get('/mj/image/1'),
  'drawing-notify': () => post('/mj/notify', {}),
  'music-task': ({ text }) => post('/suno/submit/music', { gpt_description_prompt: text }),
  song: () => get('/suno/fetch/1'),
  songs: () => post('/suno/fetch', { ids: ['1'] }),
  'video-order': ({ model: name, text }) =>
    post('/v1/videos', { model: name === model ? videoModel : name, prompt: text }),
  videos: () => get('/v1/videos'),
  video: () => get('/v1/videos/video_1'),
  'video-content': () => get('/v1/videos/video_1/content'),
  'video-removal': () => remove('/v1/videos/video_1'),
  'file-upload': upload,
  files: () => get('/v1/files'),
  file: () => get('/v1/files/file-1'),
  'file-content': () => get('/v1/files/file-1/content'),
  'file-removal': () => remove('/v1/files/file-1'),
  'batch-order': ({ model: name, text }) =>
    post('/v1/messages/batches', {
      requests: [
        { custom_id: 'one', params: { max_tokens: 9, ...chat({ ...usual, model: name, text }) } },
      ],
    }),
  batches: () => get('/v1/batches'),
  batch: () => get('/v1/batches/batch_1'),
  'batch-cancel': () => post('/v1/batches/batch_1/cancel', {}),
  'batch-results': () => get('/v1/messages/batches/msgbatch_1/results'),
  'batch-removal': () => remove('/v1/messages/batches/msgbatch_1'),
  'cache-order': ({ model: name, text }) =>
    post('/v1beta/cachedContents', {
      model: `models/${name}`,
      contents: [{ role: 'user', parts: [{ text }] }],
    }),
  caches: () => get('/v1beta/cachedContents'),
  cache: () => get('/v1beta/cachedContents/a'),
  'cache-change': () => ({
    method: 'PATCH',
    path: '/v1beta/cachedContents/a',
    body: JSON.stringify({ ttl: '60s' }),
  }),
  'cache-removal': () => remove('/v1beta/cachedContents/a'),
  'needs-websocket': () => get('/v1/realtime'),
  'not-implemented': () => post('/v1/edits', {}),
};
