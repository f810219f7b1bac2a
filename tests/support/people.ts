import type { ConsoleClient } from './console-client.ts';

const password = 'correct-horse';

/** The credentials of a person. */
export type Credentials = Readonly<Record<string, string>>;
export type Person = Readonly<{ id: number; session: Credentials; accessToken: Credentials }>;
type Rank = 'user' | 'admin';

/** Signs in from a separate address, so that the limit of attempts does not stop the test. */
let addresses = 0;
export const someAddress = (): Credentials => {
  addresses += 1;
  return {
    'x-forwarded-for': `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`,
  };
};

const login = async (url: string, username: string): Promise<{ id: number; cookie: string }> => {
  const answer = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...someAddress() },
    body: JSON.stringify({ username, password }),
  });
  const { data } = (await answer.json()) as { data: { id: number } };
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { id: data.id, cookie };
};

/** Makes an account and signs it in, by session and by access token. */
export const makePerson = async (
  root: ConsoleClient,
  url: string,
  { username, rank }: Readonly<{ username: string; rank: Rank }>,
): Promise<Person> => {
  await root.ok('POST', '/api/user/', { username, password });
  const { id } = await login(url, username);
  if (rank === 'admin') await root.ok('POST', '/api/user/manage', { id, action: 'promote' });
  const { cookie } = await login(url, username);
  const session = { cookie, 'new-api-user': String(id) };
  const answer = await fetch(`${url}/api/user/token`, { headers: session });
  const { data: token } = (await answer.json()) as { data: string };
  return {
    id,
    session,
    accessToken: { authorization: `Bearer ${token}`, 'new-api-user': String(id) },
  };
};
