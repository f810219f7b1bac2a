import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Access, allRoutes, type ListedRoute } from '../support/all-routes.ts';
import { answerText } from '../support/answer-text.ts';
import { type ConsoleClient, rootUser, setUpSite } from '../support/console-client.ts';
import { type Credentials, makePerson, type Person, someAddress } from '../support/people.ts';
import { type Product, removeData, startProduct } from '../support/product.ts';

let product: Product;
let root: ConsoleClient;
const people: Record<'user' | 'admin' | 'banned' | 'deleted', Person> = {} as never;

beforeAll(async () => {
  // Each login is sent from a separate address, by the header of a proxy in front.
  product = await startProduct({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  root = await setUpSite(product.url);
  for (const username of ['user', 'admin', 'banned', 'deleted'] as const) {
    const rank = username === 'user' ? 'user' : 'admin';
    people[username] = await makePerson(root, product.url, { username, rank });
  }
  await root.ok('POST', '/api/user/manage', { id: people.banned.id, action: 'disable' });
  await root.ok('POST', '/api/user/manage', { id: people.deleted.id, action: 'delete' });
});
afterAll(async () => {
  await product?.stop();
  if (product !== undefined) removeData(product);
});

type Outcome = Readonly<{ status: number; code: string }>;
type Who = Readonly<{ id: number; credentials: Credentials }>;

/** Calls with a body that no route accepts: the guard is tested, not what is behind it. */
const call = async ({ method, url }: ListedRoute, { id, credentials }: Who): Promise<Outcome> => {
  const path = url.replace(':userId', String(id)).replace(/:\w+/, '999999999');
  const answer = await fetch(`${product.url}${path}`, {
    method,
    headers: { ...someAddress(), ...credentials, 'content-type': 'application/json' },
    ...(method === 'POST' || method === 'PUT' ? { body: '[]' } : {}),
  });
  const text = await answerText(answer);
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson ? (JSON.parse(text) as { code?: string; error?: { code?: string } }) : {};
  return { status: answer.status, code: body.code ?? body.error?.code ?? '' };
};

/** A login that did not begin in this browser is answered by its route, for any caller. */
const isOfALogin = (code: string): boolean => code.startsWith('login.');
const isTurnedAway = ({ status, code }: Outcome): boolean =>
  status === 401 ||
  (status === 403 && !isOfALogin(code)) ||
  status === 429 ||
  code.startsWith('auth.');
const isServed = (outcome: Outcome): boolean => !isTurnedAway(outcome) && outcome.status < 500;

const ranks: Readonly<Record<'user' | 'admin' | 'root', number>> = {
  user: 1,
  admin: 10,
  root: 100,
};
const needs = (access: Access): number | null =>
  access === 'user' || access === 'admin' || access === 'root' ? ranks[access] : null;

const nobody: Who = { id: 1, credentials: {} };
const bySession = ({ id, session }: Person): Who => ({ id, credentials: session });
const byToken = ({ id, accessToken }: Person): Who => ({ id, credentials: accessToken });

/** Whoever leaves or logs out by these routes is not there for the next one. */
const leaving: readonly string[] = [
  'GET /api/user/logout',
  'DELETE /api/user/self',
  'DELETE /api/user/sessions',
];
let leavers = 0;
const inRank = async ({ key }: ListedRoute, rank: 'user' | 'admin'): Promise<Who> => {
  if (!leaving.includes(key)) return bySession(people[rank]);
  leavers += 1;
  return bySession(await makePerson(root, product.url, { username: `leaver-${leavers}`, rank }));
};
describe.each(allRoutes)('$key is for $access', (route) => {
  const { access } = route;
  const rank = needs(access);

  if (access === 'public' || access === 'visitor') {
    test('everybody is served', async () => {
      const everybody = [nobody, await inRank(route, 'user'), bySession(people.banned)];
      for (const who of everybody) expect(await call(route, who)).toSatisfy(isServed);
    });
    return;
  }

  if (access === 'token') {
    test('neither a session nor an access token opens it', async () => {
      const root1 = { id: 1, credentials: root.headers };
      for (const who of [nobody, bySession(people.admin), byToken(people.admin), root1]) {
        expect(await call(route, who)).toMatchObject({ status: 401, code: 'invalid_api_key' });
      }
    });
    return;
  }

  test('strangers, and banned or deleted users, are turned away', async () => {
    const notSignedIn = { status: 401, code: 'auth.not-signed-in' };
    expect(await call(route, nobody)).toEqual(notSignedIn);
    expect(await call(route, bySession(people.deleted))).toEqual(notSignedIn);
    const banned = { status: 200, code: 'auth.banned' };
    expect(await call(route, bySession(people.banned))).toEqual(banned);
    expect(await call(route, byToken(people.banned))).toEqual(banned);
    const gone = { status: 200, code: 'auth.invalid-access-token' };
    expect(await call(route, byToken(people.deleted))).toEqual(gone);
  });

  test('the header has to name the one who is signed in', async () => {
    const as = (header: Credentials): Who => {
      const { 'new-api-user': _, ...credentials } = people.admin.session;
      return { id: 1, credentials: { ...credentials, ...header } };
    };
    const mismatch = { status: 401, code: 'auth.user-header-mismatch' };
    expect(await call(route, as({ 'new-api-user': '1' }))).toEqual(mismatch);
    const malformed = { status: 401, code: 'auth.user-header-malformed' };
    expect(await call(route, as({ 'new-api-user': 'admin' }))).toEqual(malformed);
    expect(await call(route, as({}))).toEqual({ status: 401, code: 'auth.user-header-missing' });
  });

  test('the rank decides', async () => {
    for (const own of ['user', 'admin'] as const) {
      const outcome = await call(route, await inRank(route, own));
      if (ranks[own] >= (rank ?? 0)) expect(outcome).toSatisfy(isServed);
      else expect(outcome).toEqual({ status: 200, code: 'auth.not-allowed' });
    }
    const superAdmin = { id: 1, credentials: root.headers };
    expect(await call(route, superAdmin)).toSatisfy(isServed);
    if (leaving.includes(route.key)) await root.login(rootUser.username, rootUser.password);
  });
});
