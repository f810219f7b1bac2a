/*
 * `npm run keys`: the keys of a running site, found by EVENTSTORE_URL or DATA_DIR/run.json.
 *
 *   list                    which keys there are
 *   rotate                  wraps all keys under NEW_SECRET_KEY (or NEW_SECRET_KEY_FILE)
 *   renew PURPOSE           adds a key that seals from the next start on
 *   print relay|projections the key of one kind of process, for its SECRET_KEY; `--output=FILE`
 *                           puts it into a file that only this user reads
 *
 * Takes the master key as the site does: SECRET_KEY, SECRET_KEY_FILE or DATA_DIR/secret-key.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, minSecretLength } from '../config.ts';
import { orRefused } from '../engine-refusals.ts';
import { readSecretFile } from '../secret-key.ts';
import {
  KeyringError,
  openKeyring,
  readKeyring,
  renewKey,
  rotateKeyring,
} from '../vault/keyring-store.ts';
import { isProcessKey, printProcessKey, processKinds } from '../vault/process-key.ts';
import { findLog } from './find-log.ts';
import { foundSecret } from './open-keys.ts';
import { openLog } from './open-log.ts';
import { orRefuse, refuse } from './refuse.ts';
import { createRuntime } from './runtime.ts';

const renewable = ['secrets', 'personal-keys', 'session-signing', 'relay'] as const;
const usage = [
  'usage: npm run keys -- list',
  '       npm run keys -- rotate',
  `       npm run keys -- renew ${renewable.join('|')}`,
  `       npm run keys -- print ${processKinds.join('|')} [--output=FILE]`,
].join('\n');

const runtime = createRuntime('keys', 'tool');
const { config, clock, logger } = runtime;
const [action = '', subject = '', option = ''] = process.argv.slice(2);

const say = (...lines: readonly string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`);
};
const warn = (message: string): void => logger.warn({}, message);

/** @throws ConfigError */
const newSecret = (): string => {
  const { NEW_SECRET_KEY: text, NEW_SECRET_KEY_FILE: file } = process.env;
  if (file) return readSecretFile('NEW_SECRET_KEY_FILE', file, warn);
  if (!text) throw new ConfigError(['NEW_SECRET_KEY or NEW_SECRET_KEY_FILE must be set']);
  if (text.length >= minSecretLength && !isProcessKey(text)) return text;
  throw new ConfigError([`NEW_SECRET_KEY must be at least ${minSecretLength} characters`]);
};

const masterKey = async (): Promise<string> => {
  const secret = await foundSecret(runtime);
  return isProcessKey(secret) ? refuse('npm run keys needs the master key') : secret;
};

const deps = async () => ({
  clock,
  eventStore: openLog(runtime, await findLog(runtime)).eventStore,
});

const list = async (): Promise<void> => {
  const { eventStore } = await deps();
  const stored = await readKeyring(eventStore);
  if (stored === null) throw new KeyringError('this log has no keyring yet');
  for (const { purpose, version, keyId, createdAt } of stored.data.keys) {
    say(`${purpose.padEnd(16)} ${String(version).padStart(3)}  ${keyId}  ${createdAt}`);
  }
};

/** Where the old key is now, and what to do there. */
const placeOfSecret = (): string => {
  if (config.secretKeyFile !== null) return `put it into ${config.secretKeyFile} (SECRET_KEY_FILE)`;
  if (config.secretKey !== null) return 'set SECRET_KEY to it wherever the site takes it from';
  return `put it into ${join(resolve(config.dataDir), 'secret-key')}, or set SECRET_KEY_FILE`;
};

const rotate = async (): Promise<void> => {
  const next = newSecret();
  const current = await masterKey();
  const outcome = await rotateKeyring(await deps(), { current, next });
  say(
    outcome === 'rotated'
      ? 'The keys of this site are now wrapped under the new SECRET_KEY. The old one opens them no more.'
      : 'The keys of this site are wrapped under the new SECRET_KEY already.',
    'Next:',
    `  1. Keep the new key: ${placeOfSecret()}.`,
    '  2. Restart every process that holds the master key: projections first, then relays.',
    '     Printed keys of relays and projections stay as they are.',
    '  3. Scavenge the event store, so that nothing in it opens under the old key.',
    '     Backups of the log from before still do: keep or destroy the old key with them.',
  );
};

const renew = async (): Promise<void> => {
  const purpose = renewable.find((name) => name === subject);
  if (purpose === undefined) return refuse(usage);
  const version = await renewKey(await deps(), await masterKey(), purpose);
  const sealedBy = purpose === 'relay' ? 'projections' : 'command API';
  say(
    `There is a version ${version} of the key for ${purpose}; what older ones sealed still opens.`,
    'Next:',
    '  1. Where relays or projections hold printed keys: print them again, and restart those',
    '     processes with them. They would not open what the new key seals.',
    `  2. Restart the ${sealedBy} (or the whole site on one machine): it seals with the new key.`,
  );
};

const print = async (): Promise<void> => {
  const kind = processKinds.find((name) => name === subject);
  if (kind === undefined || !/^$|^--output=./.test(option)) return refuse(usage);
  const text = printProcessKey(kind, await openKeyring(await deps(), await masterKey()));
  if (option === '') return say(text);
  const path = option.slice('--output='.length);
  // Whole or not at all: a process may start on it meanwhile.
  writeFileSync(`${path}.new`, `${text}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
};

const actions: Readonly<Record<string, () => Promise<void>>> = { list, rotate, renew, print };
const chosen = Object.hasOwn(actions, action) ? actions[action] : undefined;
await (chosen === undefined ? refuse(usage) : orRefuse(() => orRefused('EVENTSTORE_URL', chosen)));
process.exit(0);
