import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { decodedCookie, setCookieText } from '../../infra/web/cookies.ts';
import { networkOf } from '../../infra/web/network.ts';
import type { Call } from '../http/call.ts';
import { isSecureSite } from '../http/secure-site.ts';
import type { SiteOptions } from '../options/site-options.ts';

type Deps = Readonly<{
  bus: Bus;
  vault: Vault;
  clock: Clock;
  options: SiteOptions;
}>;

const cookieName = 'device';
const ttlSeconds = 180 * 24 * 60 * 60;
const markBytes = 16;
/** People of one browser that are remembered; the latest ones. */
const maxUsers = 5;
const deviceShape = z.object({
  device: z.string(),
  users: z.array(z.number().int()).max(maxUsers),
  issuedAt: z.number(),
});
type Device = z.infer<typeof deviceShape>;

/**
 * Browsers and networks that a person has signed in from. They open nothing: attempts from there are
 * counted apart, so that strangers who guess at an account do not keep its owner out.
 */
export const createKnownPlaces = ({ bus, vault, clock, options }: Deps) => {
  const networks = bus.keyValue('known-networks', { ttlSeconds });
  const keyOf = (userId: UserId, ip: string): string =>
    vault.claimHash('known-network', `${userId}/${networkOf(ip)}`);

  const deviceIn = ({ request }: Call): Device | null => {
    const text = decodedCookie(request.headers.cookie, cookieName);
    const parsed = deviceShape.safeParse(text === null ? null : vault.unsealTransient(text));
    if (!parsed.success) return null;
    const ageMs = clock().getTime() - parsed.data.issuedAt;
    return ageMs < ttlSeconds * 1_000 ? parsed.data : null;
  };

  return {
    /** The mark of the browser, when this person has signed in by it. */
    deviceOf(call: Call, userId: UserId): string | null {
      const known = deviceIn(call);
      return known?.users.includes(userId) ? known.device : null;
    },

    isKnownNetwork: async ({ ip }: Call, userId: UserId): Promise<boolean> =>
      (await networks.get(keyOf(userId, ip))) !== null,

    /** After a sign-in. */
    async remember(call: Call, userId: UserId): Promise<void> {
      await networks.put(keyOf(userId, call.ip), true);
      const known = deviceIn(call);
      const others = (known?.users ?? []).filter((other) => other !== userId);
      const device: Device = {
        device: known?.device ?? randomBytes(markBytes).toString('base64url'),
        users: [userId, ...others].slice(0, maxUsers),
        issuedAt: clock().getTime(),
      };
      const isSecure = await isSecureSite({ options }, call.request.headers);
      const attributes = { maxAgeSeconds: ttlSeconds, path: '/api', isSecure };
      const text = setCookieText(cookieName, vault.sealTransient(device), attributes);
      call.reply.header('set-cookie', text);
    },
  };
};
