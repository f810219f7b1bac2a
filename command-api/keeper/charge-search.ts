import type { AccountEvent } from '../../domain/account/events.ts';
import {
  applyToCharges,
  type ChargeMovement,
  isChargeMovement,
  type OpenCharges,
} from '../../domain/account/open-charges.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';

/** The events of an account up to this revision, it included. */
export type AccountPrefix = Readonly<{ userId: UserId; upTo: bigint }>;

/** An event of the log, or one that is about to be appended. */
export type FoundMovement = Readonly<{ event: ChargeMovement; eventId: string }>;

const namesOf = ({ event, eventId }: FoundMovement): readonly string[] =>
  event.type === 'RequestCharged' ? [event.data.call.requestId, eventId] : [];

/** Back to the oldest of the named charges: these, and all refunds and corrections behind it. */
const readBack = async (
  store: EventStore,
  { userId, upTo }: AccountPrefix,
  names: ReadonlySet<string>,
): Promise<readonly FoundMovement[]> => {
  const missing = new Set(names);
  const found: FoundMovement[] = [];
  const range = { backwards: true, from: upTo };
  const backwards = store.readStream<AccountEvent>(accountStreamId(userId), range);
  for await (const { event, eventId } of backwards) {
    if (!isChargeMovement(event)) continue;
    const movement = { event, eventId };
    const aliases = namesOf(movement);
    if (event.type === 'RequestCharged' && !aliases.some((name) => names.has(name))) continue;
    found.push(movement);
    for (const name of aliases) missing.delete(name);
    if (missing.size === 0) break;
  }
  return found.reverse();
};

/**
 * With the names that share a correction with one of `names`: what such a correction gave back of the
 * one depends on what was left of the other.
 */
const withSharers = (
  names: ReadonlySet<string>,
  found: readonly FoundMovement[],
): ReadonlySet<string> => {
  const known = new Set([...names, ...found.flatMap(namesOf)]);
  const all = new Set(names);
  for (const { event } of found) {
    if (event.type !== 'CorrectionPosted') continue;
    const { corrects } = event.data;
    if (corrects.some((name) => known.has(name))) for (const name of corrects) all.add(name);
  }
  return all;
};

/** The charges in the log, by request id or event id; oldest first. */
export const findChargeMovements = async (
  store: EventStore,
  prefix: AccountPrefix,
  names: readonly string[],
): Promise<readonly FoundMovement[]> => {
  let wanted: ReadonlySet<string> = new Set(names);
  while (wanted.size > 0) {
    const found = await readBack(store, prefix, wanted);
    const next = withSharers(wanted, found);
    if (next.size === wanted.size) return found;
    wanted = next;
  }
  return [];
};

export const openChargesOf = (movements: readonly FoundMovement[]): OpenCharges => {
  const charges: OpenCharges = new Map();
  for (const { event, eventId } of movements) applyToCharges(charges, event, eventId);
  return charges;
};
