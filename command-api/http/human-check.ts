import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { HumanCheck } from '../../infra/ports/human-check.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { decodedCookie, setCookieText } from '../../infra/web/cookies.ts';
import { openSecret } from '../options/secret-option.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { isSecureSite } from './secure-site.ts';

type Deps = Readonly<{
  vault: Vault;
  clock: Clock;
  logger: Logger;
  options: SiteOptions;
}>;

const cookieName = 'human';
/** Whoever has passed is not checked again for 30 days. */
const passSeconds = 30 * 24 * 60 * 60;
const passShape = z.object({ human: z.literal(true), issuedAt: z.number() });

type Refused = Rejected<'human.token-missing' | 'human.not-proven' | 'human.check-unavailable'>;
type Asked = Readonly<{ request: FastifyRequest; reply: FastifyReply; ip: string }>;

/** The proof of one request; null lets it pass. */
export type HumanProof = Readonly<{
  /** Now, or once within the last 30 days. */
  known: () => Promise<Refused | null>;
  /**
   * The result for the token of this request. A token is valid for one check, so it is sent once.
   */
  fresh: () => Promise<Refused | null>;
}>;

const tokenOf = ({ query }: FastifyRequest): string => {
  const { turnstile } = (query ?? {}) as { turnstile?: unknown };
  return typeof turnstile === 'string' ? turnstile.trim() : '';
};

/** Lets through who proved to be a person, while the operator requires it. */
export const createHumanCheck = ({ options, vault, clock, logger }: Deps, ask: HumanCheck) => {
  const isWanted = (): Promise<boolean> => options.isOn('TurnstileCheckEnabled');

  const hasPass = ({ headers }: FastifyRequest): boolean => {
    const text = decodedCookie(headers.cookie, cookieName);
    if (text === null) return false;
    const pass = passShape.safeParse(vault.unsealTransient(text));
    return pass.success && clock().getTime() - pass.data.issuedAt < passSeconds * 1_000;
  };

  const givePass = async ({ request, reply }: Asked): Promise<void> => {
    const pass = vault.sealTransient({ human: true, issuedAt: clock().getTime() });
    const isSecure = await isSecureSite({ options }, request.headers);
    const attributes = { maxAgeSeconds: passSeconds, isSecure };
    reply.header('set-cookie', setCookieText(cookieName, pass, attributes));
  };

  const askNow = async (asked: Asked): Promise<Refused | null> => {
    const response = tokenOf(asked.request);
    if (response === '') return reject('human.token-missing');
    const secret = openSecret(vault, (await options.state()).secrets, 'TurnstileSecretKey');
    try {
      if (!(await ask({ secret, response, ip: asked.ip }))) return reject('human.not-proven');
    } catch (error) {
      logger.warn({ error }, 'the human check did not answer');
      return reject('human.check-unavailable');
    }
    await givePass(asked);
    return null;
  };

  return (asked: Asked): HumanProof => {
    let asking: Promise<Refused | null> | null = null;
    const fresh = async (): Promise<Refused | null> => {
      if (!(await isWanted())) return null;
      asking ??= askNow(asked);
      return asking;
    };
    return {
      fresh,
      known: async () => ((await isWanted()) && !hasPass(asked.request) ? fresh() : null),
    };
  };
};
