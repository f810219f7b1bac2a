import { expect, test } from 'vitest';
import { readCompose, readInfra } from '../manifests.ts';
import { chooseEngine, describeChoices, imageOf } from './choice.ts';

const withImage = async () => true;
const withoutImage = async () => false;

test('a server that the environment names is preferred to a container, and no image is checked', async () => {
  const environment = { TEST_DATABASE_URL: 'postgres://a:b@db:5432/x' };
  const neverAsked = () => expect.unreachable('an image was asked for');
  expect(await chooseEngine('postgres', environment, neverAsked)).toEqual({
    source: 'url',
    url: 'postgres://a:b@db:5432/x',
  });
});

test('a container is taken where its image can be had, under the name that is set', async () => {
  const environment = { TEST_NATS_URL: '', TEST_NATS_IMAGE: 'nats:2.12' };
  expect(await chooseEngine('nats', environment, withImage)).toEqual({
    source: 'container',
    image: 'nats:2.12',
  });
  expect(await chooseEngine('nats', environment, withoutImage)).toEqual({ source: 'local' });
});

test('an empty name of an image means no container', async () => {
  const environment = { TEST_EVENTSTORE_IMAGE: '' };
  expect(await chooseEngine('eventStore', environment, withImage)).toEqual({ source: 'local' });
});

test('images that are not named are those of the distributed run', () => {
  const { services } = readCompose();
  const byDefault = (image: string | undefined) => image?.replace(/^\$\{\w+:-(.+)\}$/, '$1') ?? '';
  expect(byDefault(services.eventstore?.image)).toBe(imageOf('eventStore', {}));
  // The distributed run names a digest as well.
  expect(byDefault(services.postgres?.image).split('@')[0]).toBe(imageOf('postgres', {}));
  const image = /^ARG NATS_IMAGE=([^@]+)@sha256:\w{64}$/m.exec(readInfra('nats/Dockerfile'));
  expect(image?.[1]).toBe(imageOf('nats', {}));
});

test('what a run prints names each engine and no password', () => {
  const lines = describeChoices({
    eventStore: { source: 'local' },
    postgres: { source: 'url', url: 'postgres://user:secret@db:5432/x' },
    nats: { source: 'container', image: 'nats:2.12' },
  });
  expect(lines).toEqual([
    'EventStoreDB: the embedded node',
    'PostgreSQL: TEST_DATABASE_URL (db:5432)',
    'NATS: a container of nats:2.12',
  ]);
});
