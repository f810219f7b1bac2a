import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import type { Returned } from '../../infra/web/route.ts';
import type { ReadRoutes, RouteKey } from '../../projections/contract/routes.ts';
import { checkAnswer } from './declared-routes.ts';
import { type ReadSide, startReadSide, startTestPostgres } from './read-side.ts';
import { signedIn, tellStory } from './read-side-story.ts';

/** The people of the story. */
export const people = { root: 1, ada: 42 } as const;

type ReadUrl = RouteKey extends infer K ? (K extends `GET ${infer U}` ? U : never) : never;
type DataOf<U extends ReadUrl> = Returned<ReadRoutes[`GET ${U}`], 'data'>;

type Headers = Readonly<Record<string, string>>;
const startApp = async (side: ReadSide) => {
  const app = Fastify();
  await side.projections.register(app);
  return app;
};

/** The read API over a log with the story, or another one. */
export const startReadApi = async (tell = tellStory) => {
  const postgres = await startTestPostgres();
  const side = await startReadSide(postgres);
  await tell(side);
  await side.settle();
  const app = await startApp(side);
  const call = async (method: string, url: string, headers: Headers = {}) => {
    const asked = { method: method === 'POST' ? 'POST' : 'GET', url, headers } as const;
    const answer = await app.inject({ ...asked, payloadAsStream: true });
    const type = String(answer.headers['content-type'] ?? '');
    if (type.startsWith('text/event-stream')) {
      answer.stream().destroy();
      return { status: answer.statusCode, body: { success: true } };
    }
    const payload = await text(answer.stream());
    const { statusCode: status } = answer;
    if (type.startsWith('text/csv')) return { status, body: { success: true } };
    const body = JSON.parse(payload);
    checkAnswer(`${method} ${url}`, status, body);
    return { status, body: Array.isArray(body) ? { success: true } : body };
  };
  const get = (url: string, headers: Headers = {}) => call('GET', url, headers);
  const post = async (url: string, payload: object, headers: Headers = {}) => {
    const answer = await app.inject({ method: 'POST', url, headers, payload });
    checkAnswer(`POST ${url}`, answer.statusCode, answer.json());
    return answer.json();
  };
  return {
    side,
    call,
    get,
    post,
    /** Data of a successful read. `rest` replaces the parameter of the path and follows it. */
    data: async <U extends ReadUrl>(route: U, as: number, rest = ''): Promise<DataOf<U>> => {
      const url = route.replace(/:.*$/, '') + rest;
      const { body } = await get(url, signedIn(as));
      if (body.success !== true) throw new Error(`${url}: ${JSON.stringify(body)}`);
      return body.data;
    },
    stop: async () => {
      await app.close();
      await side.stop();
      await postgres.stop();
    },
  };
};
export type ReadApi = Awaited<ReturnType<typeof startReadApi>>;
