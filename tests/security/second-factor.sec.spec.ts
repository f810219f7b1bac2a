import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConsoleClient, rootUser, setUpSite } from '../support/console-client.ts';
import { eventually, type Product, removeData, startProduct } from '../support/product.ts';
import { runTool } from '../support/run-tool.ts';
import { addPasskey, enrolTotp, SigningIn } from '../support/second-factor.ts';

const site = { origin: 'https://gate.example', rpId: 'gate.example' };

let product: Product;
let root: ConsoleClient;
beforeAll(async () => {
  product = await startProduct({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  root = await setUpSite(product.url);
  await root.ok('PUT', '/api/option/', { key: 'ServerAddress', value: site.origin });
});
afterAll(async () => {
  await product?.stop();
  if (product !== undefined) removeData(product);
});

const { password } = rootUser;
let made = 0;
/** A new user, signed in by password alone. */
const member = async (): Promise<Readonly<{ name: string; client: ConsoleClient }>> => {
  made += 1;
  const name = `member-${made}`;
  await root.ok('POST', '/api/user/', { username: name, password });
  return { name, client: await signedIn(name) };
};
const signedIn = async (name: string): Promise<ConsoleClient> => {
  const client = new ConsoleClient(product.url);
  await client.login(name, password);
  return client;
};
const network = (nth: number): string => `10.${nth >> 8}.${nth & 255}.9`;
const ordinary = { success: true } as const;

describe('the first step', () => {
  test('gives no session, and its token opens nothing by itself', async () => {
    const { name, client } = await member();
    await enrolTotp(client);
    const browser = new SigningIn(product.url);
    const { token } = await browser.password(name, password);
    expect(browser.cookieNames).toEqual(['second-factor']);
    for (const cookie of [`session=${token}`, `second-factor=${token}`]) {
      const headers = { cookie, 'new-api-user': String(client.userId) };
      for (const path of ['/api/user/self', '/api/user/second_factors']) {
        expect((await fetch(product.url + path, { headers })).status).toBe(401);
      }
    }
    const confirm = await browser.post('/api/user/second_factors/confirm', { token });
    expect(confirm.status).toBe(401);
  });

  test('in one browser is continued in no other', async () => {
    const { name, client } = await member();
    const { app } = await enrolTotp(client);
    const { token } = await new SigningIn(product.url).password(name, password);
    const code = await app.nextCode();
    const bare = new SigningIn(product.url);
    const refused = await bare.prove({ method: 'totp', token, code });
    expect(refused).toMatchObject({ success: false, code: 'auth.second-factor-expired' });
    const other = new SigningIn(product.url);
    const own = await other.password(name, password);
    const crossed = await other.prove({ method: 'totp', token, code });
    expect(crossed).toMatchObject({ success: false, code: 'auth.second-factor-expired' });
    expect(await other.prove({ method: 'totp', token: own.token, code })).toMatchObject(ordinary);
  });

  test('with a changed or foreign token is refused', async () => {
    const { name, client } = await member();
    const { codes } = await enrolTotp(client);
    const browser = new SigningIn(product.url);
    const { token } = await browser.password(name, password);
    const { token: foreign } = await client.ok<{ token: string }>(
      'POST',
      '/api/user/second_factors/challenge',
      {},
    );
    for (const wrong of [`${token.slice(0, -4)}AAAA`, 'x', foreign]) {
      const proof = { method: 'recovery-code', token: wrong, code: codes[0] };
      expect(await browser.prove(proof)).toMatchObject({ code: 'auth.second-factor-expired' });
    }
  });
});

describe('a code', () => {
  test('that was used opens nothing a second time, nor does an older one', async () => {
    const { name, client } = await member();
    const { app } = await enrolTotp(client);
    const enrolled = app.lastCode();
    const first = new SigningIn(product.url);
    const step = await first.password(name, password);
    const code = await app.nextCode();
    expect(await first.prove({ method: 'totp', token: step.token, code })).toMatchObject(ordinary);
    const thief = new SigningIn(product.url, network(1));
    const { token } = await thief.password(name, password);
    for (const replayed of [code, enrolled]) {
      const answer = await thief.prove({ method: 'totp', token, code: replayed });
      expect(answer).toMatchObject({ success: false, code: 'user.totp-code-used' });
    }
    expect(thief.cookieNames).not.toContain('session');
  });

  test('is guessed ten times from one network; then the right one is not checked', async () => {
    const { name, client } = await member();
    const { app } = await enrolTotp(client);
    const browser = new SigningIn(product.url, network(2));
    const { token } = await browser.password(name, password);
    const guess = (code: string) => browser.prove({ method: 'totp', token, code });
    for (let nth = 0; nth < 10; nth += 1) {
      expect(await guess(app.wrongCode())).toMatchObject({ code: 'auth.second-factor-wrong' });
    }
    expect(await guess(await app.nextCode())).toMatchObject({ code: 'auth.too-many-attempts' });
  });

  test('is guessed thirty times out of many networks, and the owner gets in all the same', async () => {
    const { name, client } = await member();
    const { app, codes } = await enrolTotp(client);
    // Where the owner has signed in before.
    const home = new SigningIn(product.url, network(3));
    const first = await home.password(name, password);
    const recovery = { method: 'recovery-code', token: first.token, code: codes[0] };
    expect(await home.prove(recovery)).toMatchObject(ordinary);
    const guess = async (nth: number) => {
      const browser = new SigningIn(product.url, network(1_000 + nth));
      const { token } = await browser.password(name, password);
      return browser.prove({ method: 'totp', token, code: app.wrongCode() });
    };
    const answers = await Promise.all(Array.from({ length: 34 }, (_, nth) => guess(nth)));
    const seen = answers.map(({ code }) => code);
    expect(seen.filter((code) => code === 'auth.second-factor-wrong')).toHaveLength(30);
    expect(seen.filter((code) => code === 'auth.too-many-attempts')).toHaveLength(4);
    const { token } = await home.password(name, password);
    const code = await app.nextCode();
    expect(await home.prove({ method: 'totp', token, code })).toMatchObject(ordinary);
  });

  test('of recovery works once, even at one moment', async () => {
    const { name, client } = await member();
    const { codes } = await enrolTotp(client);
    const use = async (nth: number) => {
      const browser = new SigningIn(product.url, network(2_000 + nth));
      const { token } = await browser.password(name, password);
      return browser.prove({ method: 'recovery-code', token, code: codes[1] });
    };
    const answers = await Promise.all([use(1), use(2), use(3), use(4)]);
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
  });
});

describe('the signature of a passkey', () => {
  test('counts for this site, this page and this question alone, and once', async () => {
    const { name, client } = await member();
    const passkey = await addPasskey(client, site);
    const browser = new SigningIn(product.url, network(4));
    const older = await browser.password(name, password);
    const { token, passkey: asked } = await browser.password(name, password);
    expect(asked?.rpId).toBe(site.rpId);
    const good = { ...site, challenge: asked?.challenge ?? '' };
    const wrong = {
      'another page': { ...good, origin: 'https://evil.example' },
      'a page without TLS': { ...good, origin: 'http://gate.example' },
      'another site': { ...good, rpId: 'evil.example' },
      'another question': { ...good, challenge: older.passkey?.challenge ?? '' },
    };
    for (const [what, for_] of Object.entries(wrong)) {
      const answer = await browser.prove({
        method: 'passkey',
        token,
        assertion: passkey.assert(for_),
      });
      expect(answer, what).toMatchObject({ success: false, code: 'auth.second-factor-wrong' });
    }
    const { passkey: stranger } = { passkey: await addPasskey((await member()).client, site) };
    const foreign = { ...stranger.assert(good), id: passkey.id, rawId: passkey.id };
    expect(await browser.prove({ method: 'passkey', token, assertion: foreign })).toMatchObject({
      code: 'auth.second-factor-wrong',
    });
    const assertion = passkey.assert(good);
    expect(await browser.prove({ method: 'passkey', token, assertion })).toMatchObject(ordinary);
    expect(await browser.prove({ method: 'passkey', token, assertion })).toMatchObject({
      success: false,
    });
  });

  test('of a copy, whose counter did not grow, is refused', async () => {
    const { name, client } = await member();
    const passkey = await addPasskey(client, site);
    const sign = async (counter: number) => {
      const browser = new SigningIn(product.url, network(5));
      const { token, passkey: asked } = await browser.password(name, password);
      passkey.counter = counter;
      const assertion = passkey.assert({ ...site, challenge: asked?.challenge ?? '' });
      return browser.prove({ method: 'passkey', token, assertion });
    };
    expect(await sign(7)).toMatchObject(ordinary);
    expect(await sign(7)).toMatchObject({ code: 'user.passkey-copied' });
    expect(await sign(3)).toMatchObject({ code: 'user.passkey-copied' });
  });

  test('made for another page adds no passkey', async () => {
    const { client } = await member();
    await expect(addPasskey(client, { ...site, origin: 'https://evil.example' })).rejects.toThrow(
      /could not be verified/,
    );
  });
});

describe('a session that was stolen', () => {
  test('changes nothing of weight once its owner has a second factor', async () => {
    const { name, client } = await member();
    const stolen = await signedIn(name);
    await enrolTotp(client);
    for (const [method, path, body] of [
      ['GET', '/api/user/token', undefined],
      ['DELETE', '/api/user/second_factors/totp', undefined],
      ['POST', '/api/user/second_factors/passkey_options', {}],
      ['POST', '/api/user/second_factors/recovery_codes', {}],
    ] as const) {
      const answer = await stolen.call(method, path, body);
      expect(answer, path).toMatchObject({ code: 'auth.second-factor-required' });
    }
    const listed = await stolen.ok<{ totp: unknown }>('GET', '/api/user/second_factors');
    expect(listed).toMatchObject({ totp: { used_at: 0 }, recovery_codes_left: 10 });
  });
});

describe('administrators', () => {
  test('without a factor are closed out where the site demands one, on both sides', async () => {
    const { name, client } = await member();
    await root.ok('POST', '/api/user/manage', { id: client.userId, action: 'promote' });
    const admin = await signedIn(name);
    await enrolTotp(root);
    const option = { key: 'SecondFactorRequiredOfAdmins', value: 'true' };
    await root.ok('PUT', '/api/option/', option);
    const asked = [
      ['GET', '/api/user/?p=1'],
      ['GET', '/api/option/'],
      ['GET', '/api/jobs'],
      ['DELETE', '/api/channel/disabled'],
    ] as const;
    for (const [method, path] of asked) {
      const answer = await admin.call(method, path);
      expect(answer, path).toMatchObject({ code: 'auth.second-factor-not-enrolled' });
    }
    await admin.ok('GET', '/api/user/self');
    expect(await admin.ok('GET', '/api/user/second_factors')).toMatchObject({ required: true });
    await enrolTotp(admin);
    for (const [method, path] of asked) await admin.ok(method, path);
    await root.ok('PUT', '/api/option/', { ...option, value: 'false' });
  });

  test('remove the factors of those below, not of their equals', async () => {
    const { client } = await member();
    await enrolTotp(client);
    const { client: boss, name } = await member();
    await root.ok('POST', '/api/user/manage', { id: boss.userId, action: 'promote' });
    const admin = await signedIn(name);
    const remove = (id: number) =>
      admin.call('POST', '/api/user/manage', {
        id,
        action: 'remove_second_factors',
        reason: 'lost',
      });
    expect(await remove(root.userId)).toMatchObject({ code: 'user.above-you' });
    expect(await remove(client.userId)).toMatchObject(ordinary);
    const trail = await root.ok<{ items: readonly { type: string; reason?: string }[] }>(
      'GET',
      `/api/audit?subject=user&subject_id=${client.userId}&p=1&page_size=10`,
    );
    const removed = trail.items.find(({ type }) => type === 'SecondFactorsRemoved');
    expect(JSON.stringify(removed)).toContain('lost');
  });
});

test('the operator removes the factors of the super admin, with the key of the site', async () => {
  const command = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runTool('second-factor-cli', args, { DATA_DIR: product.dataDir, ...env });
  const foreign = { SECRET_KEY: 'a-key-that-opens-nothing-of-this-site-0123' };
  expect((await command(['remove', 'root'], foreign)).code).toBe(1);
  expect(await command(['remove', 'nemo'])).toMatchObject({ code: 1, stdout: '' });
  expect((await command([])).stderr).toMatch(/usage/);
  const done = await command(['remove', 'root']);
  expect(done).toMatchObject({ code: 0 });
  expect(done.stdout).toContain('are removed');
  await eventually(async () => {
    const again = new ConsoleClient(product.url);
    await again.login(rootUser.username, rootUser.password);
    expect(again.userId).toBe(root.userId);
  });
});
