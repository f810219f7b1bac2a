import { z } from 'zod';
import { whole } from './config-limits.ts';

/** `esdb://user@one:2113,two:2113?tls=true`: one URL names all servers of a cluster. */
export type ServerList = Readonly<{ before: string; servers: readonly string[]; after: string }>;

/** null for what is no URL at all. */
export const serverListOf = (text: string): ServerList | null => {
  const [, before, servers, after] = /^([a-z+]+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(text) ?? [];
  if (before === undefined || servers === undefined || after === undefined) return null;
  return { before, servers: servers.split(','), after };
};

/** Settings of an engine that are read from files, in addition to its URL. */
export type EngineFile = Readonly<{ passwordFile: string | null; caFile: string | null }>;
export type EngineFiles = Readonly<Record<'eventStore' | 'database' | 'nats', EngineFile>>;

const path = z.string().optional();

export const engineVariables = {
  EVENTSTORE_PASSWORD_FILE: path,
  EVENTSTORE_CA_FILE: path,
  DATABASE_PASSWORD_FILE: path,
  DATABASE_CA_FILE: path,
  NATS_PASSWORD_FILE: path,
  NATS_CA_FILE: path,
  NATS_REPLICAS: whole(1, 5).default(1),
};

type Values = Readonly<Partial<Record<keyof typeof engineVariables, unknown>>>;

/** Empty means none, so that one file of settings can revert what another one sets. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const engineFilesOf = (values: Values): EngineFiles =>
  Object.freeze({
    eventStore: {
      passwordFile: textOf(values.EVENTSTORE_PASSWORD_FILE),
      caFile: textOf(values.EVENTSTORE_CA_FILE),
    },
    database: {
      passwordFile: textOf(values.DATABASE_PASSWORD_FILE),
      caFile: textOf(values.DATABASE_CA_FILE),
    },
    nats: { passwordFile: textOf(values.NATS_PASSWORD_FILE), caFile: textOf(values.NATS_CA_FILE) },
  });
