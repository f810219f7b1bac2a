import type { ResolvedRecord } from '../wire/read-response.ts';

/** An event on its way through a group, until it is acknowledged, skipped or parked. */
export type Message = {
  readonly resolved: ResolvedRecord;
  /** What the consumer answers with: the link's id where there is a link. */
  readonly id: string;
  /** Revision or position in what the group follows; null for a replayed parked event. */
  readonly place: number | null;
  retryCount: number;
};

/** One connected reader of a group. */
export type Consumer = {
  readonly name: string;
  readonly from: string;
  /** How many events it takes before it must answer. */
  readonly bufferSize: number;
  readonly inFlight: Map<string, { message: Message; sentAtMs: number }>;
  readonly deliver: (message: Message) => void;
  readonly drop: (error: Error) => void;
  totalItems: number;
};

const hasRoom = ({ inFlight, bufferSize }: Consumer): boolean => inFlight.size < bufferSize;

/** Takes turns. The list is rotated, so that the next call begins with the next consumer. */
const roundRobin = (consumers: Consumer[]): Consumer | null => {
  for (let count = 0; count < consumers.length; count += 1) {
    const consumer = consumers.shift();
    if (consumer === undefined) return null;
    consumers.push(consumer);
    if (hasRoom(consumer)) return consumer;
  }
  return null;
};

const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value;
};

/** Events of one stream go to one consumer while it is there, by its place among the names. */
const pinned = (consumers: readonly Consumer[], { resolved }: Message): Consumer | null => {
  const ordered = [...consumers].sort((a, b) => (a.name < b.name ? -1 : 1));
  const stream = (resolved.link ?? resolved.record)?.stream ?? '';
  const chosen = ordered[hash(stream) % Math.max(1, ordered.length)];
  return chosen !== undefined && hasRoom(chosen) ? chosen : null;
};

export const strategies = {
  RoundRobin: roundRobin,
  DispatchToSingle: (consumers: Consumer[]) => consumers.find(hasRoom) ?? null,
  Pinned: pinned,
} as const satisfies Record<string, (consumers: Consumer[], message: Message) => Consumer | null>;
