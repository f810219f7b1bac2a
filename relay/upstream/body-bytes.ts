import type { HttpRequest } from './types.ts';

export type BodyBytes = Readonly<{
  body: Buffer;
  /** Of forms alone: it names the border between their parts. */
  contentType: string | null;
}>;

/** A body as it goes over the wire. */
export const bodyBytes = async ({ body }: HttpRequest): Promise<BodyBytes> => {
  if (body === null) return { body: Buffer.alloc(0), contentType: null };
  if (!(body instanceof FormData)) {
    return { body: typeof body === 'string' ? Buffer.from(body) : body, contentType: null };
  }
  const encoded = new Response(body);
  const bytes = Buffer.from(await encoded.arrayBuffer());
  return { body: bytes, contentType: encoded.headers.get('content-type') };
};
