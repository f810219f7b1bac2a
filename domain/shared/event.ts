import type { SealedPersonal } from './sealed.ts';

/** Who caused a change. `id` is a user id, a relay id or the name of a process. */
export type Actor = Readonly<{
  kind: 'user' | 'admin' | 'system' | 'relay' | 'payment';
  id: string;
  /** Address of the request, until the event is appended. */
  ip?: string;
  /** The address, under the key of the person who acted. */
  sealedIp?: SealedPersonal;
  /**
   * Six hexadecimal digits of a keyed hash, where the actor is not identified: distinguishes
   * addresses, and fits so many of them that it leads back to none.
   */
  ipMark?: string;
}>;

/**
 * What every event and command carries in addition to its data. In the log an event also has the
 * `schemaVersion` of its data, which the event store writes and reads by the catalogue.
 */
export type Metadata = Readonly<{
  actor: Actor;
  /** The request id that the client saw. */
  correlationId: string;
  /** The event or command that led to this one. */
  causationId: string;
  /** Idempotency key: the same command id twice gives the same events once. */
  commandId: string;
  /** Keyed fingerprint of the command payload; distinguishes a repeat of `commandId` from another command. */
  commandHash?: string;
  /** ISO-8601, read once at the edge. */
  occurredAt: string;
}>;

/** A fact. `Type` is past tense and PascalCase; `Data` is plain JSON and lasts for ever. */
export type Event<Type extends string = string, Data = unknown> = Readonly<{
  type: Type;
  data: Readonly<Data>;
}>;

/** An event as the log gives it back. */
export type Recorded<E extends Event = Event> = Readonly<{
  event: E;
  eventId: string;
  streamId: string;
  /** Place in its stream, from 0. */
  revision: bigint;
  /** Place in the whole log (`$all`). */
  position: bigint;
  metadata: Metadata;
}>;

/** An intent. `Type` is imperative and PascalCase. */
export type Command<Type extends string = string, Data = unknown> = Readonly<{
  type: Type;
  data: Readonly<Data>;
  metadata: Metadata;
}>;
