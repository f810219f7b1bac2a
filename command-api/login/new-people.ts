import { randomBytes } from 'node:crypto';
import { ordinaryRole } from '../../domain/access/roles.ts';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { LoginProfile } from '../../infra/ports/logins.ts';
import { usernameField } from '../contract/fields.ts';
import type { Call } from '../http/call.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { createUser, type NewUser, type NewUserDeps } from '../user/create-user.ts';
import { addressProblem, isAddressTaken } from '../user/email-address.ts';
import { findInviter } from '../user/find-user.ts';
import { displayNameHasInvisible, hasInvisible, looksLikeAnother } from '../user/names.ts';
import { claimIdentity, type External, identityFor } from './identities.ts';
import { takenRefusal } from './refusals.ts';

export type NewPeopleDeps = NewUserDeps & Readonly<{ options: SiteOptions }>;

export type Arrival = Readonly<{
  external: External;
  profile: Pick<LoginProfile, 'username' | 'displayName' | 'email'>;
  /** Referral code of who invited them, or "". */
  aff: string;
}>;

const usernameLength = 12;
const displayNameLength = 20;
const suffixBytes = 2;
const nameAttempts = 8;

/** What can be a user name of the wished one; null when nothing can. */
const usable = (wished: string): string | null => {
  const local = wished.split('@')[0] ?? '';
  const name = [...local.replace(/\s+/g, '')].slice(0, usernameLength).join('');
  return usernameField.safeParse(name).success && !hasInvisible(name) ? name : null;
};

/** The wished name, then the same with a random end. */
const nameFor = (base: string, nth: number): string => {
  if (nth === 0) return base;
  const end = `_${randomBytes(suffixBytes).toString('hex')}`;
  const room = Math.max(usernameLength, base.length) - end.length;
  return [...base].slice(0, room).join('') + end;
};

/** An address that breaks the operator's rules, or is taken, is left out. */
const keptAddress = async (
  deps: Pick<NewPeopleDeps, 'vault' | 'commands' | 'claims' | 'options'>,
  email: string | null,
): Promise<string | null> => {
  if (email === null || (await addressProblem(deps, email)) !== null) return null;
  return (await isAddressTaken(deps, email)) ? null : email;
};

/** The name that the provider gives, unless it is empty or too similar to another user's. */
const keptDisplayName = async (
  deps: Pick<NewPeopleDeps, 'vault' | 'commands' | 'claims'>,
  wished: string,
  userId: UserId,
): Promise<string> => {
  const name = [...wished.trim()].slice(0, displayNameLength).join('');
  const isKept = !displayNameHasInvisible(name) && !(await looksLikeAnother(deps, name, userId));
  return isKept ? name : '';
};

type Made = UserId | Rejected<RejectionCode>;
type Person = Omit<NewUser, 'username' | 'email'> &
  Readonly<{
    /** What the username is made from. */
    base: string;
    email: string | null;
  }>;

const nameIsTaken: ReadonlySet<RejectionCode> = new Set<RejectionCode>([
  'user.name-taken',
  'user.name-lookalike',
]);

/** A name that is taken gets another end; an address that is taken is left out. */
const make = async (
  deps: NewPeopleDeps,
  call: Call,
  { base, email, ...person }: Person,
): Promise<Made> => {
  let address = email === null ? {} : { email };
  for (let nth = 0; nth < nameAttempts; ) {
    const user = { ...person, username: nameFor(base, nth), ...address };
    const created = await createUser(deps, call, user);
    if (created.kind !== 'rejected') return created.userId;
    if (created.code === 'user.email-taken') address = {};
    else if (nameIsTaken.has(created.code)) nth += 1;
    else return created;
  }
  return reject('user.name-taken');
};

/** Makes accounts for people who arrive by a login provider. */
export const createNewPeople =
  (deps: NewPeopleDeps) =>
  async (call: Call, { external, profile, aff }: Arrival): Promise<Made> => {
    if (!(await deps.options.isOn('RegisterEnabled'))) return reject('user.registration-off');
    const userId = await deps.newId('user', call);
    // First, so that of two first logins at one moment one makes the account.
    const claimed = await claimIdentity(deps, call, { external, userId });
    if (claimed.kind === 'taken') return takenRefusal(external);
    return make(deps, call, {
      base: usable(profile.username) ?? `${external.provider}_${userId}`,
      email: await keptAddress(deps, profile.email),
      userId,
      password: null,
      displayName: await keptDisplayName(deps, profile.displayName, userId),
      role: ordinaryRole,
      inviterId: await findInviter(deps, aff),
      identityOf: (seal) => identityFor(deps, external, seal),
    });
  };
