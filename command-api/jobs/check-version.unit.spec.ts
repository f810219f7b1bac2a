import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { SiteOptions } from '../options/site-options.ts';
import { checkVersion } from './check-version.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** A releases page whose latest is this. */
const releasesPage = async (tag: string): Promise<string> => {
  const page = createServer((_request, response) => {
    response.end(JSON.stringify({ tag_name: tag }));
  });
  server = page;
  await new Promise<void>((listening) => page.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(page.address() as AddressInfo).port}/latest`;
};

const run = (address: string) => {
  const options = { text: async () => address } as unknown as SiteOptions;
  const { signal } = new AbortController();
  return checkVersion({ options }, '1.2.0').run({ signal } as never);
};

test('a release of another number is newer, with or without the letter before it', async () => {
  expect(await run(await releasesPage('v1.3.0'))).toEqual({ newer: 1 });
  server?.close();
  expect(await run(await releasesPage('v1.2.0'))).toEqual({ newer: 0 });
});

test('a page that does not answer is reported as such', async () => {
  const address = await releasesPage('v1.3.0');
  await new Promise((closed) => server?.close(closed));
  await expect(run(address)).rejects.toThrow('the releases page could not be reached');
});
