import { accessSync, constants } from 'node:fs';
import { type Config, ConfigError } from './config.ts';
import { type EngineFile, serverListOf } from './config-engines.ts';
import { readGuardedFile } from './guarded-file.ts';

type Warn = (message: string) => void;
/** Puts the file of a certificate authority into a URL, where its client reads it. */
type WithCa = (url: URL, caFile: string) => void;
type Engine = Readonly<{
  prefix: string;
  files: EngineFile;
  withCa: WithCa;
  /** One URL names all servers of a cluster, not a list of URLs. */
  isOneUrl?: true;
}>;

const addPassword = (url: URL, { prefix, password }: { prefix: string; password: string }) => {
  if (url.password !== '') {
    throw new ConfigError([`only one of ${prefix}_PASSWORD_FILE and a password in the URL may be`]);
  }
  if (url.username === '') {
    throw new ConfigError([`${prefix}_URL must name a user for ${prefix}_PASSWORD_FILE`]);
  }
  url.password = encodeURIComponent(password);
};

const checkReadable = (prefix: string, caFile: string): void => {
  try {
    accessSync(caFile, constants.R_OK);
  } catch {
    throw new ConfigError([`${prefix}_CA_FILE cannot be read: ${caFile}`]);
  }
};

/** Every server of a cluster has the same user, password and authority. */
const complete = (text: string | null, engine: Engine, warn: Warn): string | null => {
  const { prefix, files } = engine;
  const { passwordFile, caFile } = files;
  if (passwordFile === null && caFile === null) return text;
  if (text === null) throw new ConfigError([`${prefix}_URL must be set with its files`]);
  const password =
    passwordFile === null ? null : readGuardedFile(`${prefix}_PASSWORD_FILE`, passwordFile, warn);
  if (caFile !== null) checkReadable(prefix, caFile);
  const completed = (part: string): string => {
    const url = new URL(part.trim());
    if (password !== null) addPassword(url, { prefix, password });
    if (caFile !== null) engine.withCa(url, caFile);
    return url.href;
  };
  if (engine.isOneUrl === true) return forAllServers(text, completed);
  return text.split(',').map(completed).join(',');
};

/** `complete` supports URLs of one server: it gets the first, and all are put in its place. */
const forAllServers = (text: string, complete: (url: string) => string): string => {
  const given = serverListOf(text);
  if (given === null) return complete(text);
  const completed = complete(`${given.before}${given.servers[0]}${given.after}`);
  const list = serverListOf(completed);
  return list === null ? completed : `${list.before}${given.servers.join(',')}${list.after}`;
};

const eventStoreCa: WithCa = (url, caFile) => {
  if (url.searchParams.get('tls') === 'false') {
    throw new ConfigError(['EVENTSTORE_CA_FILE needs tls=true in EVENTSTORE_URL']);
  }
  url.searchParams.set('tls', 'true');
  url.searchParams.set('tlsCAFile', caFile);
};

/** The certificate has to be of this authority and of this host; nothing less is a check. */
const databaseCa: WithCa = (url, caFile) => {
  const mode = url.searchParams.get('sslmode') ?? 'verify-full';
  if (mode !== 'verify-full') {
    throw new ConfigError(['DATABASE_CA_FILE needs sslmode=verify-full in DATABASE_URL']);
  }
  url.searchParams.set('sslmode', mode);
  url.searchParams.set('sslrootcert', caFile);
};

const natsCa: WithCa = (url, caFile) => url.searchParams.set('caFile', caFile);

/**
 * The URLs of the engines with the settings from files: passwords, and the authorities of their
 * certificates.
 * @throws ConfigError
 */
export const withEngineFiles = (config: Config, warn: Warn): Config => {
  const { eventStore, database, nats } = config.engineFiles;
  const completed = (url: string | null, engine: Engine) => complete(url, engine, warn);
  return Object.freeze({
    ...config,
    eventStoreUrl: completed(config.eventStoreUrl, {
      prefix: 'EVENTSTORE',
      files: eventStore,
      withCa: eventStoreCa,
      isOneUrl: true,
    }),
    databaseUrl: completed(config.databaseUrl, {
      prefix: 'DATABASE',
      files: database,
      withCa: databaseCa,
    }),
    natsUrl: completed(config.natsUrl, { prefix: 'NATS', files: nats, withCa: natsCa }),
  });
};
