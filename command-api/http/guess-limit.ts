import { createRateLimit, type RateLimit, type RateLimitDeps } from './rate-limit.ts';

/** Attempts that may fail within the window. */
export type GuessLimits = Readonly<{
  windowSeconds: number;
  /** At one account, out of one network. */
  perAccountAndNetwork: number;
  /** At one account, out of a browser that has signed in there before. */
  perDevice: number;
  /** Out of one network, at all accounts together. */
  perNetwork: number;
  /** At one account, from all networks that are new to it; more are slowed down. */
  perAccount: number;
}>;

export const guessLimits: GuessLimits = {
  windowSeconds: 1_200,
  perAccountAndNetwork: 10,
  perDevice: 10,
  perNetwork: 100,
  perAccount: 30,
};

/** An attempt at a secret: a password, a code. */
export type Guess = Readonly<{
  /** What is guessed at, by the name that the caller typed. */
  account: string;
  network: string;
  /** The mark of a browser that has signed in to this account before. */
  device: string | null;
  /** The account has been signed in to out of this network before. */
  isKnownNetwork: boolean;
}>;

/** `pressed`: the account is under attack, so an attempt out of nowhere has to wait. */
export type Verdict = 'free' | 'pressed' | 'refused';

export type CountedGuess = Readonly<{
  verdict: Verdict;
  /** The attempt was right, so it counts no more. */
  giveBack: () => Promise<void>;
}>;

/**
 * Slows guessing down by account and network together, so that one attacker gets few guesses and
 * locks the owner out nowhere else. Guesses at one account from many networks never refuse a right
 * answer: they only cost time. Counted before the result is available, so that simultaneous guesses
 * count as well.
 */
export const createGuessLimit = (
  { bus, vault }: RateLimitDeps,
  limits: GuessLimits = guessLimits,
) => {
  const { windowSeconds } = limits;
  const limit = (count: number): RateLimit =>
    createRateLimit({ bus, vault, bucket: 'guesses' }, { count, windowSeconds });
  const byPair = limit(limits.perAccountAndNetwork);
  const byDevice = limit(limits.perDevice);
  const byNetwork = limit(limits.perNetwork);
  const byAccount = limit(limits.perAccount);

  return async ({ account, network, device, isKnownNetwork }: Guess): Promise<CountedGuess> => {
    const taken: (() => Promise<void>)[] = [];
    const take = (counter: RateLimit, subject: string): Promise<boolean> => {
      taken.push(() => counter.giveBack(subject));
      return counter.take(subject);
    };
    /** A trusted browser is counted separately, whatever others of its network do. */
    const byKnownDevice = async (): Promise<boolean> =>
      device !== null && (await take(byDevice, `device/${device}/${account}`));
    const withinNetwork = async (): Promise<boolean> =>
      (await take(byPair, `pair/${network}/${account}`)) &&
      (await take(byNetwork, `network/${network}`));
    const isCalm = async (): Promise<boolean> =>
      isKnownNetwork || (await take(byAccount, `account/${account}`));
    const judge = async (): Promise<Verdict> => {
      if (await byKnownDevice()) return 'free';
      if (!(await withinNetwork())) return 'refused';
      return (await isCalm()) ? 'free' : 'pressed';
    };
    const verdict = await judge();
    return { verdict, giveBack: async () => void (await Promise.all(taken.map((undo) => undo()))) };
  };
};
