import { accept, type Decider, type Decision, type Rejected, reject } from '../shared/decider.ts';
import type { ConfirmTopUp, OfferTopUp, OrderTopUp, TopUpCommand } from './commands.ts';
import type { TopUpEvent, TopUpOffered, TopUpOrdered, TopUpTerms } from './events.ts';
import { minAmount, quoteTopUp, type TopUpQuote } from './quote.ts';

export type { TopUpCommand } from './commands.ts';

export type TopUpRejection =
  | 'topup.already-ordered'
  | 'topup.unknown-order'
  | 'topup.invalid-amount'
  | 'topup.below-minimum'
  | 'topup.too-cheap'
  | 'topup.too-much'
  | 'topup.account-full'
  | 'topup.wrong-provider'
  | 'topup.wrong-amount';

type Order = Readonly<{ order: TopUpOrdered['data']; offer: TopUpOffered['data'] | null }>;
export type TopUpState =
  | Readonly<{ status: 'absent' }>
  | Readonly<{ status: 'pending' | 'expired' } & Order>
  | Readonly<
      {
        status: 'paid';
        providerReference: string;
        /** Provider numbers of payments beyond the first. */
        furtherReferences: readonly string[];
      } & Order
    >;
type Existing = Exclude<TopUpState, { status: 'absent' }>;
type Answer = Decision<TopUpEvent, TopUpRejection>;

/** The site's price of an amount, or why it does not sell that much. `minimum` in dollars. */
export const priceTopUp = (
  terms: TopUpTerms,
  minimum: number,
): TopUpQuote | Rejected<TopUpRejection> => {
  const least = minAmount(minimum, terms);
  if (terms.amount < least) return reject('topup.below-minimum', { min: least });
  const quote = quoteTopUp(terms);
  return typeof quote === 'string' ? reject(`topup.${quote}`) : quote;
};

const order = ({ data }: OrderTopUp, state: TopUpState): Answer => {
  if (state.status !== 'absent') return reject('topup.already-ordered');
  const { minimum, room, ...ordered } = data;
  const quote = priceTopUp(ordered.terms, minimum);
  if ('kind' in quote) return quote;
  const { dollars, payableMinor, quota, bonusQuota } = quote;
  if (quota + bonusQuota > room) {
    return reject('topup.account-full', { quota: quota + bonusQuota, room });
  }
  const payable = { amountMinor: payableMinor, currency: 'CNY' } as const;
  return accept({
    type: 'TopUpOrdered',
    data: { ...ordered, dollars, payable, quota, bonusQuota },
  });
};

const offer = ({ data }: OfferTopUp, state: Existing): Answer =>
  state.offer === null && state.status !== 'paid'
    ? accept({ type: 'TopUpOffered', data })
    : accept();

type Paid = Extract<TopUpState, { status: 'paid' }>;

/**
 * A repeated report of the credited payment is ignored; a second payment is refunded. A query is
 * about the order and not about one payment of it.
 */
const confirmPaid = (
  { provider, providerReference, paid, source }: ConfirmTopUp['data'],
  { order: { tradeNo, userId }, providerReference: creditedReference, furtherReferences }: Paid,
): Answer => {
  const isKnown =
    providerReference === creditedReference || furtherReferences.includes(providerReference);
  if (isKnown || source === 'query' || providerReference === '') return accept();
  return accept({
    type: 'TopUpPaidAgain',
    data: { tradeNo, userId, provider, providerReference, creditedReference, paid },
  });
};

/**
 * Received money is credited whatever the state of the order is, and once. Both times are texts of
 * one form, so that their order is the order of time.
 */
const confirm = ({ data, metadata }: ConfirmTopUp, state: Existing): Answer => {
  const { userId, provider, payable, quota, bonusQuota, expiresAt, tradeNo } = state.order;
  const { providerReference, paid, source } = data;
  if (data.provider !== provider) return reject('topup.wrong-provider');
  if (paid.amountMinor !== payable.amountMinor || paid.currency !== payable.currency) {
    return reject('topup.wrong-amount');
  }
  if (state.status === 'paid') return confirmPaid(data, state);
  const late = state.status === 'expired' || metadata.occurredAt >= expiresAt;
  const credited = { quota: quota + bonusQuota, bonusQuota };
  return accept({
    type: 'TopUpPaid',
    data: { tradeNo, userId, provider, providerReference, paid, ...credited, source, late },
  });
};

const decide = (command: TopUpCommand, state: TopUpState): Answer => {
  if (command.type === 'OrderTopUp') return order(command, state);
  if (state.status === 'absent') return reject('topup.unknown-order');
  switch (command.type) {
    case 'OfferTopUp':
      return offer(command, state);
    case 'ConfirmTopUp':
      return confirm(command, state);
    case 'ExpireTopUp': {
      const { reason } = command.data;
      // A repeated request may be refused by the provider while the first is being paid.
      const isOffered = reason === 'not-offered' && state.offer !== null;
      if (state.status !== 'pending' || isOffered) return accept();
      const { tradeNo, userId } = state.order;
      return accept({ type: 'TopUpExpired', data: { tradeNo, userId, reason } });
    }
  }
};

const evolve = (state: TopUpState, event: TopUpEvent): TopUpState => {
  if (event.type === 'TopUpOrdered') return { status: 'pending', order: event.data, offer: null };
  if (state.status === 'absent') return state;
  switch (event.type) {
    case 'TopUpOffered':
      return { ...state, offer: event.data };
    case 'TopUpPaid': {
      const { providerReference } = event.data;
      const { order, offer } = state;
      return { status: 'paid', providerReference, furtherReferences: [], order, offer };
    }
    case 'TopUpPaidAgain': {
      if (state.status !== 'paid') return state;
      const furtherReferences = [...state.furtherReferences, event.data.providerReference];
      return { ...state, furtherReferences };
    }
    case 'TopUpExpired':
      return state.status === 'pending' ? { ...state, status: 'expired' } : state;
  }
};

export const topUpDecider: Decider<TopUpCommand, TopUpEvent, TopUpState, TopUpRejection> = {
  initialState: { status: 'absent' },
  decide,
  evolve,
};
