import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeRoutes } from '../../command-api/contract/routes.ts';
import { readRoutes } from '../../projections/contract/routes.ts';
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

test.each(Object.keys(writeRoutes))('the reverse proxy sends %s to a command API', (key) => {
  for (const [method, path] of callsOf(key)) expect(backendOf(method, path)).toBe('command-api');
});

test.each(Object.keys(readRoutes))('the reverse proxy sends %s to the read side', (key) => {
  for (const [method, path] of callsOf(key)) expect(backendOf(method, path)).toBe('projections');
});

test('what relays answer goes to them by every method, and nothing else does', () => {
  const paths = ['/v1', '/v1/', '/v1/models', '/v1/chat/completions', '/pg/chat/completions'];
  paths.push('/v1beta/models/gemini-2.0-flash:generateContent', '/mj/submit/imagine');
  paths.push('/mj/image/7', '/mj-fast/mj/task/7/fetch', '/suno/submit/music', '/suno/fetch/7');
  paths.push('/v2/chat', '/v2/rerank', '/openai/v1/chat/completions', '/api/chat', '/api/tags');
  const others = [
    '/',
    '/openai',
    '/openai/x',
    '/api/chats',
    '/api/chat/7',
    '/v2',
    '/v1x',
    '/v1beta',
    '/pgx',
    '/console',
    '/api/v1',
    '/assets/v1/a.js',
  ];
  others.push('/midjourney', '/task', '/api/mj/', '/api/mj/self', '/assets/mj/a.js', '/sunoxx');
  for (const path of [...paths, ...others]) {
    const expected = isRelayPath(path) ? 'relay' : 'projections';
    expect([path, backendOf('GET', path)]).toEqual([path, expected]);
  }
  for (const method of ['POST', 'OPTIONS', 'DELETE']) {
    for (const path of paths) expect(backendOf(method, path)).toBe('relay');
  }
});

const read = (path: string): string =>
  readFileSync(new URL(`../../infra/${path}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => !line.trim().startsWith('#'))
    .join('\n');

test("the outermost proxy overwrites the client's claim of its address, and limits no body itself", () => {
  const config = read('proxy/nginx.conf');
  expect(config).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  expect(config).not.toContain('$proxy_add_x_forwarded_for');
  expect(config).toContain('proxy_set_header X-Forwarded-Proto $forwarded_proto;');
  // Unless an operator names a load balancer, no proxy is trusted.
  expect(config).toMatch(/geo \$realip_remote_addr \$is_load_balancer \{\s+default 0;\s+\}/);
  expect(config).not.toContain('set_real_ip_from');
  expect(config).toMatch(/client_max_body_size 0;/);
});

test('the processes behind it trust that proxy alone', () => {
  const trusted = /TRUSTED_PROXIES[:=] *([\d./,]+)/.exec(read('compose.yaml'))?.[1];
  expect(read('compose.yaml')).toContain(`front: { ipv4_address: ${trusted} }`);
  expect(read('kubernetes/base/kustomization.yaml')).toMatch(
    /TRUSTED_PROXIES=\d+\.\d+\.\d+\.\d+\/(1[6-9]|2\d)\b/,
  );
});

test('metrics are behind no proxy and no service', () => {
  const files = ['command-api', 'projections', 'relay', 'proxy'].map((n) =>
    read(`kubernetes/base/${n}.yaml`),
  );
  for (const file of files) expect(file).not.toMatch(/^ {2}ports:.*9464/m);
  expect(read('compose.yaml')).not.toContain('9464');
});
