type Bounds = Readonly<{ timeoutMs: number; maxBytes: number }>;
export type BoundedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A browser waits for the answer, and no answer about a person is longer than this. */
const defaultBounds: Bounds = { timeoutMs: 5_000, maxBytes: 1024 * 1024 };

const readUpTo = async (response: Response, maxBytes: number): Promise<Uint8Array[]> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(bytes);
  }
  return chunks;
};

/**
 * `fetch` with a limit for the whole answer, in time and after decompression in size. Redirects are
 * not followed: secrets go to the address that the operator named and nowhere else.
 */
export const createBoundedFetch =
  ({ timeoutMs, maxBytes }: Bounds = defaultBounds): BoundedFetch =>
  async (url, init = {}) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    const body = Buffer.concat(await readUpTo(response, maxBytes));
    const { status, headers } = response;
    const hasBody = status !== 204 && status !== 205 && status !== 304;
    return new Response(hasBody ? body : null, { status, headers });
  };
