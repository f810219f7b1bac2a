import { setTimeout as pause } from 'node:timers/promises';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { networkOf } from '../../infra/web/network.ts';
import type { Call } from '../http/call.ts';
import type { Verdict } from '../http/guess-limit.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { createKnownPlaces } from './known-places.ts';
import type { LoginFailures } from './login-failures.ts';

export type GuessDeps = Readonly<{
  bus: Bus;
  vault: Vault;
  clock: Clock;
  loginFailures: LoginFailures;
  options: SiteOptions;
}>;

/** What is being guessed at. */
export type Guessed = Readonly<{
  /** `password`, `password-change`: shown in the audit trail. */
  method: string;
  /** The account as the caller named it: two names of one person are unrelated here. */
  name: string;
  /** null: there is no such account. */
  userId: UserId | null;
  /**
   * The caller has given a first proof of identity. Strangers do not reach this, so refusing
   * guesses from many networks locks no owner out.
   */
  isSecondStep?: boolean;
}>;

export type Attempt = Readonly<{
  /** Not null: the answer is not even checked. */
  refusal: Rejected<RejectionCode> | null;
  /** The secret was right: the attempt counts no more. */
  right: () => Promise<void>;
  /** The secret was wrong: recorded in the audit trail. */
  wrong: () => void;
}>;

/** Milliseconds that an attempt out of nowhere waits while its account is under attack. */
const pressedMs = 1_000;

/**
 * Runs before every check of a secret that people know: a password, a second factor. Call it with
 * the result of the check.
 */
export const createGuesses = (deps: GuessDeps) => {
  const places = createKnownPlaces(deps);

  const isKnownNetwork = async (call: Call, userId: UserId | null): Promise<boolean> =>
    userId !== null && (await places.isKnownNetwork(call, userId));

  const refusalOf = async (
    call: Call,
    verdict: Verdict,
    isSecondStep: boolean,
  ): Promise<Attempt['refusal']> => {
    if (verdict === 'free') return null;
    if (verdict === 'refused' || isSecondStep) return reject('auth.too-many-attempts');
    await pause(pressedMs);
    return call.human.fresh();
  };

  return {
    /** Has this person signed in from here before? */
    isKnownPlace: async (call: Call, userId: UserId): Promise<boolean> =>
      places.deviceOf(call, userId) !== null || (await isKnownNetwork(call, userId)),

    async begin(
      call: Call,
      { method, name, userId, isSecondStep = false }: Guessed,
    ): Promise<Attempt> {
      const counted = await call.takeGuess({
        account: `${method}/${name}`,
        network: networkOf(call.ip),
        device: userId === null ? null : places.deviceOf(call, userId),
        isKnownNetwork: await isKnownNetwork(call, userId),
      });
      const wrong = (): void => {
        if (userId !== null) deps.loginFailures.note({ userId, method, ip: call.ip });
      };
      const refusal = await refusalOf(call, counted.verdict, isSecondStep);
      if (counted.verdict === 'refused') wrong();
      return { refusal, right: counted.giveBack, wrong };
    },
  };
};
