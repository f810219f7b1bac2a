import { createSecondFactorRoutes } from '../second-factor/routes.ts';
import { type AdminRouteDeps, createUserAdminRoutes } from './admin-routes.ts';
import { createEmailRoutes, type EmailRouteDeps } from './email-routes.ts';
import { createSelfRoutes } from './self-routes.ts';
import { createSessionRoutes, type SessionRouteDeps } from './session-routes.ts';

type Deps = SessionRouteDeps & EmailRouteDeps & AdminRouteDeps;

export const createUserRoutes = (deps: Deps) => ({
  ...createSessionRoutes(deps),
  ...createSecondFactorRoutes(deps),
  ...createSelfRoutes(deps),
  ...createEmailRoutes(deps),
  ...createUserAdminRoutes(deps),
});
