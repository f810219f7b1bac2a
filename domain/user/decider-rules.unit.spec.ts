import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aUserCommand, aUserRegistered } from '../../tests/support/user-examples.ts';
import type { Role } from '../access/roles.ts';
import type { UserCommand } from './commands.ts';
import { userDecider } from './decider.ts';

const roles = [1, 10, 100] as const;
const acts = [
  'PromoteUser',
  'DemoteUser',
  'DisableUser',
  'EnableUser',
  'DeleteUser',
  'ChangeGroup',
  'ResetPassword',
  'ChangeProfile',
] as const;

type Act = Readonly<{ actorRole: Role; command: UserCommand }>;
const act: fc.Arbitrary<Act> = fc
  .record({ type: fc.constantFrom(...acts), actorRole: fc.constantFrom(...roles) })
  .map(({ type, actorRole }) => {
    const data = {
      actorRole,
      group: 'vip',
      passwordHash: 'argon2id:other',
      username: 'eve',
      displayName: null,
    };
    return { actorRole, command: aUserCommand(type, data as never) };
  });

const run = (role: Role, steps: readonly Act[], see: (seen: Seen) => void): void => {
  let state = userDecider.evolve(userDecider.initialState, aUserRegistered({ role }));
  for (const { actorRole, command } of steps) {
    const decision = userDecider.decide(command, state);
    if (decision.kind === 'rejected' || state.status === 'absent') continue;
    const following = decision.events.reduce(userDecider.evolve, state);
    if (following.status === 'absent') throw new Error('nobody is ever forgotten');
    const types = decision.events.map(({ type }) => type);
    see({ actorRole, before: state, after: following, types });
    state = following;
  }
};
type Known = Exclude<typeof userDecider.initialState, { status: 'absent' }>;
type Seen = Readonly<{ actorRole: Role; before: Known; after: Known; types: readonly string[] }>;

const someone = fc.tuple(fc.constantFrom(...roles), fc.array(act, { maxLength: 25 }));

test('no sequence of commands lets anybody act on an equal or a superior', () => {
  fc.assert(
    fc.property(someone, ([role, steps]) =>
      run(role, steps, ({ actorRole, before }) => {
        expect(actorRole === 100 || actorRole > before.role).toBe(true);
      }),
    ),
    { numRuns: 500 },
  );
});

test('the super admin is never banned, deleted or demoted, and no user becomes one', () => {
  fc.assert(
    fc.property(someone, ([role, steps]) =>
      run(role, steps, ({ after }) => {
        expect(after.role === 100).toBe(role === 100);
        if (role === 100) expect(after.status).toBe('active');
      }),
    ),
    { numRuns: 500 },
  );
});

test('whatever takes rights away ends the sessions that had them', () => {
  const ending = ['UserDemoted', 'UserDisabled', 'UserDeleted', 'PasswordReset'];
  fc.assert(
    fc.property(someone, ([role, steps]) =>
      run(role, steps, ({ before, after, types }) => {
        if (types.some((type) => ending.includes(type))) {
          expect(after.sessionEpoch).toBeGreaterThan(before.sessionEpoch);
        }
      }),
    ),
    { numRuns: 500 },
  );
});
