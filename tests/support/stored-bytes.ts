import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectToNats } from 'nats';
import pg from 'pg';

/** Places of some bytes, in words. */
export type Found = readonly string[];
export type Words = Readonly<Record<string, string>>;

const fold = (bytes: Buffer | string): string =>
  (typeof bytes === 'string' ? bytes : bytes.toString('latin1')).toLowerCase();

/** Which of the words occur in these bytes, whatever their case. */
const wordsIn = (bytes: Buffer | string, words: Words): string[] => {
  const text = fold(bytes);
  return Object.entries(words).flatMap(([name, word]) =>
    text.includes(fold(Buffer.from(word, 'utf8'))) ? [name] : [],
  );
};

const rowPage = 5_000;

/** Every row of every table of a database; binary columns as the bytes that they are. */
export const searchDatabase = async (url: string, words: Words): Promise<Found> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables " +
        "where schemaname not in ('pg_catalog', 'information_schema')",
    );
    const found: string[] = [];
    for (const { name } of tables.rows) {
      await client.query(`begin; declare rows cursor for select * from ${name}`);
      for (;;) {
        const { rows } = await client.query(`fetch ${rowPage} from rows`);
        for (const row of rows) {
          const cells = Object.values(row).map((cell) =>
            Buffer.isBuffer(cell) ? cell.toString('latin1') : JSON.stringify(cell),
          );
          for (const word of wordsIn(cells.join('\n'), words)) found.push(`${name}: ${word}`);
        }
        if (rows.length < rowPage) break;
      }
      await client.query('commit');
    }
    return [...new Set(found)].sort();
  } finally {
    await client.end();
  }
};

/** Empty when it has gone meanwhile, as files of an engine at work do. */
const bytesOf = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return Buffer.alloc(0);
    throw error;
  }
};

/** Every file below a folder. */
export const searchFolder = (folder: string, words: Words): Found =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path) =>
      wordsIn(bytesOf(path), words).map((word) => `${path.slice(folder.length + 1)}: ${word}`),
    );

/** Every message of every stream of JetStream, its subject included: key-value buckets and queues. */
export const searchJetStream = async (url: string, words: Words): Promise<Found> => {
  const connection = await connectToNats({ servers: url });
  try {
    const manager = await connection.jetstreamManager();
    const found: string[] = [];
    for await (const { config, state } of manager.streams.list()) {
      for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
        const message = await manager.streams.getMessage(config.name, { seq }).catch(() => null);
        if (message === null) continue;
        const bytes = Buffer.concat([Buffer.from(`${message.subject}\n`), message.data]);
        for (const word of wordsIn(bytes, words)) found.push(`${config.name}: ${word}`);
      }
    }
    return [...new Set(found)].sort();
  } finally {
    await connection.close();
  }
};
