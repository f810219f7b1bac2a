import { expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { greeting } from './greeting.ts';

const started = {
  url: 'http://127.0.0.1:3000',
  metricsUrl: 'http://127.0.0.1:9464',
  dataDir: '/srv/tollgate',
};

test('a first start names its address, its folder, what is embedded, and the first step', () => {
  const text = greeting({ ...started, config: loadConfig({}) }, false);
  expect(text).toContain(`is ready on Node ${process.versions.node}.`);
  expect(text).toContain('Console and API  http://localhost:3000\n');
  expect(text).toContain('Data folder      /srv/tollgate\n');
  expect(text).toContain('Event store      embedded');
  expect(text).toContain('open http://localhost:3000 and choose the name and password');
});

test('engines that are not embedded are named by their server, without a password', () => {
  const config = loadConfig({
    EVENTSTORE_URL: 'esdb://admin:changeit@node-1:2113?tls=false',
    DATABASE_URL: 'postgres://tollgate:hidden@db:5432/tollgate',
    NATS_URL: 'nats://control:hidden@bus-1:4222,nats://control:hidden@bus-2:4222',
    SECRET_KEY: 'a-secret-that-is-long-enough-for-it',
  });
  const text = greeting({ ...started, config }, true);
  expect(text).toMatch(/Event store +at node-1:2113\n/);
  expect(text).toMatch(/Read models +at db:5432\n/);
  expect(text).toMatch(/Message bus +at bus-1:4222\n/);
  expect(text).toMatch(/Secret key +SECRET_KEY\n/);
  expect(text).not.toMatch(/changeit|hidden|long-enough/);
  expect(text).toContain('and sign in');
});
