import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { HumanCheck } from '../../infra/ports/human-check.ts';
import { decodedCookie, setCookieText } from '../../infra/web/cookies.ts';
import type { Services } from '../services.ts';
import { isSecureSite } from './secure-site.ts';

const cookieName = 'human';
/** Who has passed is not asked again for 30 days (console sheet, section 3.4). */
const passSeconds = 30 * 24 * 60 * 60;
const passShape = z.object({ human: z.literal(true), issuedAt: z.number() });

type Refused = Rejected<'human.token-missing' | 'human.not-proven' | 'human.check-unavailable'>;
type Asked = Readonly<{ request: FastifyRequest; reply: FastifyReply; ip: string }>;

const tokenOf = ({ query }: FastifyRequest): string => {
  const { turnstile } = (query ?? {}) as { turnstile?: unknown };
  return typeof turnstile === 'string' ? turnstile.trim() : '';
};

/** Lets through who proved to be a person, while the operator wants that proven. */
export const createHumanCheck = (
  { options, vault, clock, logger }: Pick<Services, 'options' | 'vault' | 'clock' | 'logger'>,
  ask: HumanCheck,
) => {
  const hasPass = ({ headers }: FastifyRequest): boolean => {
    const text = decodedCookie(headers.cookie, cookieName);
    if (text === null) return false;
    const pass = passShape.safeParse(vault.unsealTransient(text));
    return pass.success && clock().getTime() - pass.data.issuedAt < passSeconds * 1_000;
  };

  return async ({ request, reply, ip }: Asked): Promise<Refused | null> => {
    if (!(await options.isOn('TurnstileCheckEnabled')) || hasPass(request)) return null;
    const response = tokenOf(request);
    if (response === '') return reject('human.token-missing');
    const sealed = (await options.state()).secrets.get('TurnstileSecretKey');
    const secret = sealed === undefined ? '' : vault.unseal(sealed);
    try {
      if (!(await ask({ secret, response, ip }))) return reject('human.not-proven');
    } catch (error) {
      logger.warn({ error }, 'the human check did not answer');
      return reject('human.check-unavailable');
    }
    const pass = vault.sealTransient({ human: true, issuedAt: clock().getTime() });
    const isSecure = await isSecureSite({ options }, request.headers);
    const attributes = { maxAgeSeconds: passSeconds, isSecure };
    reply.header('set-cookie', setCookieText(cookieName, pass, attributes));
    return null;
  };
};
