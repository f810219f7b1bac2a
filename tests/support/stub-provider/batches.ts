import type { ServerResponse } from 'node:http';

type Json = Readonly<Record<string, unknown>>;
type Request = Readonly<{
  method: string;
  /** With query. */
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}>;

type StubBatch = {
  id: string;
  wire: 'openai' | 'anthropic';
  requests: readonly Json[];
  status: string;
  polls: number;
};

export type StubBatches = Readonly<{
  files: Map<string, Buffer>;
  batches: StubBatch[];
  /** What becomes of a batch at its second question; `completed` when absent. */
  end: { of: string };
  /** No content of a file is there any more. */
  lost: { of: boolean };
  /** Takes the lines of the results in hand. */
  lines: { of: (lines: readonly Json[]) => readonly (Json | string)[] };
  serve: (res: ServerResponse, request: Request) => Promise<void>;
}>;

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const at = (owner: unknown, name: string): unknown => (owner as Json | undefined)?.[name];
const textOf = (value: unknown): string => JSON.stringify(value);

/** Of each request: as many prompt tokens as its body has letters, and 7 of answer. */
export const usedBy = (body: unknown) => ({ prompt: textOf(body).length, completion: 7 });

const ended = new Set(['completed', 'expired', 'cancelled', 'failed', 'ended']);

/** A request whose prompt demands it is answered with an error, or not at all. */
const says = (request: Json, word: string): boolean => textOf(request).includes(word);

const openAiLine = (request: Json): Json => {
  const { prompt, completion } = usedBy(request.body);
  const isWrong = says(request, 'be refused');
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
  const answer = { object: 'chat.completion', model: at(request.body, 'model'), usage };
  const body = isWrong ? { error: { message: 'no' } } : answer;
  const response = { status_code: isWrong ? 400 : 200, request_id: 'req_up', body };
  return { id: 'batch_req_up', custom_id: request.custom_id, response, error: null };
};

const anthropicLine = (request: Json): Json => {
  const { prompt, completion } = usedBy(request.params);
  const usage = { input_tokens: prompt, output_tokens: completion };
  const message = { type: 'message', model: at(request.params, 'model'), usage };
  const result = says(request, 'be refused')
    ? { type: 'errored', error: { type: 'invalid_request' } }
    : { type: 'succeeded', message };
  return { custom_id: request.custom_id, result };
};

const checkRequests = (requests: readonly Json[], bodyName: string): void => {
  const ids = requests.map(({ custom_id }) => custom_id);
  if (requests.length === 0) throw new Refusal(400, 'empty');
  if (new Set(ids).size !== ids.length) throw new Refusal(400, 'duplicate custom_id');
  const models = new Set(requests.map((request) => at(at(request, bodyName), 'model')));
  if (models.size !== 1) throw new Refusal(400, 'mismatched_model');
};

const json = (res: ServerResponse, status: number, value: unknown): void => {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};

