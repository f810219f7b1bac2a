import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isCachePath, serveCaches } from './cached-contents.ts';
import { type GoogleHosts, startGoogleHosts } from './google-hosts.ts';
import { answerTo, type Conversation, type Counted, Unauthorized, Violation } from './scene.ts';
import { routeOf } from './shapes.ts';
import type { Shape, UpstreamCall } from './types.ts';
import { objectOf, sendJson } from './wire.ts';

export type Upstreams = Readonly<{
  url: string;
  /** For channels of Vertex AI. */
  proxyUrl: string;
  /** What was billed since the last time, and which rules were broken. */
  take: () => Readonly<{ billed: readonly Counted[]; broken: readonly string[] }>;
  close: () => Promise<void>;
}>;

const callOf = async (req: IncomingMessage): Promise<UpstreamCall> => {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const url = new URL(req.url ?? '/', 'http://stub');
  return {
    method: req.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: req.headers,
    text,
    body: objectOf(JSON.parse(text || '{}')),
  };
};

type Refused = Readonly<{ status: number; message: string }>;

/** @throws what is no broken rule */
const refusalOf = (error: unknown): Refused => {
  if (error instanceof Violation) return { status: 400, message: error.message };
  if (error instanceof Unauthorized) return { status: 401, message: error.message };
  throw error;
};

const read = (shape: Shape, call: UpstreamCall): Conversation | Refused => {
  try {
    return shape.read(call);
  } catch (error) {
    return refusalOf(error);
  }
};

/** Providers of six shapes that refuse what the real ones refuse, and bill what they answer. */
export const startUpstreams = async (): Promise<Upstreams> => {
  let billed: Counted[] = [];
  let broken: string[] = [];
  let count = 0;

  const answer = (call: UpstreamCall, res: ServerResponse): void => {
    if (isCachePath(call.path)) {
      billed.push(...serveCaches(call, res));
      return;
    }
    const route = routeOf(call.path);
    if (route === undefined) {
      broken.push(`no such path: ${call.path}`);
      sendJson(res, 404, { error: { message: `no such path: ${call.path}` } });
      return;
    }
    const { shape, name } = route;
    const conversation = read(shape, call);
    if ('status' in conversation) {
      broken.push(conversation.message);
      shape.fail(res, conversation.status, conversation.message);
      return;
    }
    const own = answerTo(conversation, name);
    if (own.kind === 'failure') {
      shape.fail(res, own.status, own.message);
      return;
    }
    count += 1;
    const { model, cached = 0 } = conversation;
    const counted = { model, prompt: 100 + count + cached, completion: 20 + (count % 50) };
    billed.push(counted);
    shape.send(res, { id: `stub${count}`, conversation, answer: own, counted });
  };
  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    callOf(req)
      .then((call) => answer(call, res))
      .catch((error: unknown) => {
        broken.push(String(error));
        if (res.headersSent) res.destroy();
        else sendJson(res, 400, { error: { message: String(error) } });
      });
  };
  const server = createServer(serve);
  const google: GoogleHosts = await startGoogleHosts(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    proxyUrl: google.proxyUrl,
    take: () => {
      const taken = { billed, broken };
      billed = [];
      broken = [];
      return taken;
    },
    close: async () => {
      await google.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
};
