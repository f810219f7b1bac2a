import { afterAll, beforeAll, expect, test } from 'vitest';
import { chat } from '../support/chat.ts';
import {
  addChannel,
  addToken,
  ConsoleClient,
  rootUser,
  self,
  setUpSite,
} from '../support/console-client.ts';
import { freePort } from '../support/free-port.ts';
import { type StubProvider, startStubProvider } from '../support/stub-provider/server.ts';
import { docker, logOf, networkField, requireDocker } from './docker.ts';
import { eachSecond } from './each-second.ts';
import { buildProductImage } from './images.ts';

/* The image alone with one volume, as the README starts it: `npm run test:cluster`. */

const volume = `tollgate-test-${process.pid}`;
let image: string;
let provider: StubProvider | undefined;
let url: string;
let container: string | undefined;

const askMs = 3_000;

const start = async (): Promise<void> => {
  const begun = performance.now();
  const port = await freePort();
  container = await docker(
    ...['run', '--detach', '--publish', `127.0.0.1:${port}:3000`, '--volume', `${volume}:/data`],
    ...['--stop-timeout', '90', image],
  );
  url = `http://127.0.0.1:${port}`;
  await eachSecond(async () => {
    // Docker accepts connections before the product does, and may leave one without an end.
    const signal = AbortSignal.timeout(askMs);
    const answer = await fetch(`${url}/readyz`, { signal }).catch(() => null);
    expect(answer?.status, await logOf(container ?? '')).toBe(200);
  }, 180_000);
  console.log(`the all-in-one is ready after ${Math.round((performance.now() - begun) / 1_000)} s`);
};
const untilCharged = async (count: number): Promise<void> => {
  const admin = new ConsoleClient(url);
  await eachSecond(() => admin.login(rootUser.username, rootUser.password));
  await eachSecond(async () => expect((await self(admin)).request_count).toBe(count));
};
const exitCode = (id: string): Promise<string> =>
  docker('inspect', '--format', '{{.State.ExitCode}}', id);

beforeAll(async () => {
  requireDocker();
  image = buildProductImage();
}, 1_800_000);
afterAll(async () => {
  await provider?.close();
  if (container !== undefined) await docker('rm', '--force', '--volumes', container);
  await docker('volume', 'rm', '--force', volume);
}, 120_000);

test('it serves, ends by SIGTERM, and another container finds all on the volume', async () => {
  await start();
  const first = container ?? expect.unreachable('it was started');
  provider = await startStubProvider({ host: await networkField(first, 'bridge', 'Gateway') });
  const admin = await setUpSite(url);
  await addChannel(admin, provider.url);
  const { key } = await addToken(admin);
  const ask = async (): Promise<void> =>
    expect(await chat(url, key, {})).toMatchObject({ status: 200, complete: true });
  await eachSecond(ask, 30_000);

  await docker('stop', first);
  expect(await exitCode(first), await logOf(first)).toBe('0');
  await docker('rm', first);
  await start();

  await ask();
  await untilCharged(2);
});

test('what was killed is found again', async () => {
  const killed = container ?? expect.unreachable('it was started');
  await docker('kill', '--signal=KILL', killed);
  await docker('rm', killed);
  await start();
  await untilCharged(2);
});