/** OpenAI's files and batches and Anthropic's message batches, with the rules of each. */
export const createStubBatches = (isKey: (key: string) => boolean): StubBatches => {
  const files = new Map<string, Buffer>();
  const batches: StubBatch[] = [];
  const end = { of: 'completed' };
  const lost = { of: false };
  const lines: StubBatches['lines'] = { of: (own) => own };
  let count = 0;

  const fileOf = (id: string): Buffer => {
    const file = files.get(id);
    if (file === undefined) throw new Refusal(404, `No such File object: ${id}`);
    return file;
  };
  const keep = (bytes: Buffer): string => {
    count += 1;
    const id = `file-up${count}`;
    files.set(id, bytes);
    return id;
  };
  const shownFile = (id: string): Json => {
    const shown = { id, object: 'file', bytes: fileOf(id).length, purpose: 'batch' };
    return { ...shown, filename: 'requests.jsonl', status: 'processed', created_at: 1 };
  };

  const upload = async ({ headers, body }: Request): Promise<Json> => {
    const type = String(headers['content-type'] ?? '');
    const own = new Response(new Uint8Array(body), { headers: { 'content-type': type } });
    const form = await own.formData();
    const file = form.get('file');
    if (form.get('purpose') !== 'batch' || !(file instanceof File)) throw new Refusal(400, 'form');
    return shownFile(keep(Buffer.from(await file.arrayBuffer())));
  };

  const results = ({ wire, requests, status }: StubBatch): Buffer => {
    const line = wire === 'openai' ? openAiLine : anthropicLine;
    const done = status === 'expired' || status === 'cancelled' ? requests.slice(0, 1) : requests;
    const texts = lines
      .of(done.map(line))
      .map((own) => (typeof own === 'string' ? own : textOf(own)));
    return Buffer.from(texts.map((text) => `${text}\n`).join(''));
  };
  const move = (batch: StubBatch): void => {
    batch.polls += 1;
    if (ended.has(batch.status)) return;
    if (batch.polls === 1) batch.status = 'in_progress';
    else if (batch.wire === 'anthropic') batch.status = 'ended';
    else batch.status = batch.status === 'cancelling' ? 'cancelled' : end.of;
  };
  const outputs = new Map<StubBatch, string>();
  const shownOpenAi = (batch: StubBatch): Json => {
    const hasOutput = ended.has(batch.status) && batch.status !== 'failed';
    if (hasOutput && !outputs.has(batch)) outputs.set(batch, keep(results(batch)));
    const total = batch.requests.length;
    const failed = {
      object: 'list',
      data: [{ code: 'token_limit', message: 'Enqueued too much at https://internal.example/v1' }],
    };
    return {
      id: batch.id,
      object: 'batch',
      status: batch.status,
      output_file_id: outputs.get(batch),
      request_counts: { total, completed: hasOutput ? total : 0, failed: 0 },
      errors: batch.status === 'failed' ? failed : null,
      created_at: 1,
    };
  };
  const shownAnthropic = (batch: StubBatch): Json => ({
    id: batch.id,
    type: 'message_batch',
    processing_status: batch.status,
    request_counts: {
      processing: batch.status === 'ended' ? 0 : batch.requests.length,
      succeeded: batch.status === 'ended' ? batch.requests.length : 0,
      errored: 0,
      canceled: 0,
      expired: 0,
    },
    created_at: '2026-03-01T08:00:00Z',
    expires_at: '2026-03-02T08:00:00Z',
    ended_at: batch.status === 'ended' ? '2026-03-01T09:00:00Z' : null,
    results_url: batch.status === 'ended' ? 'https://provider.example/results' : null,
  });
  const add = (wire: StubBatch['wire'], requests: readonly Json[]): StubBatch => {
    const id = `${wire === 'openai' ? 'batch' : 'msgbatch'}_up${batches.length + 1}`;
    const status = wire === 'openai' ? 'validating' : 'in_progress';
    const batch: StubBatch = { id, wire, requests, status, polls: 0 };
    batches.push(batch);
    return batch;
  };
  const create = (body: Json): Json => {
    if (body.completion_window !== '24h') throw new Refusal(400, 'completion_window');
    const text = fileOf(String(body.input_file_id)).toString('utf8');
    const requests = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Json);
    checkRequests(requests, 'body');
    if (requests.some(({ url }) => url !== body.endpoint)) throw new Refusal(400, 'mismatched url');
    return shownOpenAi(add('openai', requests));
  };
  const createMessages = (body: Json): Json => {
    const requests = body.requests as readonly Json[];
    checkRequests(requests, 'params');
    const isOpen = requests.some(({ params }) => typeof at(params, 'max_tokens') !== 'number');
    if (isOpen) throw new Refusal(400, 'max_tokens: Field required');
    return shownAnthropic(add('anthropic', requests));
  };
  const find = (id: string | undefined): StubBatch => {
    const batch = batches.find((one) => one.id === id);
    if (batch === undefined) throw new Refusal(404, `No batch found with id '${id}'.`);
    return batch;
  };

  const ofFile = async (request: Request, [id, part]: readonly (string | undefined)[]) => {
    if (id === undefined) return upload(request);
    if (part === 'content' && lost.of) throw new Refusal(404, 'No such File object');
    if (part === 'content') return fileOf(id);
    if (request.method !== 'DELETE') return shownFile(id);
    fileOf(id);
    files.delete(id);
    return { id, object: 'file', deleted: true };
  };
  const cancel = (batch: StubBatch): void => {
    if (ended.has(batch.status)) throw new Refusal(409, 'has ended');
    batch.status = batch.wire === 'openai' ? 'cancelling' : 'canceling';
    batch.polls = 1;
  };
  const remove = (batch: StubBatch): Json => {
    batches.splice(batches.indexOf(batch), 1);
    return { id: batch.id, type: 'message_batch_deleted' };
  };
  const ofBatch = ({ method }: Request, batch: StubBatch, part: string | undefined) => {
    if (part === 'results') {
      if (batch.status !== 'ended') throw new Refusal(404, 'no results yet');
      return results(batch);
    }
    if (method === 'DELETE') return remove(batch);
    if (part === 'cancel') cancel(batch);
    else move(batch);
    return batch.wire === 'openai' ? shownOpenAi(batch) : shownAnthropic(batch);
  };
  const ofBatches = (request: Request, [messages, id, part]: readonly (string | undefined)[]) => {
    if (id !== undefined) return ofBatch(request, find(id), part);
    const given = JSON.parse(request.body.toString('utf8')) as Json;
    return messages === undefined ? create(given) : createMessages(given);
  };

  const answer = async (request: Request): Promise<Json | Buffer> => {
    const { url, headers } = request;
    const bearer = /^Bearer (.+)$/.exec(String(headers.authorization ?? ''))?.[1];
    if (!isKey(bearer ?? String(headers['x-api-key'] ?? ''))) throw new Refusal(401, 'bad key');
    const [path = ''] = url.split('?');
    const file = /^\/v1\/files(?:\/([^/]+)(?:\/(content))?)?$/.exec(path);
    if (file !== null) return ofFile(request, file.slice(1));
    const batch = /^\/v1\/(messages\/)?batches(?:\/([^/]+)(?:\/(cancel|results))?)?$/.exec(path);
    if (batch === null) throw new Refusal(404, 'Unknown path');
    return ofBatches(request, batch.slice(1));
  };

  return {
    files,
    batches,
    end,
    lost,
    lines,
    serve: async (res, request) => {
      try {
        const said = await answer(request);
        if (!Buffer.isBuffer(said)) return json(res, 200, said);
        res.writeHead(200, { 'content-type': 'application/octet-stream' }).end(said);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        json(res, error.status, {
          error: { message: error.message, type: 'invalid_request_error' },
        });
      }
    },
  };
};
