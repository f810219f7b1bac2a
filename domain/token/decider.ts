import { isExpired } from '../access/token-status.ts';
import { accept, type Decider, type Decision, reject } from '../shared/decider.ts';
import type { TokenId, UserId } from '../shared/ids.ts';
import type { Sealed } from '../shared/sealed.ts';
import type { ChangeToken, CreateToken, EnableToken, TokenCommand } from './commands.ts';
import type { TokenEvent, TokenTerms } from './events.ts';
import { sameTerms, type TermsRejection, termsProblem, tokenNameLimit } from './terms.ts';

export type { TokenCommand } from './commands.ts';

/** A foreign or deleted token is as unknown as one that never was. */
export type TokenRejection =
  | 'token.already-created'
  | 'token.unknown'
  | 'token.expired'
  | 'token.exhausted'
  | TermsRejection;

export type TokenState =
  | Readonly<{ status: 'absent' }>
  | Readonly<{
      status: 'enabled' | 'disabled' | 'deleted';
      tokenId: TokenId;
      userId: UserId;
      keyHash: string;
      sealedKey: Sealed;
      terms: TokenTerms;
    }>;
type Existing = Exclude<TokenState, { status: 'absent' }>;
type Answer = Decision<TokenEvent, TokenRejection>;

const refuseTerms = (problem: TermsRejection): Answer =>
  problem === 'token.name-length' ? reject(problem, { max: tokenNameLimit }) : reject(problem);

const create = ({ data }: CreateToken, state: TokenState): Answer => {
  if (state.status !== 'absent') return reject('token.already-created');
  const problem = termsProblem(data.terms);
  if (problem !== null) return refuseTerms(problem);
  return accept({ type: 'TokenCreated', data });
};

const named = ({ tokenId, userId, keyHash }: Existing) => ({ tokenId, userId, keyHash });

/** A token that becomes limited needs a figure, so that sets the budget as well. */
const change = ({ data }: ChangeToken, state: Existing): Answer => {
  const previous = state.terms;
  const sets = data.setsBudget || data.terms.unlimitedQuota !== previous.unlimitedQuota;
  const remainQuota = sets ? data.terms.remainQuota : previous.remainQuota;
  const terms = { ...data.terms, remainQuota };
  const problem = termsProblem(terms);
  if (problem !== null) return refuseTerms(problem);
  if (!sets && sameTerms(terms, previous)) return accept();
  const changed = { ...named(state), terms, previous };
  return accept({
    type: 'TokenChanged',
    data: sets ? { ...changed, setsBudget: true } : changed,
  });
};

const enable = ({ data: { nowSeconds, exhausted } }: EnableToken, state: Existing): Answer => {
  const { expiredTime, unlimitedQuota } = state.terms;
  if (isExpired(expiredTime, nowSeconds)) return reject('token.expired');
  if (exhausted === true && !unlimitedQuota) return reject('token.exhausted');
  return state.status === 'enabled'
    ? accept()
    : accept({ type: 'TokenEnabled', data: named(state) });
};

const decide = (command: TokenCommand, state: TokenState): Answer => {
  if (command.type === 'CreateToken') return create(command, state);
  if (state.status === 'absent' || state.status === 'deleted') return reject('token.unknown');
  if (command.data.userId !== state.userId) return reject('token.unknown');
  switch (command.type) {
    case 'ChangeToken':
      return change(command, state);
    case 'EnableToken':
      return enable(command, state);
    case 'DisableToken':
      return state.status === 'disabled'
        ? accept()
        : accept({ type: 'TokenDisabled', data: named(state) });
    case 'DeleteToken':
      return accept({ type: 'TokenDeleted', data: named(state) });
  }
};

const evolve = (state: TokenState, event: TokenEvent): TokenState => {
  if (event.type === 'TokenCreated') return { status: 'enabled', ...event.data };
  if (state.status === 'absent') return state;
  switch (event.type) {
    case 'TokenChanged':
      return { ...state, terms: event.data.terms };
    case 'TokenEnabled':
      return { ...state, status: 'enabled' };
    case 'TokenDisabled':
      return { ...state, status: 'disabled' };
    case 'TokenDeleted':
      return { ...state, status: 'deleted' };
  }
};

export const tokenDecider: Decider<TokenCommand, TokenEvent, TokenState, TokenRejection> = {
  initialState: { status: 'absent' },
  decide,
  evolve,
};
