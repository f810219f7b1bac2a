import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { type ZodType, z } from 'zod';
import { type ReadSide, startReadSide, startTestPostgres } from './read-side.ts';
import { signedIn, tellStory } from './read-side-story.ts';

/** The people of the story. */
export const people = { root: 1, ada: 42 } as const;

type Headers = Readonly<Record<string, string>>;
const startApp = async (side: ReadSide) => {
  const app = Fastify();
  await side.projections.register(app);
  return app;
};

/** The read API over a log that tells the story, or another one. */
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
    const isFile = answer.headers['content-disposition'] !== undefined;
    return { status: answer.statusCode, body: isFile ? { success: true } : JSON.parse(payload) };
  };
  const get = (url: string, headers: Headers = {}) => call('GET', url, headers);
  const post = async (url: string, body: object, headers: Headers = {}) =>
    (await app.inject({ method: 'POST', url, headers, payload: body })).json();
  return {
    side,
    call,
    get,
    post,
    /** What a successful read gives, held against its contract. */
    data: async <T>(url: string, as: number, schema: ZodType<T>): Promise<T> => {
      const { body } = await get(url, signedIn(as));
      const parsed = z
        .object({ success: z.literal(true), message: z.string(), data: schema })
        .safeParse(body);
      if (parsed.success) return parsed.data.data as T;
      throw new Error(`${url}: ${parsed.error.message} ${JSON.stringify(body)}`);
    },
    stop: async () => {
      await app.close();
      await side.stop();
      await postgres.stop();
    },
  };
};
export type ReadApi = Awaited<ReturnType<typeof startReadApi>>;
