import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../embedded/postgres/start-embedded-postgres.ts';
import { copyFromStream, copyToStream } from './copy-stream.ts';

let dataDir: string;
let postgres: EmbeddedPostgres;
let client: pg.Client;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tollgate-test-'));
  // As root the engine runs as another user, who must get here.
  await chmod(dataDir, 0o755);
  postgres = await startEmbeddedPostgres({ dataDir, logger: silentLogger });
  client = new pg.Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  await client.query('create table copied (n int, words text)');
});
afterAll(async () => {
  await client?.end();
  await postgres?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const words = 'select n, repeat(md5(n::text), 20) as words from generate_series(1, 20000) n';

test('a table goes through a slow stream and back, and the connection serves on', async () => {
  const slow = new PassThrough({ highWaterMark: 16 });
  const collected = buffer(slow);
  expect(await copyToStream(client, words, slow)).toBe(20_000);
  slow.end();
  const pieces = Readable.from([await collected]);
  expect(await copyFromStream(client, 'copied (n, words)', pieces)).toBe(20_000);
  const { rows } = await client.query(
    `select count(*)::int as same from copied join (${words}) w using (n, words)`,
  );
  expect(rows).toEqual([{ same: 20_000 }]);
});

test('a stream that is ended before it is drained does not hold the connection', async () => {
  for (let round = 0; round < 20; round += 1) {
    const small = new PassThrough({ highWaterMark: 16 });
    const collected = buffer(small);
    await copyToStream(client, 'select 1 from generate_series(1, 500)', small).finally(() =>
      small.end(),
    );
    await collected;
  }
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a refused query, and a source that breaks, are errors; the connection serves on', async () => {
  const target = new PassThrough();
  await expect(copyToStream(client, 'select * from nowhere', target)).rejects.toThrow('nowhere');
  const broken = new Readable({
    read() {
      this.destroy(new Error('the file is gone'));
    },
  });
  await expect(copyFromStream(client, 'copied', broken)).rejects.toThrow('the file is gone');
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
