/*
 * An operator's script: sets up a channel, a user with quota, and that user's API key.
 *
 * ACCESS_TOKEN and USER_ID are those of an administrator; the console makes the token under
 * Personal settings.
 * Every call with an access token names its user in `New-Api-User`. An `Idempotency-Key` makes a
 * call safe to repeat: the same key with the same body is done once.
 */
import { randomUUID } from 'node:crypto';

const {
  TOLLGATE_URL = 'http://localhost:3000',
  ACCESS_TOKEN,
  USER_ID,
  PROVIDER_URL = 'https://api.openai.com',
  PROVIDER_KEY = 'sk-upstream',
  MODEL = 'gpt-4o-mini',
  NEW_USER = `user-${randomUUID().slice(0, 6)}`,
} = process.env;

/** `data` of the answer. A refusal has HTTP 200, `success: false`, and a code that stays the same. */
const createClient = (headers) => async (method, path, body) => {
  const answer = await fetch(`${TOLLGATE_URL}${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'Accept-Language': 'en',
      'Idempotency-Key': randomUUID(),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { success, code, message, data } = await answer.json();
  if (!success) throw new Error(`${method} ${path}: ${code}: ${message}`);
  return { data, headers: answer.headers };
};

const admin = createClient({ Authorization: `Bearer ${ACCESS_TOKEN}`, 'New-Api-User': USER_ID });

await admin('POST', '/api/channel/', {
  type: 1, // the OpenAI protocol; GET /api/models lists what a site offers
  name: 'upstream',
  key: PROVIDER_KEY,
  base_url: PROVIDER_URL,
  models: MODEL,
  group: 'default',
});
console.log(`channel to ${PROVIDER_URL} for ${MODEL}`);

const password = randomUUID().slice(0, 20);
await admin('POST', '/api/user/', { username: NEW_USER, password, display_name: NEW_USER });
const found = await admin('GET', `/api/user/search?keyword=${encodeURIComponent(NEW_USER)}`);
const user = found.data.items.find(({ username }) => username === NEW_USER);
// 500,000 units are one dollar. `quota` is what the balance is to be.
await admin('PUT', '/api/user/', { id: user.id, username: NEW_USER, quota: 5_000_000 });
console.log(`user ${NEW_USER} (${user.id}) with 5,000,000 units, password ${password}`);

// A key belongs to the user who makes it, so the rest is done in the name of the new user.
const visitor = createClient({});
const signedIn = await visitor('POST', '/api/user/login', { username: NEW_USER, password });
const cookie = signedIn.headers.getSetCookie()[0].split(';')[0];
const member = createClient({ Cookie: cookie, 'New-Api-User': String(user.id) });
await member('POST', '/api/token/', { name: 'first', remain_quota: 1_000_000, expired_time: -1 });
const tokens = await member('GET', '/api/token/?p=0&size=10');
console.log(`TOLLGATE_KEY=sk-${tokens.data[0].key}`);
