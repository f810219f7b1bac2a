import { ApiError } from './api/api-error.ts';
import { apiHeaders, failFrom, type Query, send, withQuery } from './api/client.ts';
import { isRecord } from './local-values.ts';

const saveBlob = (name: string, blob: Blob): void => {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};

export const saveFile = (name: string, text: string, type: string): void =>
  saveBlob(name, new Blob([text], { type }));

/** A refusal has status 200 and, unlike a file, no name. */
const refuseFrom = (response: Response, text: string): void => {
  const body: unknown = JSON.parse(text);
  if (!isRecord(body) || body.success !== false) return;
  throw new ApiError(typeof body.message === 'string' ? body.message : '', {
    kind: 'refused',
    status: response.status,
  });
};

/**
 * Saves what the server streams. A plain link would not do: the call carries the user's id in a
 * header. The browser keeps a long file on disk, not in memory.
 */
export const download = async (path: string, query: Query, name: string): Promise<void> => {
  const response = await send(withQuery(path, query), { headers: apiHeaders() });
  if (!response.ok) await failFrom(response);
  const isFile = response.headers.get('content-disposition') !== null;
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const blob = await response.blob();
  if (!isFile && isJson) refuseFrom(response, await blob.text());
  saveBlob(name, blob);
};
