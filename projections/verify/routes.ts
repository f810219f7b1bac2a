import { RefusedError } from '../http/refusals.ts';
import { ok, type Routes } from '../http/routes.ts';
import type { VerifyRuns } from './runs.ts';

export const verifyRoutes = (runs: VerifyRuns): Routes => ({
  'POST /api/verify': async () => {
    const begun = await runs.begin();
    if (begun !== 'begun') throw new RefusedError(`verify.${begun}`);
    return ok(await runs.state());
  },
  'GET /api/verify': async () => ok(await runs.state()),
});
