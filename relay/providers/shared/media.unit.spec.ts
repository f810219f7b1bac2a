import { expect, test } from 'vitest';
import { fakeIo } from '../../../tests/support/vectors/context.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import type { HttpReply, ProviderIo } from '../../upstream/types.ts';
import { createMediaLoader, maxMediaBytes } from './media.ts';

const png = 'iVBORw0KGgo=';
const answering = (reply: Partial<HttpReply>): ProviderIo => ({
  ...fakeIo(),
  fetch: async () => ({ status: 200, headers: {}, body: Buffer.from(png, 'base64'), ...reply }),
});
const load = (source: string, io: ProviderIo = fakeIo()): Promise<unknown> =>
  orRefusal(() => createMediaLoader(io)(source));
const url = 'https://img.example.com/a';

test('a data URL is taken apart, whatever parameters it has', async () => {
  const due = { mimeType: 'image/png', data: png };
  expect(await load(`data:image/png;base64,${png}`)).toEqual(due);
  expect(await load(`data:image/png;name=a.png;base64,${png}`)).toEqual(due);
});

test('bare base64 is recognised by its first bytes, and text is none', async () => {
  expect(await load(png)).toEqual({ mimeType: 'image/png', data: png });
  expect(await load('hello there')).toMatchObject({ status: 400 });
});

test('the type of a file is what its host reports, or what its bytes show', async () => {
  const webp = answering({ headers: { 'content-type': 'image/webp; charset=x' } });
  expect(await load(url, webp)).toMatchObject({ mimeType: 'image/webp' });
  const vague = answering({ headers: { 'content-type': 'application/octet-stream' } });
  expect(await load(url, vague)).toMatchObject({ mimeType: 'image/png' });
});

test('missing and oversized files are the mistake of the caller', async () => {
  expect(await load(url, answering({ status: 404 }))).toMatchObject({ status: 400 });
  const huge = answering({ body: Buffer.alloc(maxMediaBytes + 1) });
  expect(await load(url, huge)).toMatchObject({ status: 400, code: 'invalid_request' });
});
