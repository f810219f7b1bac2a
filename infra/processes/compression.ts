import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Below this a compressed answer saves less than it costs; bytes. */
const threshold = 1024;
/** Text and JSON, but no server-sent events: each of those is to arrive when it is written. */
const compressible = /^(text\/(?!event-stream)|application\/(.+\+)?json)/;

/** Compresses the answers of every route that this scope registers from here on. */
export const compressAnswers = async (scope: FastifyInstance): Promise<void> => {
  await scope.register(compress, {
    threshold,
    encodings: ['br', 'gzip'],
    customTypes: compressible,
    // Bodies of requests are read as they arrive.
    globalDecompression: false,
  });
};

type Register = (app: FastifyInstance) => Promise<void>;

/** The same routes, in a scope of their own whose answers are compressed where the client takes it. */
export const compressed =
  (register: Register): Register =>
  async (app) => {
    await app.register(async (scope) => {
      await compressAnswers(scope);
      await register(scope);
    });
  };
