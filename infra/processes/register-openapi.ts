import type { FastifyInstance } from 'fastify';
import { compressAnswers } from './compression.ts';
import { openApiDocument } from './openapi/document.ts';
import { openApiPage, openApiScript } from './openapi/page.ts';

const cached = 'public, max-age=300';
const onlyOwnScripts = "default-src 'self'; style-src 'unsafe-inline'";

/** `/api/openapi.json`, and `/api/docs` to read it. Made at the first request. */
export const registerOpenApi = (app: FastifyInstance, version: string): void => {
  let text: string | null = null;
  void app.register(async (scope) => {
    await compressAnswers(scope);
    scope.get('/api/openapi.json', async (_, reply) => {
      text ??= JSON.stringify(openApiDocument(version));
      return reply.type('application/json').header('cache-control', cached).send(text);
    });
    scope.get('/api/docs', async (_, reply) =>
      reply
        .type('text/html')
        .header('cache-control', cached)
        .header('content-security-policy', onlyOwnScripts)
        .send(openApiPage),
    );
    scope.get('/api/docs/page.js', async (_, reply) =>
      reply.type('text/javascript').header('cache-control', cached).send(openApiScript),
    );
  });
};
