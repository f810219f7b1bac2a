import type { Msg } from 'nats';
import type { Bus } from '../../ports/bus.ts';
import { defaultRequestTimeoutMs } from '../memory/memory-messages.ts';
import { type NatsLink, reaching } from './nats-link.ts';

type Reply = Readonly<{ body?: unknown } | { fault: Readonly<{ name: string; message: string }> }>;

/** `undefined` has no JSON and travels as no bytes. */
const encode = (body: unknown): string => JSON.stringify(body) ?? '';
const decode = (message: Msg): unknown => {
  const text = message.string();
  return text === '' ? undefined : JSON.parse(text);
};

const faultOf = (error: unknown): Reply => ({
  fault: {
    name: error instanceof Error ? error.name : 'Error',
    message: error instanceof Error ? error.message : String(error),
  },
});

const answer = async (message: Msg, handler: (body: unknown) => Promise<unknown>) => {
  const reply = await Promise.resolve()
    .then(() => handler(decode(message)))
    .then((body): Reply => ({ body }), faultOf);
  message.respond(encode(reply));
};

export const createNatsMessages = (
  link: NatsLink,
): Pick<Bus, 'request' | 'serve' | 'publish' | 'subscribe'> => {
  const { connection, logger } = link;
  const full = (subject: string): string => `${link.namespace}.${subject}`;

  const ask = (subject: string, body: unknown, timeoutMs: number): Promise<Reply> =>
    reaching(link, subject, async () => {
      const message = await connection.request(full(subject), encode(body), { timeout: timeoutMs });
      return message.json<Reply>();
    });

  return {
    request: async <Req, Res>(
      subject: string,
      body: Req,
      { timeoutMs = defaultRequestTimeoutMs }: Readonly<{ timeoutMs?: number }> = {},
    ) => {
      const reply = await ask(subject, body, timeoutMs);
      if ('fault' in reply) {
        throw Object.assign(new Error(reply.fault.message), { name: reply.fault.name });
      }
      return reply.body as Res;
    },
    serve: async <Req, Res>(subject: string, handler: (body: Req) => Promise<Res>) => {
      const subscription = connection.subscribe(full(subject), {
        queue: 'servers',
        callback: (error, message) => {
          if (error !== null) return logger.error({ err: error, subject }, 'serving failed');
          void answer(message, (body) => handler(body as Req));
        },
      });
      await connection.flush();
      return async () => {
        if (!subscription.isClosed() && !connection.isClosed()) await subscription.drain();
      };
    },
    publish: (subject, body) => {
      try {
        connection.publish(full(subject), encode(body));
      } catch (err) {
        logger.debug({ err, subject }, 'not published');
      }
    },
    subscribe: async <T>(subject: string, handler: (body: T) => void) => {
      const subscription = connection.subscribe(full(subject), {
        callback: (error, message) => {
          try {
            if (error !== null) throw error;
            handler(decode(message) as T);
          } catch (err) {
            logger.error({ err, subject }, 'a subscriber failed');
          }
        },
      });
      await connection.flush();
      return async () => subscription.unsubscribe();
    },
  };
};
