import type {
  AccountEvent,
  CorrectionPosted,
  RequestCharged,
} from '../../domain/account/events.ts';
import {
  applyToCharges,
  type ChargeMovement,
  chargesNamed,
  isChargeMovement,
  leftOf,
  type OpenCharges,
} from '../../domain/account/open-charges.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Check } from './check.ts';
import type { ConcernedEvent } from './concerns.ts';
import type { Findings } from './findings.ts';

/** The corrected charges of one account: as they are, and as refunds alone would have left them. */
type AccountCharges = Readonly<{ all: OpenCharges; refundsOnly: OpenCharges }>;

/**
 * A correction names what it corrects: events of the log, or requests by their id. Corrections and
 * refunds of a request together give back its charge at most. Accounts with corrections are few: their
 * streams are read once more at the end, and of their charges those that were corrected are remembered.
 */
export class CorrectionCheck implements Check<'corrections'> {
  readonly #findings: Findings;
  readonly #isKnown: (id: string) => boolean;
  /** What was corrected, by account. */
  readonly #named = new Map<UserId, Set<string>>();

  constructor(findings: Findings, isKnown: (id: string) => boolean) {
    this.#findings = findings;
    this.#isKnown = isKnown;
  }

  see(recorded: Recorded<ConcernedEvent<'corrections'>>): void {
    const { corrects, userId } = recorded.event.data;
    const named = this.#named.get(userId) ?? new Set();
    this.#named.set(userId, named);
    for (const name of corrects) named.add(name);
    const unknown = corrects.filter((id) => !this.#isKnown(id));
    if (unknown.length === 0 && corrects.length > 0) return;
    const detail =
      unknown.length === 0 ? 'names no charge' : `corrects unknown ${unknown.join(', ')}`;
    this.#findings.ofEvent('correction-of-nothing', recorded, detail);
  }

  async end(eventStore: EventStore): Promise<void> {
    for (const [userId, named] of this.#named) await this.#checkAccount(eventStore, userId, named);
  }

  async #checkAccount(
    eventStore: EventStore,
    userId: UserId,
    named: ReadonlySet<string>,
  ): Promise<void> {
    const charges: AccountCharges = { all: new Map(), refundsOnly: new Map() };
    for await (const recorded of eventStore.readStream<AccountEvent>(accountStreamId(userId))) {
      const { event } = recorded;
      if (isChargeMovement(event) && concerns(named, recorded, event)) {
        this.#follow(charges, recorded, event);
      }
    }
  }

  #follow({ all, refundsOnly }: AccountCharges, recorded: Recorded, event: ChargeMovement): void {
    if (event.type === 'CorrectionPosted') this.#checkCorrection(all, recorded, event);
    if (event.type === 'RequestRefunded') {
      const { requestId, amount } = event.data;
      const left = leftIn(all, [requestId]);
      // Refunds that exceed the charge by themselves are found with the requests.
      if (amount > left && amount <= leftIn(refundsOnly, [requestId])) {
        const detail = `refunds ${amount}, and ${left} of the charge remain after corrections`;
        this.#findings.ofEvent('refund-exceeds-charge', recorded, detail);
      }
    }
    applyToCharges(all, event, recorded.eventId);
    if (event.type !== 'CorrectionPosted') applyToCharges(refundsOnly, event, recorded.eventId);
  }

  #checkCorrection(
    charges: OpenCharges,
    recorded: Recorded,
    { data: { delta, corrects } }: CorrectionPosted,
  ): void {
    const left = leftIn(charges, corrects);
    if (delta <= left) return;
    const detail = `credits ${delta}, and ${left} of ${corrects.join(', ')} remain`;
    this.#findings.ofEvent('correction-exceeds-charge', recorded, detail);
  }
}

/** A charge that holds no call is unreadable, which the walk over the log has found. */
const concerns = (
  named: ReadonlySet<string>,
  { eventId }: Recorded,
  { type, data }: ChargeMovement,
): boolean => {
  if (type !== 'RequestCharged') return true;
  const { call } = data as Partial<RequestCharged['data']>;
  return call !== undefined && (named.has(call.requestId) || named.has(eventId));
};

const leftIn = (charges: OpenCharges, names: readonly string[]): number =>
  chargesNamed(charges, names).reduce((sum, charge) => sum + leftOf(charge), 0);
