import type { RequestId, TokenId } from '../shared/ids.ts';
import type { QuotaUnits } from '../shared/quota.ts';
import type { AccountEvent, CorrectionPosted, RequestCharged, RequestRefunded } from './events.ts';

/** A charge, and what of it has not been given back. */
type OpenCharge = {
  readonly requestId: RequestId;
  readonly tokenId: TokenId;
  readonly amount: QuotaUnits;
  left: number;
};

/** Charges by the id of their request and by their event id: a correction may use either. */
export type OpenCharges = Map<string, OpenCharge>;

/** The events that decide how much of a charge is left. */
export type ChargeMovement = RequestCharged | RequestRefunded | CorrectionPosted;

export const isChargeMovement = (event: AccountEvent): event is ChargeMovement =>
  event.type === 'RequestCharged' ||
  event.type === 'RequestRefunded' ||
  event.type === 'CorrectionPosted';

/** What may still be given back of a charge. */
export const leftOf = ({ left }: OpenCharge): QuotaUnits => Math.max(0, left);

/** The charges that these names mean, each once, in the order of the names. */
export const chargesNamed = (
  charges: OpenCharges,
  names: readonly string[],
): readonly OpenCharge[] => {
  const named = names.map((name) => charges.get(name));
  return [...new Set(named.filter((charge) => charge !== undefined))];
};

/** Takes from each what is left of it, in order; what goes beyond all of them, from the last. */
const giveBack = (named: readonly OpenCharge[], amount: QuotaUnits): void => {
  let rest = amount;
  for (const charge of named) {
    const part = Math.min(leftOf(charge), rest);
    charge.left -= part;
    rest -= part;
  }
  const last = named.at(-1);
  if (last !== undefined) last.left -= rest;
};

/** Takes back what was given back of each, in order; what goes beyond raises the last. */
const chargeMore = (named: readonly OpenCharge[], amount: QuotaUnits): void => {
  let rest = amount;
  for (const charge of named) {
    const part = Math.min(Math.max(0, charge.amount - charge.left), rest);
    charge.left += part;
    rest -= part;
  }
  const last = named.at(-1);
  if (last !== undefined) last.left += rest;
};

/** Folds the next event of an account, in place. The log alone decides which charge a delta counts for. */
export const applyToCharges = (
  charges: OpenCharges,
  event: ChargeMovement,
  eventId: string,
): void => {
  switch (event.type) {
    case 'RequestCharged': {
      const { call, amount } = event.data;
      const { requestId, tokenId } = call;
      const charge = { requestId, tokenId, amount, left: amount };
      charges.set(requestId, charge).set(eventId, charge);
      return;
    }
    case 'RequestRefunded': {
      const charge = charges.get(event.data.requestId);
      if (charge !== undefined) charge.left -= event.data.amount;
      return;
    }
    case 'CorrectionPosted': {
      const { corrects, delta } = event.data;
      const named = chargesNamed(charges, corrects);
      if (delta > 0) giveBack(named, delta);
      else chargeMore(named, -delta);
      return;
    }
  }
};
