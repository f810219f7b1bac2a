import { hash } from 'node:crypto';
import type { KeyPurpose } from '../../domain/keyring/events.ts';
import { relayPurposes } from '../../domain/keyring/feed.ts';
import { type DataKey, dataKey, keyBytes } from './keyring.ts';

/*
 * What one kind of process needs of the keyring, as one text for its `SECRET_KEY`:
 * `tgk1.<kind>.<keys>.<checksum>`. A holder can do what that kind of process can, no more.
 */

export const processKinds = ['relay', 'projections'] as const;
export type ProcessKind = (typeof processKinds)[number];

const prefix = 'tgk1';

/**
 * A relay opens keys of channels; projections open what they show, and seal for relays. Both can
 * detect a forged session, and open none.
 */
export const purposesOf: Readonly<Record<ProcessKind, readonly KeyPurpose[]>> = {
  relay: relayPurposes,
  projections: ['secrets', 'personal-keys', 'relay', 'session-verification'],
};

export type ProcessKey = Readonly<{ kind: ProcessKind; keys: readonly DataKey[] }>;

const checksum = (kind: string, payload: string): string =>
  hash('sha256', `${kind}.${payload}`, 'base64url').slice(0, 8);

type Entry = readonly [purpose: KeyPurpose, version: number, key: string, createdAt: string];

export const printProcessKey = (kind: ProcessKind, keys: readonly DataKey[]): string => {
  const entries: Entry[] = keys
    .filter(({ purpose }) => purposesOf[kind].includes(purpose))
    .map(({ purpose, version, bytes, createdAt }) => [
      purpose,
      version,
      bytes.toString('base64url'),
      createdAt,
    ]);
  const payload = Buffer.from(JSON.stringify(entries), 'utf8').toString('base64url');
  return [prefix, kind, payload, checksum(kind, payload)].join('.');
};

export const isProcessKey = (text: string): boolean => text.startsWith(`${prefix}.`);

const isKind = (text: string): text is ProcessKind =>
  (processKinds as readonly string[]).includes(text);

const entriesOf = (payload: string): readonly Entry[] | null => {
  try {
    const entries: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return Array.isArray(entries) ? (entries as Entry[]) : null;
  } catch {
    return null;
  }
};

/** null when the text is cut off, mistyped or of an unsupported kind. */
export const parseProcessKey = (text: string): ProcessKey | null => {
  const [start, kind = '', payload = '', sum, ...rest] = text.split('.');
  if (start !== prefix || rest.length > 0 || !isKind(kind)) return null;
  const entries = checksum(kind, payload) === sum ? entriesOf(payload) : null;
  if (entries === null) return null;
  const keys = entries.map(([purpose, version, key, createdAt]) =>
    dataKey(purpose, version, { bytes: Buffer.from(key, 'base64url'), createdAt }),
  );
  return keys.every(({ bytes }) => bytes.length === keyBytes) ? { kind, keys } : null;
};
