import type { ServerResponse } from 'node:http';

type Asked = Readonly<{ url: string; type: string; body: Buffer }>;

/** "picture" in base64. */
const picture = { b64_json: 'cGljdHVyZQ==' };

const mediaPath = /^\/v1\/(?:images|audio|responses)\b/;
export const isMediaPath = (url: string): boolean => mediaPath.test(url);

/** The request, by the names of its fields; files are listed by their size. */
const fieldsOf = async ({ type, body }: Asked): Promise<Readonly<Record<string, unknown>>> => {
  if (!type.startsWith('multipart/')) return JSON.parse(body.toString('utf8'));
  const answer = new Response(new Uint8Array(body), { headers: { 'content-type': type } });
  const entries = [...(await answer.formData())];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value : value.size]),
  );
};

const send = (res: ServerResponse, value: object, status = 200): void => {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};

const searched = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  model: 'm',
  output: [
    { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'found it', annotations: [] }],
    },
  ],
  usage: { input_tokens: 12, output_tokens: 4, total_tokens: 16 },
};

/**
 * Draws, generates speech, transcribes and searches: just enough that a client library is content.
 */
export const answerMedia = async (asked: Asked, res: ServerResponse): Promise<void> => {
  const fields = await fieldsOf(asked);
  if (asked.body.includes('FAIL')) {
    const error = { message: 'no such thing', type: 'invalid_request_error', code: 'bad' };
    send(res, { error }, 400);
  } else if (asked.url.startsWith('/v1/images')) {
    const data = Array.from({ length: Number(fields.n ?? 1) }, () => picture);
    send(res, { created: 1_700_000_000, data });
  } else if (asked.url.startsWith('/v1/audio/speech')) {
    res.writeHead(200, { 'content-type': 'audio/mpeg' }).end(`sound of ${String(fields.input)}`);
  } else if (asked.url.startsWith('/v1/audio')) {
    send(res, { text: `heard ${String(fields.file)} bytes` });
  } else send(res, searched);
};
