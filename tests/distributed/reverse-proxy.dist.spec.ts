import { expect, test } from 'vitest';
import { routeAccess as writes } from '../../command-api/http/route-access.ts';
import { routeAccess as reads } from '../../projections/http/route-access.ts';
import { isRelayPath } from '../../relay/ingress/routes.ts';
import { readProxyRules } from '../support/cluster/proxy-rules.ts';

const backendOf = readProxyRules();

/** A path as a client sends it, with and without the slash at its end. */
const callsOf = (key: string): readonly (readonly [string, string])[] => {
  const [method = '', route = ''] = key.split(' ');
  const path = route.replaceAll(/:\w+/g, '42');
  const bare = path.endsWith('/') ? path.slice(0, -1) : path;
  return [
    [method, bare],
    [method, `${bare}/`],
  ];
};

test.each(Object.keys(writes))('the reverse proxy sends %s to a command API', (key) => {
  for (const [method, path] of callsOf(key)) expect(backendOf(method, path)).toBe('command-api');
});

test.each(Object.keys(reads))('the reverse proxy sends %s to the read side', (key) => {
  for (const [method, path] of callsOf(key)) expect(backendOf(method, path)).toBe('projections');
});

test('what relays answer goes to them by every method, and nothing else does', () => {
  const paths = ['/v1', '/v1/', '/v1/models', '/v1/chat/completions', '/pg/chat/completions'];
  paths.push('/v1beta/models/gemini-2.0-flash:generateContent', '/mj/submit/imagine');
  paths.push('/mj/image/7', '/mj-fast/mj/task/7/fetch', '/suno/submit/music', '/suno/fetch/7');
  const others = ['/', '/v1x', '/v1beta', '/pgx', '/console', '/api/v1', '/assets/v1/a.js'];
  others.push('/midjourney', '/task', '/api/mj/', '/api/mj/self', '/assets/mj/a.js', '/sunoxx');
  for (const path of [...paths, ...others]) {
    const expected = isRelayPath(path) ? 'relay' : 'projections';
    expect([path, backendOf('GET', path)]).toEqual([path, expected]);
  }
  for (const method of ['POST', 'OPTIONS', 'DELETE']) {
    for (const path of paths) expect(backendOf(method, path)).toBe('relay');
  }
});
