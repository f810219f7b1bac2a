import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRoutes, type ListedRoute } from '../support/all-routes.ts';
import { answerText } from '../support/answer-text.ts';
import { addChannel, addToken, type ConsoleClient, setUpSite } from '../support/console-client.ts';
import { type OddRequest, oddRequest, randomFrom } from '../support/odd-input.ts';
import { type Credentials, makePerson, someAddress } from '../support/people.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';

/** `FUZZ_REQUESTS=10000 FUZZ_SEED=… npx vitest …` for the long form, or to repeat a run. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 2_000);
const seed = Number(process.env.FUZZ_SEED ?? 20_260_421);
const atOnce = 8;

/** Represents what the product must keep to itself. */
const upstreamKey = 'sk-upstream-8c1f0a77d2';

let product: Product;
let root: ConsoleClient;
let callers: readonly Credentials[];
let secrets: readonly string[];

beforeAll(async () => {
  // Each login is sent from a separate address, by the header of a proxy in front.
  product = await startProduct({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  root = await setUpSite(product.url);
  const user = await makePerson(root, product.url, { username: 'user', rank: 'user' });
  const admin = await makePerson(root, product.url, { username: 'admin', rank: 'admin' });
  await addChannel(root, 'http://127.0.0.1:1', { key: upstreamKey });
  const { key } = await addToken(root);
  callers = [{}, user.session, admin.session, root.headers, { authorization: `Bearer ${key}` }];
  const cookies = callers.map(({ cookie = '' }) => cookie.slice('session='.length));
  const tokens = [user, admin].map(({ accessToken }) => accessToken.authorization?.slice(7) ?? '');
  secrets = [upstreamKey, key, 'correct-horse', ...cookies, ...tokens].filter(
    (text) => text !== '',
  );
});
afterAll(async () => {
  await product?.stop();
  if (product !== undefined) removeData(product);
});

const looksLikeAFault = /\bat .*\.(ts|js|mjs):\d+|node_modules|SyntaxError|TypeError|ZodError/;

/** Whoever leaves, or ends all sessions, is not there for the next request. */
const leaving: ReadonlySet<string> = new Set([
  'DELETE /api/user/self',
  'GET /api/user/logout',
  'DELETE /api/user/sessions',
  'DELETE /api/user/sessions/:id',
]);
const isTried = ({ key }: ListedRoute): boolean => !leaving.has(key);

type Asked = Readonly<{ request: OddRequest; as: Credentials }>;

/** What was wrong about the answer; null when it was a proper one. */
const problemOf = async ({ request, as }: Asked): Promise<string | null> => {
  const { method, path, body } = request;
  const answer = await fetch(`${product.url}${path}`, {
    method,
    headers: { ...someAddress(), ...as, 'content-type': 'application/json' },
    ...(body === null ? {} : { body }),
  });
  const text = await answerText(answer);
  const shown = `${method} ${path.slice(0, 300)} ${(body ?? '').slice(0, 500)}`;
  if (answer.status >= 500) return `${answer.status} ${text.slice(0, 300)} <- ${shown}`;
  if (looksLikeAFault.test(text)) return `a fault shows: ${text.slice(0, 300)} <- ${shown}`;
  return null;
};

test(`${requests} odd requests to every route neither break nor betray the product`, async () => {
  const random = randomFrom(seed);
  const routes = allRoutes.filter(isTried);
  const problems: string[] = [];
  let sent = 0;
  const sendSome = async (): Promise<void> => {
    while (sent < requests) {
      const route = routes[sent % routes.length];
      sent += 1;
      if (route === undefined) return;
      const as = callers[Math.floor(random() * callers.length)] ?? {};
      const problem = await problemOf({ request: oddRequest(random, route), as });
      if (problem !== null) problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendSome));
  expect(problems, `FUZZ_SEED=${seed}`).toEqual([]);
  const log = product.log();
  for (const secret of secrets) expect(log.includes(secret), 'a secret in the log').toBe(false);
  expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
  // An odd wish may be a valid one, such as another name for root; who root is does not change.
  const self = await root.ok('GET', '/api/user/self');
  expect(self).toMatchObject({ id: root.userId, role: 100, status: 1 });
}, 600_000);
