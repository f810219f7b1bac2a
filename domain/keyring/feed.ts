import type { KeyPurpose, KeyringWritten } from './events.ts';

/** The one entry of the feed `keys`: the keys of relays, as wrapped as they are in the log. */
export const relayKeysEntry = 'relay';

/** Relays open keys of channels, and verify sessions. */
export const relayPurposes = ['relay', 'session-verification'] as const satisfies KeyPurpose[];

export type RelayKeysFeedEntry = Pick<KeyringWritten['data'], 'salt' | 'keys'>;
