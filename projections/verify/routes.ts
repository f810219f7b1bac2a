import type { verifyApi } from '../contract/verify.ts';
import { RefusedError } from '../http/refusals.ts';
import { type Handlers, ok } from '../http/routes.ts';
import type { VerifyRuns } from './runs.ts';

export const verifyRoutes = (runs: VerifyRuns): Handlers<typeof verifyApi> => ({
  'POST /api/verify': async () => {
    const begun = await runs.begin();
    if (begun !== 'begun') throw new RefusedError(`verify.${begun}`);
    return ok(await runs.state());
  },
  'GET /api/verify': async () => ok(await runs.state()),
});
