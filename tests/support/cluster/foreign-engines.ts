import { randomUUID } from 'node:crypto';
import { BACKWARDS, END, EventStoreDBClient } from '@eventstore/db-client';
import pg from 'pg';
import { choiceOf } from '../engines/choice.ts';

/** Engines of a cluster that are not embedded: named servers, or containers. */
export type ForeignEngines = Readonly<{
  /** null: none for this run. */
  databaseUrl: string | null;
  eventStoreUrl: string | null;
  stop: () => Promise<void>;
}>;

type Part = Readonly<{ url: string | null; stop: () => Promise<void> }>;

const none: Part = { url: null, stop: async () => undefined };
export const noForeignEngines: ForeignEngines = {
  databaseUrl: null,
  eventStoreUrl: null,
  stop: none.stop,
};

/** A database that no suite has used before. */
const newDatabase = async (base: string): Promise<Part> => {
  const client = new pg.Client({ connectionString: base });
  await client.connect();
  const name = `tollgate_${randomUUID().replaceAll('-', '')}`;
  await client.query(`CREATE DATABASE "${name}"`);
  await client.end();
  const url = new URL(base);
  url.pathname = `/${name}`;
  return { ...none, url: url.toString() };
};

const findPostgres = async (): Promise<Part> => {
  const choice = choiceOf('postgres');
  if (choice.source === 'url') return newDatabase(choice.url);
  if (choice.source === 'local') return none;
  const { startPostgresContainer } = await import('../engines/containers.ts');
  return startPostgresContainer(choice.image);
};

/** Of the newest: a node writes system events all the time. */
const read = { direction: BACKWARDS, fromPosition: END, maxCount: 5_000 } as const;

const holdsEvents = async (url: string): Promise<boolean> => {
  const client = EventStoreDBClient.connectionString(url);
  let isUsed = false;
  for await (const { event } of client.readAll(read)) {
    isUsed ||= event !== undefined && !event.type.startsWith('$');
  }
  await client.dispose();
  return isUsed;
};

/** A log is of one site and cannot be emptied: a named node serves as long as it holds nothing. */
const emptyNode = async (url: string): Promise<Part> => {
  if (!(await holdsEvents(url))) return { ...none, url };
  console.warn('the node of TEST_EVENTSTORE_URL holds events: the embedded one in its place');
  return none;
};

const findEventStore = async (): Promise<Part> => {
  const choice = choiceOf('eventStore');
  if (choice.source === 'url') return emptyNode(choice.url);
  if (choice.source === 'local') return none;
  const { startEventStoreContainer } = await import('../engines/containers.ts');
  return startEventStoreContainer(choice.image);
};

export const startForeignEngines = async (): Promise<ForeignEngines> => {
  const [postgres, eventStore] = await Promise.all([findPostgres(), findEventStore()]);
  return {
    databaseUrl: postgres.url,
    eventStoreUrl: eventStore.url,
    stop: async () => {
      await Promise.all([postgres.stop(), eventStore.stop()]);
    },
  };
};
